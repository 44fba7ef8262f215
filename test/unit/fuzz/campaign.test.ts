import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { runBatch, type Target } from '../../../fuzz/support/campaign.mjs';
import { work } from '../../../fuzz/support/crew.mjs';
import { mutated } from '../../../fuzz/support/mutate-bytes.mjs';
import { Random } from '../../../fuzz/support/random.mjs';
import { open as openFrames } from '../../../fuzz/targets/frames.mjs';
import { PROJECT_ROOT } from '../../support/project-root.js';

const refuses13: Target<number> = {
  promise: 'no number is 13 or more',
  runs: 1,
  input: fc.nat(1_000),
  check: (number) => {
    if (number >= 13) throw new Error('13 or more');
  },
};

test('a broken promise is found, with the smallest input that breaks it and a seed that finds it again', async () => {
  const { crash } = await runBatch(refuses13, { seed: 5, runs: 200 });
  expect(crash).toMatchObject({ seed: 5, input: '13' });
  expect(crash?.error).toContain('13 or more');
  expect(await runBatch(refuses13, { seed: 5, runs: 200 })).toMatchObject({ crash: { input: '13' } });
});

test('the fast loop finds it as well, and makes it small by its own steps', async () => {
  const fast = {
    make: (random: Random) => random.below(1_000),
    smaller: (number: number) => [number >> 1, number - 1],
  };
  const { crash, cases } = await runBatch({ ...refuses13, fast }, { seed: 5, runs: 200 });
  expect([crash?.input, cases < 200]).toEqual(['13', true]);
  const promising = { ...refuses13, check: () => 3, fast };
  expect(await runBatch(promising, { seed: 5, runs: 200 })).toEqual({ cases: 200, examined: 600 });
});

test('equal seeds give equal bytes, and mutations leave the original alone', () => {
  const original = Buffer.from('{"type":"folder","path":"a"}');
  const series = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 200 }, () => mutated(random, original, original).toString('latin1'));
  };
  expect(series(1)).toEqual(series(1));
  expect(series(2)).not.toEqual(series(1));
  expect(new Set(series(1)).size).toBeGreaterThan(120);
  expect(original.toString()).toBe('{"type":"folder","path":"a"}');
});

test('the frames of the fast loop reach both sides: frames that are taken, and violations', async () => {
  const { fast } = await openFrames();
  const random = new Random(1);
  let taken = 0;
  let refused = 0;
  const { FrameReader } = await import('../../../src/wire/frames.js');
  for (let at = 0; at < 500; at++) {
    try {
      taken += new FrameReader().push(fast?.make(random).bytes ?? Buffer.alloc(0)).length;
    } catch {
      refused++;
    }
  }
  expect(taken).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(50);
});

/** A process in place of a worker that speaks to its parent, then does as it is told. */
function worker(end: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-crew-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'worker.mjs');
  writeFileSync(file, `process.send({ begin: { seed: 9, runs: 50 } });\n${end}\n`);
  return file;
}

const JOB = { target: 'x', seed: 1, runs: 1, seconds: 0 };

test.each([
  ['dies', 'process.kill(process.pid, "SIGSEGV");', 'ended with SIGSEGV'],
  ['throws outside of the check', 'setTimeout(() => { throw new Error("late"); }, 1);', 'late'],
])('a process that %s is a crash, with the seed of what it did', async (_what, end, words) => {
  const { crashes } = await work(JOB, { worker: worker(end) });
  expect(crashes).toMatchObject([{ seed: 9, input: 'among the first 50 of the seed' }]);
  expect(crashes[0]?.error).toContain(words);
});

test('a process that hangs is killed, and is a crash', async () => {
  const { crashes } = await work(JOB, { worker: worker('for (;;);'), hangMs: 1_000 });
  expect(crashes).toMatchObject([{ seed: 9, error: expect.stringContaining('said nothing for 1 s') }]);
});

test('a process that ends well counts what it did', async () => {
  const end = 'process.send({ end: { cases: 7, examined: 21 } }, () => process.exit(0));';
  expect(await work(JOB, { worker: worker(end) })).toMatchObject({ cases: 7, examined: 21, crashes: [] });
});

test('a worker of the project runs its target for as many inputs as it is told', async () => {
  const target = { ...JOB, target: 'results', runs: 60 };
  const file = path.join(PROJECT_ROOT, 'fuzz', 'worker.mjs');
  expect(await work(target, { worker: file })).toMatchObject({ cases: 60, crashes: [] });
});
