import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { ContractHost, codeOf } from '../contract/contract-host.js';
import { verifies } from '../e2e/verifies.js';
import { needs } from '../support/capabilities.js';
import { BAD_PATHS, BROKEN_FRAMES } from './bad-frames.js';
import { FORGER, leaveThread } from './forger.js';
import { guestBehind } from './walls.js';

/** The code of a run can speak for its worker. Whatever it says, the host and everybody else are well. */
const MIB = 1024 * 1024;
const SECRET = 'CNRY-outside-the-workspace';
let sandbox: Sandbox;
let host: ContractHost;
let outside: string;

beforeAll(async () => {
  sandbox = await guestBehind('all walls');
  host = new ContractHost(sandbox);
  await host.write('mine.txt', 'mine');
  outside = path.join(host.folder, '..', '..', 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'secret.txt'), SECRET);
}, 180_000);

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const forge = (code: string, session = 'forger', timeoutMs = 10_000) =>
  host.run(`${FORGER}\n${code}`, { session, timeoutMs });

// More bad frames: test/unit/wire/frames.test.ts.
describe('a worker that breaks the protocol is stopped', () => {
  test.each<[string, string]>(BROKEN_FRAMES)(
    verifies('LIMIT-7', '%s is answered as crashed'),
    async (_what, code) => {
      const report = await forge(`${code}\nimport time\ntime.sleep(9)\n"survived"`);
      expect(report.outcome).toMatchObject({ kind: 'crashed', error: { code: 'crashed' } });
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  test('and the next run is right', async () => {
    expect(await host.value('20 + 22')).toBe(42);
  });
});

describe('paths in frames', () => {
  test.each(BAD_PATHS)(verifies(['BAD-5', 'WALL-1'], 'no file is written as %s'), async (name) => {
    const report = await forge(
      `frame({"type": "file", "path": "${name}", "offset": 0, "last": True}, b"forged")\n1`,
    );
    expect(['path_denied', 'bad_name']).toContain(codeOf(report));
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(existsSync(path.join(host.folder, '..', 'out'))).toBe(false);
    expect((await host.workspace.list()).map((entry) => entry.path)).toEqual(['mine.txt']);
  });

  test.each(BAD_PATHS)(verifies(['BAD-5', 'WALL-1'], 'nothing is removed as %s'), async (name) => {
    const report = await forge(
      `frame({"type": "remove", "path": "${name}"})\nframe({"type": "folder", "path": "${name}"})\n1`,
    );
    expect(['path_denied', 'bad_name']).toContain(codeOf(report));
    expect(readFileSync(path.join(outside, 'secret.txt'), 'utf8')).toBe(SECRET);
    expect(await host.read('mine.txt')).toBe('mine');
  });

  test.each([...BAD_PATHS, 'absent.txt', '__proto__', 'constructor', '../../outside/secret.txt'])(
    verifies(['BAD-5', 'WALL-1'], 'nothing is read as %s'),
    async (name) => {
      const report = await forge(`
frame({"type": "read", "id": 77, "path": "${name}", "ahead": ["${name}", "/etc/passwd"]})
answer = steal(100_000)
print(answer)
b'"id":77,"ok":false' in answer`);
      expect(report.outcome).toMatchObject({ kind: 'value', value: { json: 'true' } });
      expect(report.output.head).not.toMatch(/CNRY-|root:/);
    },
  );

  needs('linux').test(
    verifies('WALL-5', 'a link in the workspace is neither read, nor written through, nor listed'),
    async () => {
      symlinkSync(path.join(outside, 'secret.txt'), path.join(host.folder, 'link'));
      symlinkSync(outside, path.join(host.folder, 'folder-link'));
      try {
        const report = await forge(
          `
import os
tried = []
for name in ("link", "folder-link/secret.txt", "./link", "/workspace/link"):
    try: tried.append(open(name).read())
    except OSError as error: tried.append(type(error).__name__)
for name in ("link", "folder-link/secret.txt"):
    frame({"type": "read", "id": 5, "path": name, "ahead": [name]})
    tried.append('"ok":false' in steal(100_000).decode("utf-8", "replace"))
    frame({"type": "file", "path": name, "offset": 0, "last": True}, b"forged")
    frame({"type": "remove", "path": name})
print(tried, os.listdir())`,
          'linked',
        );
        expect(report.output.head).toBe(
          `${"['FileNotFoundError', 'FileNotFoundError', 'FileNotFoundError', 'FileNotFoundError', True, True] ['mine.txt']"}\n`,
        );
        expect(codeOf(report)).toBe('path_denied');
        expect(readFileSync(path.join(outside, 'secret.txt'), 'utf8')).toBe(SECRET);
        expect(readdirSync(outside)).toEqual(['secret.txt']);
      } finally {
        await import('node:fs/promises').then(({ rm }) =>
          Promise.all(['link', 'folder-link'].map((name) => rm(path.join(host.folder, name)))),
        );
      }
    },
  );
});

describe('forged answers', () => {
  test('a done for another run changes nothing', async () => {
    const code = `
frame({"type": "done", "id": "0123abcd", "value": {"type": "str", "truncated": False}, "notes": [], "variables": [], "names": []}, b'"forged"')
"mine"`;
    expect((await forge(code)).outcome).toMatchObject({ value: { json: '"mine"' } });
  });

  test('of two answers the first counts, and the second harms nobody', async () => {
    // The id of the run is in the worker's memory, so the code can find it.
    const code = `
import gc
for request in [o for o in gc.get_objects() if type(o).__name__ == "RunRequest"]:
    for text in (b'{"__proto__": {"polluted": 1}}', b'"second"'):
        frame({"type": "done", "id": request.id, "value": {"type": "dict", "truncated": False}, "notes": [],
               "variables": [{"name": "__proto__", "type": "constructor"}], "names": ["__proto__", "constructor"]}, text)
"honest"`;
    const report = await forge(code);
    expect(report.outcome).toMatchObject({
      kind: 'value',
      value: { json: '{"__proto__": {"polluted": 1}}' },
    });
    expect(report.variables).toEqual([{ name: '__proto__', type: 'constructor' }]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await host.value('20 + 22')).toBe(42);
  });

  test(
    verifies('SESSION-2', 'a session that speaks between two runs is closed, says so once, and works again'),
    async () => {
      const session = 'talkative';
      expect((await forge(leaveThread('say("still here")'), session)).outcome.kind).toBe('value');
      const told = await expect.poll(
        () => host.run('1', { session }).then(codeOf, (error: unknown) => error),
        { timeout: 20_000, interval: 400 },
      );
      await told.toMatchObject({ code: 'session_broken' });
      expect(await host.value('20 + 22', { session })).toBe(42);
    },
  );

  test('a thread that a fresh run leaves behind is gone with its process', async () => {
    const report = await host.run(`${FORGER}\n${leaveThread('for (;;) {}')}`);
    expect(report.outcome.kind).toBe('value');
    expect((await host.workers.at(-1)?.exited)?.reason).toBe('killed');
  });

  test(
    verifies('LIMIT-1', 'a thread that steals the next run from the channel costs its own session its time'),
    async () => {
      const session = 'thief';
      await forge(leaveThread('for (;;) Deno.stdin.readSync(new Uint8Array(1000))'), session);
      await new Promise((resolve) => setTimeout(resolve, 400));
      const report = await host.run('1 + 1', { session, timeoutMs: 500 });
      expect(['ok', 'timeout', 'crashed']).toContain(codeOf(report));
      expect(await host.value('20 + 22')).toBe(42);
    },
  );
});

// None of them ends by itself.
describe('floods are stopped and held within 200 MB', () => {
  const big = 20 * MIB;
  beforeAll(async () => {
    await host.write('big.bin', Buffer.alloc(big, 1));
  });

  test.each<[string, string, readonly string[]]>([
    ['empty prints', 'while True: frame({"type": "out", "stream": "stdout"})', ['timeout']],
    [
      'prints of one byte',
      'f = (31).to_bytes(4, "big") + (1).to_bytes(4, "big") + b\'{"type":"out","stream":"stdout"}\'[:31] + b"x"\nwhile True: frame({"type": "out", "stream": "stdout"}, b"x")',
      ['timeout', 'output_limit'],
    ],
    ['progress', 'while True: frame({"type": "progress", "done": 1, "message": "x" * 900})', ['timeout']],
    [
      'reads whose answer nobody takes',
      'while True: frame({"type": "read", "id": 1, "path": "big.bin", "ahead": []})',
      ['timeout'],
    ],
    [
      'reads ahead of one large file',
      'while True: frame({"type": "read", "id": 1, "path": "mine.txt", "ahead": ["big.bin"] * 256})',
      ['timeout'],
    ],
    [
      'reads of nothing',
      'while True: frame({"type": "read", "id": 1, "path": "absent", "ahead": ["absent"] * 256})',
      ['timeout'],
    ],
    ['removals', 'while True: frame({"type": "remove", "path": "absent/" + "x" * 200})', ['timeout']],
    [
      'the same file again and again',
      'while True: frame({"type": "file", "path": "again", "offset": 0, "last": True}, b"x" * 100_000)',
      ['timeout'],
    ],
    [
      'standard error',
      'data = _to_js(b"CNRE-noise" * 10_000)\nwhile True: js.Deno.stderr.writeSync(data)',
      ['timeout'],
    ],
  ])(verifies('LIMIT-4', '%s'), async (_what, code, expected) => {
    let peak = 0;
    const before = process.memoryUsage().rss;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - before);
    }, 20);
    await host.value('1', { session: 'flood' });
    const report = await forge(code, 'flood', 1_000);
    clearInterval(watch);
    expect(expected).toContain(codeOf(report));
    expect(JSON.stringify(report)).not.toContain('CNRE-');
    expect(peak).toBeLessThan(200 * MIB);
  });

  needs('linux').test(verifies('LIMIT-3', 'memory that JavaScript takes is bounded too'), async () => {
    const code = `
kept = []
while len(kept) < 400:
    block = js.Uint8Array.new(50_000_000)
    block.fill(1)
    kept.append(block)
len(kept)`;
    const report = await forge(code, 'javascript memory', 20_000);
    expect(['memory_limit', 'crashed', 'python_error']).toContain(codeOf(report));
    expect(await host.value('20 + 22')).toBe(42);
  });

  test(verifies('LIMIT-2', 'a loop inside JavaScript is answered as timeout'), async () => {
    await host.value('1', { session: 'js loop' });
    const report = await forge('js.RegExp.new("(a+)+$").test("a" * 64 + "b")', 'js loop', 800);
    expect(codeOf(report)).toBe('timeout');
  });
});
