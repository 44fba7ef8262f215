import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ContractHost, codeOf, GRACE_MS } from '../contract/contract-host.js';
import { verifies } from '../e2e/verifies.js';
import { needs } from '../support/capabilities.js';
import { BAD_PATHS, BROKEN_FRAMES } from './bad-frames.js';
import { NATIVE_FORGER } from './forger.js';
import { NativeTarget } from './native-walls.js';

const MIB = 1024 * 1024;
const SECRET = 'CNRY-outside-the-workspace';

/** As forged-frames.test.ts, for code in the native jail: it can speak for its worker, and for nobody else. */
needs('linux', 'bubblewrap', 'python3').describe('frames that code forges in the native jail', () => {
  let target: NativeTarget;
  let host: ContractHost;
  let outside: string;
  const forge = (code: string, session = 'forger', timeoutMs = 10_000) =>
    host.run(`${NATIVE_FORGER}\n${code}`, { session, timeoutMs });

  beforeAll(async () => {
    target = new NativeTarget();
    host = target.host;
    await host.write('mine.txt', 'mine');
    outside = path.join(host.folder, '..', '..', 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'secret.txt'), SECRET);
  });
  afterAll(() => target[Symbol.asyncDispose]());

  test.each(BROKEN_FRAMES)(verifies('LIMIT-7', '%s is answered as crashed'), async (_what, code) => {
    const report = await forge(`${code}\nimport time\ntime.sleep(9)\n"survived"`);
    expect(report.outcome).toMatchObject({ kind: 'crashed', error: { code: 'crashed' } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(BAD_PATHS)(
    verifies(['BAD-5', 'WALL-1'], 'no file is written, made or removed as %s'),
    async (name) => {
      const frames = `
frame({"type": "file", "path": "${name}", "offset": 0, "last": True}, b"forged")
frame({"type": "remove", "path": "${name}"})
frame({"type": "folder", "path": "${name}"})
1`;
      expect(['path_denied', 'bad_name']).toContain(codeOf(await forge(frames)));
      expect(readdirSync(outside)).toEqual(['secret.txt']);
      expect(readFileSync(path.join(outside, 'secret.txt'), 'utf8')).toBe(SECRET);
      expect(existsSync(path.join(host.folder, '..', 'out'))).toBe(false);
      expect((await host.workspace.list()).map((entry) => entry.path)).toEqual(['mine.txt']);
    },
  );

  test.each([...BAD_PATHS, 'absent.txt', '__proto__', '../../outside/secret.txt'])(
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

  test('of two answers the first counts, and the second harms nobody', async () => {
    const code = `
import gc
for request in [o for o in gc.get_objects() if type(o).__name__ == "RunRequest"]:
    for text in (b'{"__proto__": {"polluted": 1}}', b'"second"'):
        frame({"type": "done", "id": request.id, "value": {"type": "dict", "truncated": False}, "notes": [],
               "variables": [], "names": ["__proto__"]}, text)
"honest"`;
    const report = await forge(code);
    expect(report.outcome).toMatchObject({ value: { json: '{"__proto__": {"polluted": 1}}' } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await host.value('20 + 22')).toBe(42);
  });

  test(
    verifies('SESSION-2', 'a session that speaks between two runs is closed, says so once, and works again'),
    async () => {
      const session = 'talkative';
      const speak = 'frame({"type": "out", "stream": "stdout"}, b"still here")';
      const code = `import threading\nthreading.Timer(0.3, lambda: ${speak}).start()`;
      expect((await forge(code, session)).outcome.kind).toBe('value');
      await expect
        .poll(() => host.run('1', { session }).then(codeOf, (error: unknown) => error), {
          timeout: 5_000,
          interval: 400,
        })
        .toMatchObject({ code: 'session_broken' });
      expect(await host.value('20 + 22', { session })).toBe(42);
    },
  );

  test(
    verifies('LIMIT-1', 'a thread that steals the next run from the channel costs its own session its time'),
    async () => {
      const session = 'thief';
      const code =
        'import threading\ndef take():\n    while True: steal(1000)\nthreading.Thread(target=take, daemon=True).start()';
      await forge(code, session);
      const started = performance.now();
      const report = await host.run('1 + 1', { session, timeoutMs: 500 });
      expect(['ok', 'timeout', 'crashed']).toContain(codeOf(report));
      expect(performance.now() - started).toBeLessThan(500 + GRACE_MS);
      expect(await host.value('20 + 22')).toBe(42);
    },
  );

  test.each<[string, string, readonly string[]]>([
    ['empty prints', 'while True: frame({"type": "out", "stream": "stdout"})', ['timeout']],
    ['progress', 'while True: frame({"type": "progress", "done": 1, "message": "x" * 900})', ['timeout']],
    [
      'reads whose answer nobody takes',
      'while True: frame({"type": "read", "id": 1, "path": "mine.txt", "ahead": []})',
      ['timeout'],
    ],
    ['removals', 'while True: frame({"type": "remove", "path": "absent/" + "x" * 200})', ['timeout']],
    [
      'the same file again and again',
      'while True: frame({"type": "file", "path": "again", "offset": 0, "last": True}, b"x" * 100_000)',
      ['timeout'],
    ],
  ])(
    verifies('LIMIT-4', 'a flood of %s is answered in time and held within 200 MB'),
    async (_what, code, expected) => {
      let peak = 0;
      const before = process.memoryUsage().rss;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss - before);
      }, 20);
      const started = performance.now();
      const report = await forge(code, 'flood', 1_000);
      clearInterval(watch);
      expect(performance.now() - started).toBeLessThan(1_000 + GRACE_MS);
      expect(expected).toContain(codeOf(report));
      expect(peak).toBeLessThan(200 * MIB);
    },
  );
});
