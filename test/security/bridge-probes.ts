import type { Targets } from './canaries.js';
import { type Goal, type Probe, REACH_JS, showsPermission } from './probe.js';

const bridge = (
  goal: Goal,
  name: string,
  code: (t: Targets) => string,
  control: Probe['control'] = 'node',
): Probe => ({
  name,
  goal,
  control,
  code: (targets) => REACH_JS + code(targets),
});

/** A function made from text, by every object that leads to one. */
const fromText = (name: string, object: string): Probe =>
  bridge(
    'environment',
    `code from text by ${name}`,
    (t) => `
make = (${object}).constructor.constructor
print(make("return process.env['${t.variable}']")())`,
  );

/** Attacks that Python makes on the JavaScript objects it can hold, call by call, on the interpreter's own thread. */
export const BRIDGE_PROBES: readonly Probe[] = [
  bridge('environment', 'process.env', (t) => `print(getattr(js.process.env, "${t.variable}"))`),
  bridge('environment', 'js.eval', (t) => `print(js.eval("process.env['${t.variable}']"))`),
  bridge(
    'environment',
    'run_js',
    (t) => `
print(importlib.import_module("pyodide.code").run_js("process.env['${t.variable}']"))`,
  ),
  fromText('a converted list', 'importlib.import_module("pyodide.ffi").to_js([0])'),
  fromText('the pyodide module', 'importlib.import_module("pyodide_js")'),
  fromText('sys.modules', '[m for n, m in sys.modules.items() if n == "pyodide_js"][0]'),
  fromText(
    'the import hook',
    '[p for f in sys.meta_path for p in (getattr(f, "jsproxies", None) or {}).values()][0]',
  ),
  bridge(
    'environment',
    'code from text by an error object',
    (t) => `
try:
    js.JSON.parse("{")
except Exception as error:
    print(error.js_error.constructor.constructor("return process.env['${t.variable}']")())`,
  ),
  bridge(
    'environment',
    'emscripten_run_script_string',
    (t) => `
import _ctypes, ctypes
run = _ctypes.dlsym(_ctypes.dlopen(None, 0), "emscripten_run_script_string")
print(ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_char_p)(run)(b"process.env['${t.variable}']"))`,
  ),
  bridge(
    'file',
    'process.getBuiltinModule',
    (t) => `
print(js.process.getBuiltinModule("node:fs").readFileSync("${t.file}", "utf8"))`,
  ),
  bridge(
    'file',
    'mountNodeFS',
    (t) => `
importlib.import_module("pyodide_js").mountNodeFS("/mounted-by-name", "${t.folder}")
print(open("/mounted-by-name/secret.txt").read())`,
  ),
  bridge(
    'file',
    'FS.mount of NODEFS',
    (t) => `
import os
FS = importlib.import_module("pyodide_js").FS
os.mkdir("/mounted-by-hand")
options = importlib.import_module("pyodide.ffi").to_js({"root": "${t.folder}"}, dict_converter=js.Object.fromEntries)
FS.mount(FS.filesystems.NODEFS, options, "/mounted-by-hand")
print(open("/mounted-by-hand/secret.txt").read())`,
  ),
  bridge(
    'network',
    'a socket of node:net',
    (t) => `
js.process.getBuiltinModule("node:net").connect(${t.tcpPort}, "127.0.0.1")`,
  ),
  bridge('network', 'fetch', (t) => `print(await (await js.fetch("http://127.0.0.1:${t.tcpPort}/")).text())`),
  bridge(
    'process',
    'node:child_process',
    (t) => `
js.process.getBuiltinModule("node:child_process").execFileSync("touch", importlib.import_module("pyodide.ffi").to_js(["${t.marker}"]))`,
  ),
  bridge('process', 'process.kill', (t) => `js.process.kill(${t.victim}, 15)`),

  // What our guest has in place of Node: the Deno object, every call that answers at once.
  bridge('file', 'Deno.readTextFileSync', (t) => `print(js.Deno.readTextFileSync("${t.file}"))`, 'deno'),
  bridge(
    'file',
    'Deno.openSync',
    (t) => `
buffer = js.Uint8Array.new(100)
js.Deno.openSync("${t.file}").readSync(buffer)
print(bytes(buffer.to_py()))`,
    'deno',
  ),
  bridge(
    'file',
    'Deno.readDirSync',
    (t) => `
for entry in js.Deno.readDirSync("${t.folder}"): print(entry.name)`,
    'deno',
  ),
  bridge('write', 'Deno.writeTextFileSync', (t) => `js.Deno.writeTextFileSync("${t.marker}", "x")`, 'deno'),
  bridge('write', 'Deno.mkdirSync', (t) => `js.Deno.mkdirSync("${t.marker}")`, 'deno'),
  bridge('write', 'Deno.copyFileSync', (t) => `js.Deno.copyFileSync("${t.file}", "${t.marker}")`, 'deno'),
  bridge('write', 'Deno.linkSync', (t) => `js.Deno.linkSync("${t.file}", "${t.marker}")`, 'deno'),
  bridge('write', 'Deno.symlinkSync', (t) => `js.Deno.symlinkSync("/etc/hostname", "${t.marker}")`, 'deno'),
  bridge('write', 'Deno.renameSync', (t) => `js.Deno.renameSync("${t.file}", "${t.marker}")`, 'deno'),
  bridge('write', 'Deno.truncateSync', (t) => `js.Deno.truncateSync("${t.file}")`, 'deno'),
  bridge(
    'write',
    'Deno.makeTempFileSync',
    (t) => `
options = importlib.import_module("pyodide.ffi").to_js({"dir": "${t.folder}"}, dict_converter=js.Object.fromEntries)
js.Deno.makeTempFileSync(options)`,
    'deno',
  ),
  bridge('environment', 'Deno.env.get', (t) => `print(js.Deno.env.get("${t.variable}"))`, 'deno'),
  bridge(
    'environment',
    'Deno.env.toObject',
    () => 'print(js.JSON.stringify(js.Deno.env.toObject()))',
    'deno',
  ),
  bridge(
    'environment',
    'Deno.readTextFileSync of /proc',
    (t) => `print(js.Deno.readTextFileSync("/proc/${t.holder}/environ"))`,
    'deno',
  ),
  showsPermission(
    bridge(
      'network',
      'Deno.listen',
      (t) => `
options = importlib.import_module("pyodide.ffi").to_js({"hostname": "127.0.0.1", "port": 0}, dict_converter=js.Object.fromEntries)
js.Deno.listen(options)
print("${t.proof[0]}" "${t.proof[1]}")`,
      'deno',
    ),
  ),
  bridge(
    'network',
    'Deno.connect',
    (t) => `
options = importlib.import_module("pyodide.ffi").to_js({"hostname": "127.0.0.1", "port": ${t.tcpPort}}, dict_converter=js.Object.fromEntries)
js.Deno.connect(options)
time.sleep(0.2)`,
    'deno',
  ),
  bridge(
    'network',
    'a WebSocket',
    (t) => `js.WebSocket.new("ws://127.0.0.1:${t.tcpPort}/")\ntime.sleep(0.2)`,
    'deno',
  ),
  bridge(
    'process',
    'Deno.Command',
    (t) => `
options = importlib.import_module("pyodide.ffi").to_js({"args": ["${t.marker}"]}, dict_converter=js.Object.fromEntries)
js.Deno.Command.new("touch", options).outputSync()`,
    'deno',
  ),
  bridge('process', 'Deno.kill', (t) => `js.Deno.kill(${t.victim}, "SIGTERM")`, 'deno'),
  bridge(
    'process',
    'Deno.dlopen',
    (t) => `
signature = importlib.import_module("pyodide.ffi").to_js({"kill": {"parameters": ["i32", "i32"], "result": "i32"}}, dict_converter=js.Object.fromEntries)
js.Deno.dlopen("libc.so.6", signature).symbols.kill(${t.victim}, 15)`,
    'deno',
  ),
  showsPermission(
    bridge(
      'process',
      'more permissions',
      (t) => `
options = importlib.import_module("pyodide.ffi").to_js({"name": "run"}, dict_converter=js.Object.fromEntries)
if js.Deno.permissions.requestSync(options).state == "granted": print("${t.proof[0]}" "${t.proof[1]}")`,
      'deno',
    ),
  ),
];
