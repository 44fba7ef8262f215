import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.js';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { fakeHost } from '../config/fake-host.js';
import { fakeContext } from './fake-context.js';

/** Times vary from run to run. */
const steady = (text: string) => text.replace(/\d+ ms/g, 'N ms');

test('doctor shows the parts, a real start and run, and each layer, and exits with 0', async () => {
  const host = fakeHost({}, { CODE_EXECUTION_DATA_DIR: '/data', CODE_EXECUTION_CACHE_DIR: '/cache' });
  const context = fakeContext(host, {
    app: {
      sandboxParts: () => Promise.resolve([{ name: 'deno', ok: true, detail: '2.9.6, /opt/deno' }]),
      sandboxInfo: () =>
        Promise.resolve({
          name: 'wasm',
          python: '3.14.2',
          isolation: 'a Deno process without permissions',
          layers: [
            { name: 'permissions', active: true, detail: 'reads the runtime only' },
            { name: 'bubblewrap', active: false, detail: 'not installed: apt install bubblewrap' },
          ],
        }),
    },
  });
  expect(await runCommandLine(['doctor'], context)).toBe(0);
  expect(steady(context.out())).toBe(
    [
      'ok    node               v20.19.0, /usr/bin/node',
      'ok    package            code-execution-mcp 1.2.3',
      'ok    configuration      no file, defaults apply',
      'ok    data               /data',
      'ok    cache              /cache',
      'ok    deno               2.9.6, /opt/deno',
      'ok    sandbox            wasm, Python 3.14.2, ready in N ms',
      'ok    run                1 + 1 answered in N ms',
      '      isolation          a Deno process without permissions',
      'on    permissions        reads the runtime only',
      'off   bubblewrap         not installed: apt install bubblewrap',
      '',
    ].join('\n'),
  );
  expect(context.events).toEqual(['run 1 + 1 {}', 'close']);
});

test('doctor names a missing part with the next step, and exits with 1 when no sandbox starts', async () => {
  const unavailable = new CodeExecutionError('backend_unavailable', 'no deno binary', 'npm install');
  const context = fakeContext(fakeHost(), {
    app: {
      sandboxParts: () =>
        Promise.resolve([{ name: 'deno', ok: false, detail: 'not found', next: 'npm install' }]),
      sandboxInfo: () => Promise.reject(unavailable),
    },
  });
  expect(await runCommandLine(['doctor'], context)).toBe(1);
  expect(context.out().split('\n').slice(-3)).toEqual([
    'FAIL  deno               not found; next: npm install',
    'FAIL  sandbox            no deno binary (backend_unavailable); next: npm install',
    '',
  ]);
});

test('doctor exits with 1 when the sandbox starts and cannot add', async () => {
  const answer = { text: 'failed · crashed\nmore', structured: {}, exit: 'failed' } as const;
  const context = fakeContext(fakeHost(), { answer });
  expect(await runCommandLine(['doctor'], context)).toBe(1);
  expect(steady(context.out())).toContain(
    'FAIL  run                1 + 1 failed in N ms: failed · crashed\n',
  );
});

test('doctor says before the wait that the runtime has to be prepared', async () => {
  let before = '';
  const context = fakeContext(fakeHost(), {
    app: {
      sandboxParts: () =>
        Promise.resolve([{ name: 'runtime', ok: true, detail: 'not prepared yet', pending: true }]),
      sandboxInfo: () => {
        before = context.out();
        return Promise.resolve({ name: 'wasm', python: '3.14.2', isolation: 'a process', layers: [] });
      },
    },
  });
  expect(await runCommandLine(['doctor'], context)).toBe(0);
  expect(before).toContain('preparing the sandbox runtime (once, a few seconds) ...\n');
});

test('the names of all layers fit the column', async () => {
  const context = fakeContext(fakeHost(), {
    app: {
      sandboxInfo: () =>
        Promise.resolve({
          name: 'wasm',
          python: '3.14.2',
          isolation: 'a process',
          layers: [{ name: 'dies-with-server', active: true, detail: 'ends with it' }],
        }),
    },
  });
  await runCommandLine(['doctor'], context);
  expect(context.out()).toContain('\non    dies-with-server   ends with it\n');
});

test('doctor names every server with its tools or its problem, and exits with 1 if one has a problem', async () => {
  const state = { category: 'c', tools: [], isRegistry: false };
  const tool = { signature: 'hub.a()', verdict: 'allow', reason: '' } as const;
  const context = fakeContext(fakeHost(), {
    app: {
      servers: () =>
        Promise.resolve([
          { ...state, name: 'hub', tools: [tool] },
          { ...state, name: 'dead', problem: 'ended (exit code 3)' },
          { ...state, name: 'shelf', isRegistry: true },
        ]),
    },
  });
  expect(await runCommandLine(['doctor'], context)).toBe(1);
  expect(context.out().split('\n').slice(-3)).toEqual([
    'ok    server hub         1 tool',
    'FAIL  server dead        ended (exit code 3)',
    '',
  ]);
});
