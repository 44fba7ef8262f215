#!/usr/bin/env node
// @ts-check
/** `npm run quickstart`: from a clone to real answers. Everything printed is measured in this run. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build } from './build.mjs';
import { ensureInstalled, ROOT } from './ensure-installed.mjs';
import { DATA_FILES, RESULT_FILE, RUNS, SESSION, WHOLE_TABLE } from './support/scenario.mjs';

const started = Date.now();
console.log(`This installs the dependencies, builds the server, starts it over stdio with the MCP SDK's client in a
throw-away folder, and has it answer questions on three public tables, do a task over 200 files with the tools of three
other servers, and write reminders to customers without the model seeing who they are. It writes into this folder, the temporary folder and your cache folder (the prepared interpreter),
nowhere else.\n`);

await ensureInstalled();
if (!build()) process.exit(1);

// Only now are these importable.
const { startServer } = await import('./support/server-process.mjs');
const { llmTokens } = await import('./support/tokens.mjs');
const { scenarioFolder, stepsFor, TASK } = await import('./support/tools-scenario.mjs');
const { ATTEMPTS, privacyFolder, PRIVACY_TASK, REMINDERS } = await import('./support/privacy-scenario.mjs');
const { Meter, plainCalls } = await import('./support/tools-scenario-cost.mjs');

const folder = scenarioFolder();
/** @type {import('./support/server-process.mjs').ServerProcess | undefined} */
let server;
try {
  server = await startServer({ config: { mcpServers: folder.mcpServers } });
  const name = server.client.getServerVersion();
  console.log(
    `\nserver: ${name?.name} ${name?.version}, answered initialize after ${server.startMs.toFixed(0)} ms`,
  );
  title('1. Questions about three public tables');
  const kept = await tablesScenario(server);
  title('2. The same server with three others behind it: files, memory, and one for trying things out');
  const { ours, plain, calls } = await toolsScenario(server);
  title('3. 500 customers, whose data the model does not see');
  for (const mode of /** @type {const} */ (['egress', 'strict'])) await privacyScenario(mode);
  console.log(`
All answers are right. LLM tokens (o200k) that the model read and wrote:
  1. ${number(kept.returned)} for answers, instead of ${number(kept.data)} for the files: ${saved(kept.returned, kept.data)} fewer
  2. ${number(ours.total)} with code, ${number(plain.total)} with ${calls} plain calls: ${saved(ours.total, plain.total)} fewer, everything counted
     with code:   ${spent(ours)}
     plain calls: ${spent(plain)}
Whole quickstart: ${((Date.now() - started) / 1000).toFixed(1)} s.

next: add it to your client: node dist/main.js init claude-code   (or claude-desktop, cursor, vscode)`);
} catch (error) {
  console.error(`\nfailed: ${error instanceof Error ? error.message : error}`);
  if (server?.stderr()) console.error(`standard error of the server:\n${server.stderr()}`);
  console.error('next: node dist/main.js doctor   (says what works on this machine and how to get the rest)');
  process.exitCode = 1;
} finally {
  await server?.close();
  folder.remove();
}

/**
 * @param {import('./support/server-process.mjs').ServerProcess} server
 * @returns {Promise<{ returned: number, data: number }>} LLM tokens that came back, and those of the files.
 */
async function tablesScenario(server) {
  const sizes = new Map();
  for (const file of DATA_FILES) {
    const content = readFileSync(path.join(ROOT, 'node_modules', 'vega-datasets', 'data', file), 'utf8');
    sizes.set(file, llmTokens(content));
    step(
      `write_workspace_file ${file}: ${kb(content.length)}, ${sizes.get(file).toLocaleString('en')} LLM tokens`,
    );
    show(await server.call('write_workspace_file', { filename: file, content }));
  }
  let returned = 0;
  for (const run of RUNS) {
    step(`execute_code in session "${SESSION}": ${run.asks}`);
    console.log(indent(run.code, '  > '));
    const answer = await server.call('execute_code', { code: run.code, session: SESSION });
    show(answer);
    if (!isDeepStrictEqual(answer.data.result, run.expected)) {
      throw new Error(
        `the answer to "${run.name}" is not the right one: ${JSON.stringify(run.expected)} was expected`,
      );
    }
    const data = run.covers.reduce((sum, file) => sum + sizes.get(file), 0);
    const tokens = llmTokens(answer.text);
    returned += tokens;
    console.log(`  = ${tokens} LLM tokens for data of ${data.toLocaleString('en')}`);
  }

  step('execute_code: the whole cleaned table, 3,192 records, as the result');
  console.log(indent(WHOLE_TABLE, '  > '));
  const whole = await server.call('execute_code', {
    code: WHOLE_TABLE,
    session: SESSION,
    max_output_chars: 800,
  });
  show(whole);
  if (whole.isError) throw new Error('the whole table did not come back as a summary');
  const wholeTokens = llmTokens(whole.text);
  returned += wholeTokens;
  console.log(`  = ${wholeTokens} LLM tokens; the rest is in the workspace`);

  step(`read_workspace_file ${RESULT_FILE.name}: the file that the second run left`);
  const file = await server.call('read_workspace_file', { filename: RESULT_FILE.name });
  show(file);
  if (file.data.content !== RESULT_FILE.content) {
    throw new Error(`${RESULT_FILE.name} does not hold what the run wrote`);
  }
  returned += llmTokens(file.text);

  step('get_execution_stats');
  const stats = await server.call('get_execution_stats');
  show(stats);
  returned += llmTokens(stats.text);
  return { returned, data: [...sizes.values()].reduce((a, b) => a + b, 0) };
}

/**
 * @param {import('./support/server-process.mjs').ServerProcess} server
 * @returns {Promise<{ ours: Cost, plain: Cost, calls: number }>}
 */
async function toolsScenario(server) {
  console.log(`the task: ${TASK}`);
  const meter = new Meter();
  await meter.definitions(server.client);
  /** @type {unknown} */
  let result;
  for (const { tool, why, args } of stepsFor(folder.reports)) {
    const { code, ...others } = args;
    step(`${tool} ${JSON.stringify(others)}: ${why}`);
    if (code) console.log(indent(String(code), '  > '));
    const answer = await server.call(tool, args);
    show(answer);
    meter.call(tool, args, answer.text);
    result = answer.data.result;
  }
  if (!isDeepStrictEqual(result, folder.expected.result)) {
    throw new Error(
      `the facts are not the right ones: ${JSON.stringify(folder.expected.result)} was expected`,
    );
  }
  step('the same task by plain calls of those servers, to compare: list, 51 reads, store, read back');
  rmSync(folder.memoryFile);
  const { cost, calls, graph } = await plainCalls(folder);
  const { entities } = /** @type {{ entities: unknown }} */ (graph);
  if (!isDeepStrictEqual(entities, folder.expected.entities))
    throw new Error('the plain calls stored other facts');
  console.log(`  = ${calls} calls, ${number(cost.results)} LLM tokens of results`);
  return { ours: meter.cost, plain: cost, calls };
}

/**
 * A server of its own, whose configuration has the mode in one line.
 * @param {'egress' | 'strict'} mode
 */
async function privacyScenario(mode) {
  const customers = privacyFolder();
  const config = { mcpServers: customers.mcpServers, privacy: { mode, detect: 'full' } };
  const guarded = await startServer({ config });
  const context_vars = { folder: customers.customers, outbox: customers.outbox };
  try {
    step(`execute_code, privacy.mode "${mode}": ${PRIVACY_TASK}`);
    if (mode === 'egress') console.log(indent(REMINDERS, '  > '));
    const answer = await guarded.call('execute_code', { code: REMINDERS, context_vars });
    show(answer);
    if (!isDeepStrictEqual(customers.written(), customers.letters))
      throw new Error('the reminders do not hold the true names and addresses');
    const [letter] = Object.values(customers.written());
    console.log(
      indent(
        `${Object.keys(customers.letters).length} reminders were written; the first:\n${letter}`,
        '  | ',
      ),
    );
    const code = ATTEMPTS['by printing it'] ?? '';
    step('execute_code: a program that prints a customer');
    console.log(indent(code, '  > '));
    const printed = await guarded.call('execute_code', { code, context_vars });
    show(printed);
    const seen = JSON.stringify([answer.raw, printed.raw]);
    const leaked = customers.values.filter((value) => seen.includes(value));
    if (leaked.length > 0) throw new Error(`${leaked.length} values of customers reached the model`);
    console.log(
      `  = none of the ${customers.values.length} names, addresses and numbers is in what the model read`,
    );
  } finally {
    await guarded.close();
    customers.remove();
  }
}

/** @typedef {import('./support/tools-scenario-cost.mjs').Cost} Cost */

/** @param {Cost} cost */
function spent({ definitions, calls, results }) {
  return `${number(definitions)} definitions, ${number(calls)} calls, ${number(results)} results`;
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString('en');
}

/**
 * @param {number} spentTokens
 * @param {number} wholeTokens
 */
function saved(spentTokens, wholeTokens) {
  return `${((1 - spentTokens / wholeTokens) * 100).toFixed(2)} %`;
}

/** @param {string} text */
function title(text) {
  console.log(`\n=== ${text}`);
}

/** @param {string} title */
function step(title) {
  console.log(`\n--- ${title}`);
}

/** @param {import('./support/server-process.mjs').Answer} answer */
function show(answer) {
  console.log(indent(answer.text, '  < '));
  console.log(`  = ${answer.isError ? 'failed' : 'answered'} in ${answer.ms.toFixed(0)} ms`);
  if (answer.isError) throw new Error('a call of the scenario failed, see its answer above');
}

/**
 * @param {string} text
 * @param {string} prefix
 */
function indent(text, prefix) {
  return text.trimEnd().replace(/^/gm, prefix);
}

/** @param {number} bytes */
function kb(bytes) {
  return `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
}
