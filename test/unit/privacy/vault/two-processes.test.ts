import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { AGENT, keptIn, openVaults, reasons, restored } from './open-vaults.js';

const PROGRAM = path.join(import.meta.dirname, 'vault-process.mjs');

type Lot = [token: string, value: string][];

test('two processes on one folder give no token to two values, and a third knows the tokens of both', async () => {
  const kept = keptIn();
  const [a, b] = await Promise.all([run(kept, 'a', 2000).all(), run(kept, 'b', 2000).all()]);
  const all = [...a, ...b];
  expect(all).toHaveLength(4000);
  const values = new Map(all);
  expect(all.filter(([token, value]) => values.get(token) !== value)).toEqual([]);
  const vault = await openVaults(kept).of('anna');
  expect(all.filter(([token, value]) => restored(vault, token) !== value)).toEqual([]);
});

test('after kill -9 in the middle every token that was on disk has its value, and no new value gets an old token', async () => {
  const kept = keptIn();
  const process = run(kept, 'a', 0);
  const lots: Lot[] = [];
  for await (const lot of process.lots()) {
    lots.push(lot);
    if (lots.length === 10) break;
  }
  await process.kill();
  const vault = await openVaults(kept).of('anna');
  const given = lots.flat();
  expect(given.filter(([token, value]) => restored(vault, token) !== value)).toEqual([]);
  const old = new Set(given.map(([token]) => token));
  const fresh = Array.from({ length: 3000 }, (_, n) => vault.tokenOf('USERNAME', `new${n}`, AGENT));
  expect(fresh.filter((token) => old.has(token))).toEqual([]);
});

test('a process learns the tokens of another while both run, and that the other has forgotten them', async () => {
  const kept = keptIn();
  const here = await openVaults(kept).of('anna');
  const own = here.tokenOf('USERNAME', 'mine', AGENT);
  const [[theirs]] = (await run(kept, 'b', 100).all()) as [[string, string]];
  expect(restored(here, theirs)).toBe('shared0');
  const other = openVaults(kept);
  expect(restored(await other.of('anna'), own)).toBe('mine');
  await other.flush();
  await other.forget('anna');
  expect(restored(here, `${own} ${theirs}`)).toBe(`${own} ${theirs}`);
  expect(reasons(here, own)).toEqual(['unknown']);
  expect(here.counts()).toEqual({});
});

function run({ folder, keyFolder }: { folder: string; keyFolder: string }, prefix: string, count: number) {
  const child = spawn(process.execPath, [PROGRAM, folder, keyFolder, prefix, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lots = async function* (): AsyncGenerator<Lot> {
    for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  };
  return {
    lots,
    async all(): Promise<Lot> {
      const all: Lot = [];
      for await (const lot of lots()) all.push(...lot);
      expect(await ended).toEqual([0, null]);
      return all;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
