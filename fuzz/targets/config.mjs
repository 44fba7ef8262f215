// @ts-check
/** Configuration files: whatever stands in them, src/config/ gives a configuration or problems with their places. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { inspectConfig } from '../../dist/config/load.js';
import { CONFIG_SECTIONS, configFileSchema, configKeys } from '../../dist/config/schema.js';
import { SERVER_KEYS } from '../../dist/config/server-schema.js';
import { temporaryFolder } from '../support/folders.mjs';
import { edited, hostileKey, hostileText, hostileValue, objectOf } from '../support/hostile.mjs';
import { insist, insistUnpolluted } from '../support/oracle.mjs';

/** @typedef {{ user: string | Uint8Array, project: string | Uint8Array }} Files */

/** What a variable with a secret-looking name holds: in a resolved configuration it may stand, in anything told it may not. */
const SECRET = 'CNRY-secret-of-a-variable';
const ENV = { PLAIN: 'plain', NUMBER: '5', EMPTY: '', API_TOKEN: SECRET };

/** @returns {Promise<import('../support/campaign.mjs').Target<Files>>} */
export async function open() {
  const { folder, remove } = temporaryFolder();
  const home = path.join(folder, 'home');
  const cwd = path.join(folder, 'project');
  const userFile = path.join(home, '.config/code-execution-mcp/config.json');
  for (const one of [path.dirname(userFile), cwd]) mkdirSync(one, { recursive: true });
  const host = {
    env: ENV,
    platform: /** @type {const} */ ('linux'),
    home,
    cwd,
    uid: process.getuid?.() || 1000,
  };
  const projectFile = path.join(cwd, '.code-execution.json');
  return {
    promise:
      'any bytes in the files give a configuration within its schema or problems with their places, and no secret is told',
    runs: 60,
    input: files,
    async check({ user, project }) {
      writeFileSync(userFile, user);
      writeFileSync(projectFile, project);
      checkReport(await inspectConfig({}, host));
      // Of a project that nobody trusts: it starts nothing, and reads nothing elsewhere.
      rmSync(userFile);
      const alone = checkReport(await inspectConfig({}, host));
      if (!alone) return;
      insist(
        alone.servers.length + alone.registry.length === 0,
        'an untrusted project named servers or registries',
      );
      insist(
        alone.privacy.mode !== 'off' && alone.privacy.allowValues.length === 0,
        'an untrusted project weakened privacy',
      );
      insist(alone.dataDir.startsWith(`${folder}/`), 'an untrusted project put the data elsewhere');
    },
    async close() {
      remove();
    },
  };
}

/** @param {import('../../dist/config/config.js').ConfigReport} report */
function checkReport({ loaded, problems, warnings, sources }) {
  insist((loaded === undefined) === problems.length > 0, 'neither a configuration nor a problem, or both');
  for (const { place, message } of problems)
    insist(place !== '' && message !== '', 'a problem without place or words');
  const told = JSON.stringify([problems, warnings, sources, loaded?.shown]);
  insist(!told.includes(SECRET), 'the value of a secret variable is told');
  insistUnpolluted();
  if (!loaded) return undefined;
  const { config } = loaded;
  const { sandbox, output, privacy, logLevel } = config;
  const again = configFileSchema.safeParse({ sandbox, output, privacy, logLevel });
  insist(again.success, 'a value outside of its schema');
  insist(sandbox.timeoutSeconds <= sandbox.maxTimeoutSeconds, 'runs get more time than the maximum');
  insist(path.isAbsolute(config.dataDir), 'a folder that is not absolute');
  for (const { name, launch } of config.servers) {
    insist(
      /^[A-Za-z0-9_.-]{1,100}$/.test(name) || launch.kind === 'refused',
      'a server with a name that none may have',
    );
    if (launch.kind === 'stdio')
      insist(
        ![launch.command, ...launch.args, ...Object.values(launch.env)].some((one) => one.includes('\0')),
        'a NUL for a program',
      );
  }
  insist(everyFrozen([config]), 'a configuration that can be changed');
  return config;
}

/** @param {unknown[]} values @returns {boolean} */
function everyFrozen(values) {
  return values.every(
    (value) =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && everyFrozen(Object.values(value))),
  );
}

const reference = fc.constantFrom(
  '${API_TOKEN}',
  '${PLAIN}',
  '${NUMBER}',
  '${EMPTY:-3}',
  '${UNSET}',
  '${env:API_TOKEN}',
  '${UNSET:-${API_TOKEN}}',
  '${',
  '${}',
  '${__proto__}',
  '${constructor:-x}',
);
const url = fc.constantFrom(
  'http://localhost/mcp',
  'https://user:%zz@host/?key=%ff',
  'https://%ff:x@host/',
  'http://[::1]:1/?a=${API_TOKEN}',
  'file:///etc/passwd',
  'http://',
  'https://\ud800.test',
);
const word = fc.oneof(
  fc.constantFrom(
    'standard',
    'full',
    '-PHONE',
    'egress',
    'strict',
    'off',
    'own',
    'wasm',
    'native',
    'auto',
    'debug',
    '~/x',
    '../x',
  ),
  reference,
  fc.tuple(reference, hostileText).map((parts) => parts.join('')),
  hostileText,
);
const value = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: fc.oneof(fc.integer({ min: -1, max: 700 }), fc.boolean(), fc.double()) },
  { weight: 2, arbitrary: fc.array(word, { maxLength: 3 }) },
  { weight: 1, arbitrary: hostileValue },
);
const argument = fc.oneof(word, fc.constantFrom('--api-key=x', '--token', '-p', 'abcdefgh'));
/** One that may well be right. */
const plausible = fc.oneof(
  fc.record({
    command: fc.constantFrom('node', '~/bin/x', 'npx', '${PLAIN}'),
    args: fc.array(argument, { maxLength: 3 }),
  }),
  fc.record({ url, headers: objectOf(fc.constantFrom('Authorization', 'X-A', '__proto__'), word, 2) }),
  fc.record({ url }),
  fc.record({
    command: fc.constant('x'),
    env: objectOf(fc.oneof(fc.constantFrom('TOKEN', '__proto__'), hostileKey), word, 2),
  }),
);
const entry = fc.oneof(
  { weight: 6, arbitrary: plausible },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        type: fc.oneof(fc.constantFrom('stdio', 'http', 'sse'), value),
        command: word,
        args: fc.array(argument, { maxLength: 3 }),
        env: objectOf(fc.oneof(hostileKey, fc.constant('TOKEN')), word, 3),
        url: fc.oneof(url, word),
        headers: objectOf(fc.oneof(hostileKey, fc.constant('Authorization')), word, 2),
        cwd: word,
        timeout: value,
        tools: objectOf(
          fc.constantFrom('allow', 'deny', 'ask', '__proto__'),
          fc.array(word, { maxLength: 2 }),
        ),
        privacy: fc.oneof(word, objectOf(fc.constantFrom('mode', 'detect', 'restore'), value)),
        disabled: fc.oneof(fc.boolean(), value),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 2, arbitrary: objectOf(fc.oneof(fc.constantFrom(...SERVER_KEYS), hostileKey), value) },
  { weight: 1, arbitrary: value },
);
const keysOf = (/** @type {string} */ section) =>
  [...configKeys().keys()]
    .filter((key) => key.startsWith(`${section}.`))
    .map((key) => key.slice(section.length + 1));
const section = (/** @type {string} */ name) =>
  fc.oneof(
    { weight: 6, arbitrary: objectOf(fc.oneof(fc.constantFrom(...keysOf(name)), hostileKey), value) },
    { weight: 1, arbitrary: value },
  );
const servers = fc.oneof(
  {
    weight: 6,
    arbitrary: objectOf(fc.oneof(fc.constantFrom('crm', 'a.b-c', '__proto__'), hostileKey), entry, 3),
  },
  { weight: 1, arbitrary: value },
);
/** Files with a few keys only: one of many is hardly ever without a problem. */
const key = fc.oneof(
  ...CONFIG_SECTIONS.map((name) => fc.tuple(fc.constant(name), section(name))),
  fc.tuple(fc.constantFrom('mcpServers', 'servers'), servers),
  fc.tuple(fc.constantFrom('importConfigs', 'registry', 'trustedProjects', 'logLevel', '__proto__'), value),
  fc.tuple(fc.constantFrom('registry', 'trustedProjects'), fc.array(word, { maxLength: 2 })),
  fc.tuple(fc.constant('dataDir'), fc.constantFrom('./here', './${API_TOKEN}', '/elsewhere', '..', '~')),
  fc.tuple(
    fc.constant('privacy'),
    fc.constantFrom({ mode: 'off' }, { allowValues: ['x'] }, { mode: 'strict' }),
  ),
);
const document = fc.array(key, { maxLength: 4 }).map((keys) => Object.fromEntries(keys));
const text = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(document, hostileKey, hostileValue, fc.boolean())
      .map(([keys, key, more, both]) =>
        JSON.stringify(both ? { ...keys, [key]: more } : keys).replaceAll(',"', ',\n"'),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '{}',
      '[]',
      '// only\n{/* a */"sandbox":{"pool":3,},}',
      '[['.repeat(3_000),
    ),
  },
);
const file = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 3, arbitrary: edited(text) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }) },
  { weight: 1, arbitrary: text.map((one) => `\ufeff${one.replaceAll('\n', '\r\n')}`) },
);
/** @type {fc.Arbitrary<Files>} */
const files = fc.record({ user: file, project: file });
