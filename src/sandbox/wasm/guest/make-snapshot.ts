import { boot, RUNTIME_FOLDER } from './boot.js';
import { encodeSnapshot } from './snapshot-file.js';

/**
 * Entry point, run once per installed version: boots without a snapshot, loads the runtime and the usual modules, and
 * writes the snapshot to standard output. It has the permissions of any worker, so it writes no file.
 */
const folder = Deno.args[0] ?? '';
const { pyodide, module, writtenPages } = await boot(folder, { snapshot: false });
const copy = (from: string, to: string): void => {
  pyodide.FS.mkdirTree(to);
  for (const entry of Deno.readDirSync(from)) {
    const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
    if (entry.isDirectory) copy(source, target);
    else pyodide.FS.writeFile(target, Deno.readFileSync(source));
  }
};
copy(`${folder}/ce_runtime`, `${RUNTIME_FOLDER}/src/ce_runtime`);
// Frozen objects are not looked at by the garbage collector again: a collection in a run costs what the run made.
// The sources are not on a worker's file system: whatever the runtime imports late has to be in the snapshot.
pyodide.runPython(`
import sys
sys.path.append('${RUNTIME_FOLDER}/src')
import ce_runtime, gc, importlib, pkgutil
for module in pkgutil.walk_packages(ce_runtime.__path__, 'ce_runtime.'):
    if not module.name.endswith('__main__'):
        importlib.import_module(module.name)
ce_runtime.prepare()
gc.collect()
gc.freeze()
`);
const parts = encodeSnapshot(module.HEAPU8.slice(), module.API.serializeHiwireState(), writtenPages);
for (const part of parts) {
  let done = 0;
  while (done < part.length) done += Deno.stdout.writeSync(part.subarray(done));
}
Deno.exit(0);
