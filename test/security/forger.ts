import { REACH_JS, runJavaScript } from './probe.js';

/**
 * Python that speaks on the worker's channel itself, past the runtime: `raw(bytes)` writes bytes, `frame(header, payload)`
 * a frame (header: anything for JSON, or bytes as they are), `steal(n)` takes up to n bytes that the host sent.
 */
export const FORGER = `${REACH_JS}
import json
_to_js = importlib.import_module("pyodide.ffi").to_js
def raw(data):
    while data:
        data = data[js.Deno.stdout.writeSync(_to_js(data[:1_000_000])):]
def frame(header, payload=b""):
    if not isinstance(header, bytes): header = json.dumps(header).encode()
    raw(len(header).to_bytes(4, "big") + len(payload).to_bytes(4, "big") + header + payload)
def steal(n):
    buffer = js.Uint8Array.new(n)
    return buffer.subarray(0, js.Deno.stdin.readSync(buffer)).to_bytes()
`;

/** Leaves a JavaScript thread behind in which `body` runs after the run's answer. */
export function leaveThread(body: string): string {
  return runJavaScript(`setTimeout(() => { ${body} }, 300); return "left";`);
}

/** The same in the native jail, where the channel is a connection on the last descriptor. */
export const NATIVE_FORGER = `
import json, os
def raw(data):
    while data: data = data[os.write(255, data[:1_000_000]):]
def frame(header, payload=b""):
    if not isinstance(header, bytes): header = json.dumps(header).encode()
    raw(len(header).to_bytes(4, "big") + len(payload).to_bytes(4, "big") + header + payload)
def steal(n):
    return os.read(255, n)
`;
