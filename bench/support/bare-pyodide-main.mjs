// @ts-check
/**
 * The baseline, run by Deno: stock Pyodide with its stock loader, all permissions, no sandbox. Reads one JSON command a
 * line, answers each with one JSON line; the first line says that it is ready, after `1+1`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [pyodideEntry = '', mode = '', snapshotFile = ''] = process.argv.slice(2);
/** @type {{ loadPyodide: (options: Record<string, unknown>) => Promise<any> }} */
const { loadPyodide } = await import(pyodideEntry);
// The loader looks for its folder in a stack trace, where Deno's source maps name another one.
const indexURL = fileURLToPath(new URL('.', pyodideEntry));

if (mode === 'make-snapshot') {
  const pyodide = await loadPyodide({ indexURL, _makeSnapshot: true });
  writeFileSync(snapshotFile, pyodide.makeMemorySnapshot());
  process.exit(0);
}
const pyodide = await loadPyodide({
  indexURL,
  ...(snapshotFile ? { _loadSnapshot: readFileSync(snapshotFile) } : {}),
});
pyodide.setStdout({ batched: () => {} });
if ((await pyodide.runPythonAsync('1+1')) !== 2) throw new Error('1+1 is not 2');
answer({ ready: true });

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  try {
    if (command.put) pyodide.FS.writeFile(command.put, readFileSync(command.from));
    const started = performance.now();
    const value = command.code ? await pyodide.runPythonAsync(command.code) : undefined;
    answer({ ms: performance.now() - started, value });
  } catch (error) {
    answer({ error: String(error) });
  }
}

/** @param {unknown} value */
function answer(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
