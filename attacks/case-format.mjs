// @ts-check
import { readFileSync } from 'node:fs';
import { NAMES, placeholdersIn } from './placeholders.mjs';

/**
 * The vocabulary of a case. What is not in here is no case that passes: it is listed as "not run: unknown ...", and the
 * runner ends with a failure.
 */

/** @typedef {Record<string, any>} Fields */
/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} kind
 * @property {string} action
 * @property {Fields} input
 * @property {string[]} [backends]
 * @property {string} [session]
 * @property {Fields} [setup]
 * @property {Fields} expect
 * @property {string} [note]
 */

export const OUTCOMES = ['ok', 'error', 'limited', 'blocked'];
export const SCOPES = ['any', 'all', 'result', 'stdout', 'stderr'];

/** Input fields by action. `repeatCall` is allowed everywhere. @type {Readonly<Record<string, readonly string[]>>} */
export const ACTIONS = {
  execute_code: ['code', 'session', 'limits', 'context'],
  read_workspace_file: ['path', 'encoding', 'offset', 'limit'],
  write_workspace_file: ['path', 'content', 'encoding', 'mode'],
  list_workspace_files: ['path', 'recursive', 'pattern', 'limit'],
  save_skill: ['name', 'code', 'description', 'tags', 'overwrite', 'test'],
  load_skill: ['name', 'version', 'file'],
  list_skills: ['query', 'limit'],
  search_tools: ['query', 'category', 'limit', 'detail'],
  get_tool_definition: ['tool', 'name', 'category'],
  sanitize_pii: ['text'],
  restore_pii: ['text'],
  get_execution_stats: [],
  http_request: ['method', 'path', 'headers', 'body', 'rawBody'],
  stdio_raw: ['rawLines'],
  load: ['sessions', 'hostilePercent', 'seconds', 'hostileKinds', 'benign', 'cycles', 'each'],
  parallel: ['sessions', 'calls', 'code', 'callsPerSession', 'same'],
  execute_then_disconnect: ['code', 'afterMs', 'disconnectAfterMs', 'afterSeconds'],
};

export const SETUP = ['limits', 'tools', 'host', 'steps', 'concurrent', 'parallel', 'requires'];
export const LIMITS = ['wallMs', 'cpuMs', 'memoryMb', 'outputBytes', 'diskBytes', 'files', 'processes'];
export const STEP = ['session', 'action', 'input', 'repeatCall', 'afterMs'];
export const PARALLEL = ['load', 'probe', 'sessions'];
export const TOOL = [
  ...['server', 'name', 'description', 'behaviour', 'returns', 'size', 'allowed', 'pii', 'mayReceivePii'],
  ...['needsApproval', 'ms', 'depth', 'message', 'inputSchema', 'outputSchema', 'annotations'],
];
export const BEHAVIOURS = [
  ...['echo', 'static', 'sink', 'never', 'exitProcess', 'bytes', 'sessionOfCall', 'error', 'slow', 'deep'],
  ...['garbage', 'wrongId', 'twice', 'changeDefinition', 'flood'],
];
/** Things that the runner prepares on the host, with their fields. @type {Readonly<Record<string, readonly string[]>>} */
export const HOST_OPERATIONS = {
  mkfile: ['at', 'content', 'mode'],
  mkdir: ['at', 'mode'],
  symlink: ['at', 'target'],
  hardlink: ['at', 'target'],
  mkfifo: ['at'],
  server_config_secret: ['value'],
  server_env: ['name', 'value'],
};
export const REQUIREMENTS = [
  'linux',
  'python3',
  'http',
  'stdio',
  'tools',
  'skills',
  'workspace',
  'pii',
  'approval',
];

export const EXPECT = [
  ...[
    'outcome',
    'outcomeAlso',
    'contains',
    'notContains',
    'containsAll',
    'scope',
    'withinSeconds',
    'next',
    'then',
  ],
  ...['host', 'maxResponseBytes', 'validUtf8', 'validJson', 'truncationFlagged', 'isErrorFlag', 'status'],
  ...['perSession', 'benignCorrect', 'benignP95Ms', 'noHeader'],
];
export const NEXT = [
  ...['code', 'session', 'outcome', 'outcomeAlso', 'contains', 'notContains', 'containsAll', 'scope'],
  ...['withinSeconds', 'isErrorFlag', 'validUtf8', 'maxResponseBytes'],
];
export const THEN = [...NEXT, 'action', 'input', 'expect'];

/** Host checks; those in the second list take an argument after a colon. */
export const HOST_CHECKS = [
  ...['listenerUntouched', 'canaryFileUnchanged', 'canaryDirUnchanged', 'canaryProcessAlive', 'serverAlive'],
  ...['rssBounded', 'noLeftoverProcesses', 'procsBounded', 'fdsBounded', 'diskBounded', 'shmClean'],
  ...['workspaceStable', 'workspaceRemovable', 'prototypeClean', 'noCoreFile', 'noHarnessFrames'],
  ...[
    'approvedEqualsSent',
    'replayRejected',
    'skillStoreUnchanged',
    'noFileOutsideSkills',
    'siblingUnchanged',
  ],
];
export const HOST_CHECKS_WITH_ARGUMENT = ['sinkNotContains', 'toolNotCalled', 'noFileInWorkspace'];

const CASE = ['id', 'kind', 'source', 'action', 'input', 'backends', 'session', 'setup', 'expect', 'note'];
const LOAD_STEPS = /^(create_session|close_session|execute:[\s\S]+)$/;

/**
 * @param {string} files one or more, separated by commas.
 * @returns {Case[]}
 * @throws {Error} with file and line where a line is no JSON object, or an id appears twice.
 */
export function readCases(files) {
  const seen = new Set();
  return files.split(',').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (line.trim() === '') return [];
        const each = parse(line, `${file}:${index + 1}`);
        if (seen.has(each.id)) throw new Error(`${file}:${index + 1}: the id ${each.id} appears twice`);
        seen.add(each.id);
        return [each];
      }),
  );
}

/** @param {string} line @param {string} where @returns {Case} */
function parse(line, where) {
  let value;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`${where}: ${error}`);
  }
  for (const key of ['id', 'kind', 'action'])
    if (typeof value?.[key] !== 'string') throw new Error(`${where}: no text under "${key}"`);
  return value;
}

/**
 * What this runner does not know in a case. A case with something unknown is not run.
 * @param {Case} each
 * @returns {string[]}
 */
export function unknownIn(each) {
  /** @type {string[]} */
  const found = [];
  const keys = (
    /** @type {unknown} */ value,
    /** @type {readonly string[]} */ known,
    /** @type {string} */ at,
  ) => {
    for (const key of Object.keys(Object(value))) if (!known.includes(key)) found.push(`${at}.${key}`);
  };
  const oneOf = (
    /** @type {any} */ value,
    /** @type {readonly string[]} */ known,
    /** @type {string} */ at,
  ) => {
    if (!known.includes(value)) found.push(`${at} ${JSON.stringify(value)}`);
  };
  const call = (/** @type {string} */ action, /** @type {unknown} */ input, /** @type {string} */ at) => {
    const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!known) found.push(`${at} ${JSON.stringify(action)}`);
    else keys(input, [...known, 'repeatCall'], `${at} ${action}: input`);
  };
  const step = (/** @type {Fields} */ value, /** @type {string} */ at) => {
    keys(value, STEP, at);
    call(value.action ?? 'execute_code', value.input, at);
  };
  const judged = (
    /** @type {Fields} */ value,
    /** @type {readonly string[]} */ known,
    /** @type {string} */ at,
  ) => {
    keys(value, known, at);
    if (value.outcome !== undefined) oneOf(value.outcome, OUTCOMES, `${at}.outcome`);
    for (const also of listOf(value.outcomeAlso)) oneOf(also, OUTCOMES, `${at}.outcomeAlso`);
    if (value.scope !== undefined) oneOf(value.scope, SCOPES, `${at}.scope`);
  };

  keys(each, CASE, 'case');
  for (const backend of each.backends ?? []) oneOf(backend, ['wasm', 'native'], 'backends');
  call(each.action, each.input, 'action');
  for (const item of listOf(each.input?.each)) if (!LOAD_STEPS.test(item)) found.push(`load step ${item}`);
  for (const value of each.action === 'parallel' ? listOf(each.input?.calls) : []) step(value, 'input.calls');

  const setup = each.setup ?? {};
  keys(setup, SETUP, 'setup');
  keys(setup.limits, LIMITS, 'setup.limits');
  for (const tool of setup.tools ?? []) {
    keys(tool, TOOL, 'setup.tools');
    oneOf(tool.behaviour ?? 'echo', BEHAVIOURS, 'setup.tools.behaviour');
  }
  for (const operation of setup.host ?? []) {
    const known = Object.hasOwn(HOST_OPERATIONS, operation.op) ? HOST_OPERATIONS[operation.op] : undefined;
    if (known) keys(operation, ['op', ...known], `setup.host ${operation.op}`);
    else found.push(`setup.host op ${JSON.stringify(operation.op)}`);
  }
  for (const value of [...(setup.steps ?? []), ...listOf(setup.concurrent)]) step(value, 'setup step');
  keys(setup.parallel, PARALLEL, 'setup.parallel');
  for (const value of [...listOf(setup.parallel?.load), ...listOf(setup.parallel?.probe)])
    step(value, 'setup.parallel');
  for (const need of listOf(setup.requires)) oneOf(need, REQUIREMENTS, 'setup.requires');

  if (typeof each.expect !== 'object' || each.expect === null) found.push('case without expect');
  const expect = each.expect ?? {};
  judged(expect, EXPECT, 'expect');
  if (expect.next) judged(expect.next, NEXT, 'expect.next');
  for (const then of listOf(expect.then)) {
    judged(then, THEN, 'expect.then');
    call(then.action ?? 'execute_code', then.input, 'expect.then');
    if (then.expect) judged(then.expect, NEXT, 'expect.then.expect');
  }
  for (const name of expect.host ?? []) {
    const [head = '', argument] = splitOnce(name);
    oneOf(head, argument === undefined ? HOST_CHECKS : HOST_CHECKS_WITH_ARGUMENT, 'expect.host');
  }
  if (typeof expect.perSession === 'object' && expect.perSession !== null)
    judged(expect.perSession, NEXT, 'expect.perSession');
  for (const name of placeholdersIn(each))
    if (!NAMES.has(name) && !['REPEAT', 'EACH', 'RANGE'].includes(name))
      found.push(`placeholder \${${name}}`);
  return found;
}

/** @param {string} text @returns {[string, string | undefined]} */
export function splitOnce(text) {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
}

/**
 * Many fields may hold one value or a list of them.
 * @param {any} value
 * @returns {any[]}
 */
export function listOf(value) {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
