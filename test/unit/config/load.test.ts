// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration references look like that
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectConfig, loadConfig } from '../../../src/config/load.js';
import { fakeHost, PROJECT, USER } from './fake-host.js';

test('without any file the defaults apply', async () => {
  const host = fakeHost();
  const { config, sources, warnings } = await loadConfig({}, { ...host, uid: 1000 });
  expect(config).toEqual({
    sandbox: {
      backend: 'auto',
      builtins: 'restricted',
      timeoutSeconds: 30,
      maxTimeoutSeconds: 600,
      memoryMb: 512,
      workspaceMb: 256,
      workspaceFiles: 10_000,
      pool: 2,
      sessionIdleSeconds: 1_800,
      maxSessions: 8,
      preload: [],
    },
    output: { maxChars: 8_000 },
    privacy: {
      mode: 'egress',
      detect: ['standard'],
      restore: 'own',
      patterns: [],
      allowValues: [],
      allowDomains: [],
      keep: true,
      keepDays: 7,
      maxValues: 200_000,
    },
    skills: { readOnlyDirs: [] },
    http: {
      host: '127.0.0.1',
      port: 8_848,
      tokens: {},
      allowedHosts: [],
      allowedOrigins: [],
      sessionIdleSeconds: 1_800,
      maxSessions: 200,
      maxSessionsPerPrincipal: 50,
    },
    logLevel: 'warn',
    servers: [],
    registry: [],
    dataDir: join(host.home, '.local/share/code-execution-mcp'),
    cacheDir: join(host.home, '.cache/code-execution-mcp'),
  });
  expect([sources, warnings]).toEqual([[], []]);
});

test('the configuration is frozen through and through', async () => {
  const { config } = await loadConfig({}, fakeHost());
  const parts = [config, config.sandbox, config.output, config.privacy, config.privacy.detect, config.skills];
  expect(parts.map(Object.isFrozen)).toEqual(parts.map(() => true));
});

test('a file may hold comments, trailing commas, a byte order mark and $schema', async () => {
  const host = fakeHost({
    [PROJECT]: '\uFEFF{\n  // why\n  "$schema": "x",\n  "sandbox": { "pool": 4, /* more */ },\n}\n',
  });
  const { config, warnings } = await loadConfig({}, host);
  expect([config.sandbox.pool, warnings]).toEqual([4, []]);
});

test.each([
  ['--config', { config: '../flag.json' }, { CODE_EXECUTION_CONFIG: '../env.json' }, 1, ['named']],
  ['CODE_EXECUTION_CONFIG without --config', {}, { CODE_EXECUTION_CONFIG: '../env.json' }, 3, ['named']],
  ['the project file over the file of the user', {}, {}, 5, ['user', 'project']],
] as const)('%s is used', async (_, flags, env, pool, kinds) => {
  const host = fakeHost(
    {
      'flag.json': '{"sandbox": {"pool": 1}}',
      'env.json': '{"sandbox": {"pool": 3}}',
      [PROJECT]: '{"sandbox": {"pool": 5}}',
      [USER]: '{"sandbox": {"pool": 7, "maxSessions": 3}}',
    },
    env,
  );
  const { config, sources } = await loadConfig(flags, host);
  expect(config.sandbox.pool).toBe(pool);
  expect(config.sandbox.maxSessions).toBe(kinds.length === 2 ? 3 : 8);
  expect(sources.map((source) => source.kind)).toEqual(kinds);
});

test('a flag wins over an environment variable, which wins over a file', async () => {
  const host = fakeHost({ [USER]: '{"dataDir": "/from/file"}' });
  const env = { CODE_EXECUTION_DATA_DIR: '/from/env' };
  const dataDirs = [
    (await loadConfig({}, host)).config.dataDir,
    (await loadConfig({}, { ...host, env })).config.dataDir,
    (await loadConfig({ dataDir: '/from/flag' }, { ...host, env })).config.dataDir,
  ];
  expect(dataDirs).toEqual(['/from/file', '/from/env', '/from/flag']);
});

test('CODE_EXECUTION_CACHE_DIR moves the cache', async () => {
  const host = fakeHost({}, { CODE_EXECUTION_CACHE_DIR: 'kept' });
  expect((await loadConfig({}, host)).config.cacheDir).toBe(join(host.cwd, 'kept'));
});

test.each([
  ['relative to the folder of its file', '{"dataDir": "data"}', (root: string) => `${root}/conf/data`],
  ['in the home folder', '{"dataDir": "~/data"}', (root: string) => `${root}/home/data`],
  ['absolute', '{"dataDir": "/data"}', () => '/data'],
])('dataDir %s', async (_, text, expected) => {
  const host = fakeHost({ 'conf/c.json': text });
  expect((await loadConfig({ config: '../conf/c.json' }, host)).config.dataDir).toBe(expected(host.root));
});

test('a variable may stand for a number', async () => {
  const host = fakeHost(
    { [PROJECT]: '{"sandbox": {"pool": "${POOL}", "timeoutSeconds": "${T:-2.5}"}}' },
    { POOL: '6' },
  );
  const { sandbox } = (await loadConfig({}, host)).config;
  expect([sandbox.pool, sandbox.timeoutSeconds]).toEqual([6, 2.5]);
});

test('a lowered maximum also holds for runs that name no time', async () => {
  const host = fakeHost({ [PROJECT]: '{"sandbox": {"maxTimeoutSeconds": 10}}' });
  expect((await loadConfig({}, host)).config.sandbox.timeoutSeconds).toBe(10);
});

test('unknown keys and keys of later versions are warnings with their place', async () => {
  const host = fakeHost({
    [PROJECT]: [
      '{ "sandbox": { "memoryMB": 1, "processes": 0 },',
      '  "skills": { "dri": "x" },',
      '  "privcy": {}, "timeoutSeconds": 3, "__proto__": { "x": 1 }, "wholly-different": 1 }',
    ].join('\n'),
  });
  const file = join(host.root, PROJECT);
  const { warnings, config } = await loadConfig({}, host);
  expect(warnings).toEqual([
    `${file}:1: unknown key "sandbox.memoryMB"; ignored; did you mean "sandbox.memoryMb"?`,
    `${file}:1: "sandbox.processes" is not supported by this version yet; ignored`,
    `${file}:2: unknown key "skills.dri"; ignored; did you mean "skills.dir"?`,
    `${file}:3: unknown key "privcy"; ignored; did you mean "privacy"?`,
    `${file}:3: unknown key "timeoutSeconds"; ignored; did you mean "sandbox.timeoutSeconds"?`,
    `${file}:3: unknown key "__proto__"; ignored`,
    `${file}:3: unknown key "wholly-different"; ignored`,
  ]);
  expect('x' in config).toBe(false);
});

test('all problems are told at once, each with its place, what was found and what is valid', async () => {
  const host = fakeHost(
    {
      'c.json': [
        '{ "sandbox": { "backend": "nativ", "builtins": "lax", "timeoutSeconds": "fast",',
        '    "memoryMb": 32, "pool": 1.5, "maxSessions": null, "workspaceMb": [1] },',
        '  "output": 7, "dataDir": "/x/${MISSING}", "logLevel": "${LOUD_TOKEN}" }',
      ].join('\n'),
    },
    { LOUD_TOKEN: 'hunter22' },
  );
  const file = join(host.root, 'c.json');
  const loading = loadConfig({ config: file, backend: 'docker' }, host);
  await expect(loading).rejects.toMatchObject({
    code: 'config_error',
    hint: 'correct it, then check with: code-execution-mcp config check',
    message: [
      '11 problems in the configuration:',
      `- ${file}:3: output: found 7, valid: an object`,
      `- ${file}:1: sandbox.backend: found "nativ", valid: "auto", "native", "wasm"`,
      `- ${file}:1: sandbox.builtins: found "lax", valid: "restricted", "strict"`,
      `- ${file}:1: sandbox.timeoutSeconds: found "fast", valid: a number from 0.1 to 86400`,
      `- ${file}:2: sandbox.memoryMb: found 32, valid: a whole number from 64 to 4096`,
      `- ${file}:2: sandbox.pool: found 1.5, valid: a whole number from 0 to 16`,
      `- ${file}:2: sandbox.maxSessions: found null, valid: a whole number from 1 to 100`,
      `- ${file}:2: sandbox.workspaceMb: found [1], valid: a whole number from 1 to 1048576`,
      `- ${file}:3: dataDir: the environment variable MISSING is not set: set it, or write \${MISSING:-default}`,
      `- ${file}:3: logLevel: found "\${LOUD_TOKEN}", valid: "silent", "error", "warn", "info", "debug"`,
      '- --backend: sandbox.backend: found "docker", valid: "auto", "native", "wasm"',
    ].join('\n'),
  });
});

test('a time above the maximum names both places', async () => {
  const host = fakeHost({
    [USER]: '{"sandbox": {"maxTimeoutSeconds": 60}}',
    [PROJECT]: '{"sandbox": {"timeoutSeconds": 90}}',
  });
  expect((await inspectConfig({}, host)).problems).toEqual([
    {
      place: `${join(host.root, PROJECT)}:1`,
      key: 'sandbox.timeoutSeconds',
      message: `found 90, more than sandbox.maxTimeoutSeconds (60, ${join(host.root, USER)}:1)`,
    },
  ]);
});

test.each([
  ['{"sandbox": {"pool": 1}', 'the file is no valid JSON: close brace expected'],
  ['{"sandbox": {"pool": 1 "a"}}', 'the file is no valid JSON: comma expected'],
  ['', 'the file is no valid JSON: value expected'],
  ['[1]', 'the file must hold one JSON object'],
  ['[['.repeat(100_000), 'the file is nested too deeply'],
])('a file that holds %.30s is a problem', async (text, message) => {
  const host = fakeHost({ [PROJECT]: text });
  const { problems } = await inspectConfig({}, host);
  expect(problems.map((problem) => problem.message)).toEqual([message]);
});

test('a file that was named and is not there is a problem, for the flag and for the variable', async () => {
  const host = fakeHost({}, { CODE_EXECUTION_CONFIG: 'b.json' });
  const found = [await inspectConfig({ config: 'a.json' }, host), await inspectConfig({}, host)];
  expect(found.map(({ problems }) => problems)).toEqual([
    [{ place: '--config', message: `there is no file ${join(host.cwd, 'a.json')}` }],
    [{ place: 'CODE_EXECUTION_CONFIG', message: `there is no file ${join(host.cwd, 'b.json')}` }],
  ]);
});

test('a configuration that is a folder, or not text, is a problem', async () => {
  const host = fakeHost();
  mkdirSync(join(host.root, PROJECT));
  const bad = join(host.cwd, 'bad.json');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(bad, Buffer.from([0x7b, 0xff, 0x7d]));
  const found = [await inspectConfig({}, host), await inspectConfig({ config: bad }, host)];
  expect(found.flatMap(({ problems }) => problems)).toEqual([
    { place: 'project file', message: `${join(host.root, PROJECT)} is no regular file` },
    { place: '--config', message: `${bad} is not UTF-8 text` },
  ]);
});

const OUTSIDE =
  'a project file may only name a folder inside its own; use --data-dir or the user configuration';

test.each([
  ['an absolute path', '/var/data'],
  ['a path that climbs', 'a/../../elsewhere'],
  ['the home folder', '~/data'],
  ['a link that leads out', 'link/data'],
  ['a sibling whose name begins alike', '../project2'],
])('a project file may not move data outside the project by %s', async (_, dataDir) => {
  const host = fakeHost({ [PROJECT]: JSON.stringify({ dataDir }) });
  symlinkSync(host.home, join(host.cwd, 'link'));
  const { problems } = await inspectConfig({}, host);
  expect(problems).toEqual([{ place: `${join(host.root, PROJECT)}:1`, key: 'dataDir', message: OUTSIDE }]);
});

test('a project file may keep data inside the project', async () => {
  const host = fakeHost({ [PROJECT]: '{"dataDir": "..data/deep"}' });
  expect((await loadConfig({}, host)).config.dataDir).toBe(join(host.cwd, '..data/deep'));
});

test('a project file may make the builtins stricter and not laxer than the user has them', async () => {
  const strict = '{"sandbox": {"builtins": "strict"}}';
  const lax = '{"sandbox": {"builtins": "restricted"}}';
  const stricter = await inspectConfig({}, fakeHost({ [USER]: lax, [PROJECT]: strict }));
  expect(stricter.loaded?.config.sandbox.builtins).toBe('strict');
  const host = fakeHost({ [USER]: strict, [PROJECT]: lax });
  const laxer = await inspectConfig({}, host);
  expect(laxer.problems).toEqual([
    {
      place: `${join(host.root, PROJECT)}:1`,
      key: 'sandbox.builtins',
      message: `found "restricted", but ${join(host.root, USER)}:1 sets "strict", and a project file may not change that`,
    },
  ]);
});

test('a project file of another user is refused', async (context) => {
  const host = fakeHost({ [PROJECT]: '{}' });
  const owner = process.getuid?.();
  if (owner === undefined || owner === 0) {
    const { chownSync } = await import('node:fs');
    if (owner === undefined) return context.skip('this system has no owners of files');
    chownSync(join(host.root, PROJECT), 4242, 4242);
  }
  const { problems } = await inspectConfig({}, { ...host, uid: 4243 });
  expect(problems).toEqual([
    {
      place: join(host.root, PROJECT),
      message: `the file belongs to another user (uid ${owner || 4242}); if you trust it, start with --config .code-execution.json`,
    },
  ]);
});

test('what is shown hides secrets and tells where each value comes from', async () => {
  const host = fakeHost(
    { [PROJECT]: '{\n"dataDir": "d/${API_TOKEN}",\n"sandbox": {"pool": "${POOL_KEY}"}}' },
    { API_TOKEN: 'hunter22', POOL_KEY: '9', CODE_EXECUTION_CACHE_DIR: '/cache' },
  );
  const { shown, config } = await loadConfig({ logLevel: 'debug' }, host);
  const file = join(host.root, PROJECT);
  expect(config.dataDir).toBe(join(host.cwd, 'd/hunter22'));
  const byKey = new Map(shown.map(({ key, value, place }) => [key, `${value} ${place}`]));
  expect(byKey.get('dataDir')).toBe(`${JSON.stringify(join(host.cwd, 'd/***'))} ${file}:2`);
  expect(byKey.get('sandbox.pool')).toBe(`"***" ${file}:3`);
  expect(byKey.get('logLevel')).toBe('"debug" --log-level');
  expect(byKey.get('output.maxChars')).toBe('8000 default');
  expect(byKey.get('cacheDir')).toBe('"/cache" CODE_EXECUTION_CACHE_DIR');
  rmSync(host.root, { recursive: true });
});
