// @ts-check
/** Positive control: stock Pyodide in plain Node. Takes one JSON string of code a line, answers one JSON string a line. */
import { createInterface } from 'node:readline';
import { loadPyodide } from 'pyodide';

let text = '';
const keep = (/** @type {string} */ line) => {
  text += `${line}\n`;
};
const pyodide = await loadPyodide({ stdout: keep, stderr: keep });
for await (const line of createInterface({ input: process.stdin })) {
  text = '';
  await pyodide.runPythonAsync(JSON.parse(line)).catch((error) => keep(String(error)));
  process.stdout.write(`${JSON.stringify(text)}\n`);
}
