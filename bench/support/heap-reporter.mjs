// @ts-check
/**
 * Preloaded into a server that is observed (`NODE_OPTIONS=--import`): collects garbage now and then and writes what is left as a
 * line of JSON to the file `HEAP_REPORT`. What V8 has not collected yet hides a leak, and looks like one.
 */
import { appendFileSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

const EVERY_MS = 10_000;
const file = process.env.HEAP_REPORT;

if (file !== undefined) {
  v8.setFlagsFromString('--expose-gc');
  const collect = /** @type {() => void} */ (vm.runInNewContext('gc'));
  setInterval(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), bytes: heapUsed + external })}\n`);
  }, EVERY_MS).unref();
}
