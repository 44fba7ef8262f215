import type { Targets } from './canaries.js';

/** What a probe wants. */
export type Goal = 'file' | 'write' | 'environment' | 'network' | 'process';

/**
 * An interpreter without our walls in which a probe must succeed, or it proves nothing:
 * `node` stock Pyodide in Node; `deno` our own guest in Deno with every permission and outside every jail; `cpython`.
 */
export type Control = 'node' | 'deno' | 'cpython';

/** One attack: Python code that reaches one canary, by one way. */
export interface Probe {
  readonly name: string;
  readonly goal: Goal;
  readonly control: Control;
  readonly code: (targets: Targets) => string;
  /** It says so if its JavaScript has run at all. */
  readonly javascript?: true;
  /** Shows that a permission is missing, with no harm where it is not: inside a network namespace nobody hears a listener. */
  readonly permission?: true;
}

/** Marks a probe as {@link Probe.permission}. */
export const showsPermission = (probe: Probe): Probe => ({ ...probe, permission: true });

/** What the JavaScript of a probe says before it begins. */
export const JAVASCRIPT_RAN = 'the javascript of this probe runs';

/** Reaches the JavaScript side from Python: `js` is its global object. User code's `import js` is refused, this is not. */
export const REACH_JS = `
import importlib, sys, time
try:
    js = importlib.import_module("js")
except ImportError:
    js = sys.modules["pyodide_js"]._api.config.jsglobals
`;

/**
 * Python that runs the body of an async JavaScript function and prints what it returns. In Node by a function made from
 * text. In our guest, where that is off, by a module from a data: URL, imported in a Worker whose event loop turns, which
 * writes to the process's standard output; the Worker stays for the next time, unless this time it does not come back.
 */
export function runJavaScript(body: string): string {
  return `${REACH_JS}
body = ${JSON.stringify(body)}
if hasattr(js, "process"):
    print(await js.Function("return (async () => {" + body + "})()")())
else:
    to_js = importlib.import_module("pyodide.ffi").to_js
    address = lambda text: "data:application/javascript," + js.encodeURIComponent(text)
    if globals().get("_thread") is None:
        _thread = js.Worker.new(address(${JSON.stringify(THREAD)}), to_js({"type": "module"}, dict_converter=js.Object.fromEntries))
    done = js.Int32Array.new(js.SharedArrayBuffer.new(4))
    _thread.postMessage(to_js([address("export default async () => {" + body + "}"), done]))
    for _ in range(150):
        if js.Atomics.load(done, 0): break
        time.sleep(0.02)
    else:
        _thread = _thread.terminate()
`;
}

/** Runs one module after the other; `say` writes a forged `out` frame, which any thread of the process can do. */
const THREAD = `
globalThis.say = (text) => {
  const [header, payload] = ['{"type":"out","stream":"stdout"}', text + '\\n'].map((t) => new TextEncoder().encode(t));
  const frame = new Uint8Array(8 + header.length + payload.length);
  new DataView(frame.buffer).setUint32(0, header.length);
  new DataView(frame.buffer).setUint32(4, payload.length);
  frame.set(header, 8);
  frame.set(payload, 8 + header.length);
  Deno.stdout.writeSync(frame);
};
for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, (event) => event.preventDefault());
onmessage = async ({ data: [address, done] }) => {
  try {
    const { default: run } = await import(address);
    say('${JAVASCRIPT_RAN}');
    say(String(await run()));
  } catch (error) {
    say('refused: ' + error);
  }
  Atomics.store(done, 0, 1);
};
`;
