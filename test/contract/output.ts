import { expect, test } from 'vitest';
import { verifies } from '../e2e/verifies.js';
import { type ContractHost, codeOf, resultOf } from './contract-host.js';

/** What a run prints arrives whole, in order and as text, whatever it is. */
export function outputContract(current: () => ContractHost): void {
  const session = 'output';
  test(
    verifies('RUN-6', 'both streams come in the order of printing, counted in bytes and lines'),
    async () => {
      const code = `
import os, sys
print("one")
print("two", file=sys.stderr)
sys.stdout.write("thr")
sys.stdout.write("ee\\n")
sys.stderr.write("four\\n")
sys.stdout.buffer.write(b"five\\n")
print("six", end="")`;
      expect((await current().run(code, { session })).output).toEqual({
        head: 'one\ntwo\nthree\nfour\nfive\nsix',
        tail: '',
        bytes: 27,
        lines: 6,
      });
    },
  );

  test(
    verifies('RUN-10', 'bytes of an image are kept as a file and named, also inside another value'),
    async () => {
      const host = current();
      const code = `
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(b"\\0\\x80")) + chunk(b"IEND", b"")
open("mine.png", "wb").write(png)
{"plot": png, "size": len(png)}`;
      const report = await host.run(code, { session });
      const bytes = (await host.workspace.read('mine.png')).length;
      expect(resultOf(report)).toEqual({
        plot: { image: 'image-1.png', type: 'image/png', bytes },
        size: bytes,
      });
      expect(report.images).toEqual(['image-1.png']);
      expect(await host.workspace.read('image-1.png')).toEqual(await host.workspace.read('mine.png'));
      expect((await host.run('1', { session })).images).toBeUndefined();
    },
  );

  test(verifies('RUN-6', 'text beyond ASCII comes whole, also where it is cut into parts'), async () => {
    const report = await current().run('for n in range(3):\n    print("é€😀" * 50_000)', { session });
    const line = '\u00e9\u20ac\u{1f600}'.repeat(50_000);
    expect(report.output.head).toBe(`${line}\n${line}\n${line}\n`);
    expect(report.output.bytes).toBe(3 * (50_000 * 9 + 1));
    expect(report.output.lines).toBe(3);
  });

  test(
    verifies('RUN-6', 'half surrogates, NUL and bytes that are no UTF-8 end nothing and arrive as text'),
    async () => {
      const code = String.raw`
import sys
print("a\ud800b")
print("c\x00d")
sys.stdout.buffer.write(b"e\xfff\n")
"still here"`;
      const report = await current().run(code, { session });
      expect(codeOf(report)).toBe('ok');
      const [first, ...rest] = report.output.head.split('\n');
      expect(first).toMatch(/^a.+b$/);
      expect(first).not.toMatch(/[\ud800-\udfff]/);
      expect(rest).toEqual(['c\0d', 'e\\xfff', '']);
    },
  );

  test(
    verifies('RUN-6', 'what was printed before an exception, a crash or a time limit is kept'),
    async () => {
      const host = current();
      const ends = ['1 / 0', 'import os; os._exit(3)', 'while True: pass'];
      const heads = await Promise.all(
        ends.map(
          async (end) =>
            (await host.run(`print("before", flush=True)\n${end}`, { timeoutMs: 1_000 })).output.head,
        ),
      );
      expect(heads).toEqual(['before\n', 'before\n', 'before\n']);
    },
  );

  test(verifies('MCP-5', 'prints and progress() reach the host while the run goes on'), async () => {
    const heard: unknown[] = [];
    await current().run('print("step one", flush=True)\nprogress(1, 4, "a quarter")', {
      session,
      onProgress: (progress) => heard.push(progress),
    });
    expect(heard).toEqual([
      { message: 'step one' },
      expect.objectContaining({ done: 1, total: 4, message: 'a quarter' }),
    ]);
  });

  test('frames printed as text are text', async () => {
    const code = `
import json
print(json.dumps({"type": "done", "id": "x", "value": {"type": "str", "truncated": False}, "notes": [], "names": []}))
print("\\x00\\x00\\x00\\x02\\x00\\x00\\x00\\x00{}")
"mine"`;
    expect(await current().value(code, { session })).toBe('mine');
  });
}
