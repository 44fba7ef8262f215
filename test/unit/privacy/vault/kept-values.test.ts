import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENT, CRM, keptIn, openVaults, reasons, restored } from './open-vaults.js';

const DAY = 24 * 60 * 60 * 1000;

/** Segments of the one principal of a folder. */
function segments(folder: string): string[] {
  const [principal] = readdirSync(folder);
  if (principal === undefined) return [];
  const inside = path.join(folder, principal);
  return readdirSync(inside)
    .filter((name) => name.endsWith('.seg'))
    .sort()
    .map((name) => path.join(inside, name));
}

function allFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
}

/** A segment of a process that is gone. */
function abandon(file: string): void {
  const bytes = readFileSync(file);
  const end = bytes.indexOf(10);
  const header = bytes.toString('latin1', 0, end).replace(/-\d+-/, '-4194999-');
  writeFileSync(file, Buffer.concat([Buffer.from(`${header}\n`, 'latin1'), bytes.subarray(end + 1)]));
}

test('after a restart a token has its value, with type and origins, and the value its token', async () => {
  const kept = keptIn();
  const before = openVaults(kept);
  const vault = await before.of('anna');
  const spellings = ['Ann@x.example', 'ann@x.example', 'a\ud800@x.example'];
  const tokens = spellings.map((value) => vault.tokenOf('EMAIL', value, CRM));
  const number = vault.numberTokenOf('SSN', '1.50', AGENT);
  await before[Symbol.asyncDispose]();
  const after = await openVaults(kept).of('anna');
  const result = after.restore(`${tokens.join(' ')} ${number}`, () => true);
  expect(result.text).toBe(`${spellings.join(' ')} 1.50`);
  expect(result.restored.map(({ type, origins }) => [type, origins])).toEqual([
    ['EMAIL', [CRM]],
    ['EMAIL', [CRM]],
    ['EMAIL', [CRM]],
    ['SSN', [AGENT]],
  ]);
  expect(after.tokenOf('EMAIL', 'Ann@x.example', CRM)).toBe(tokens[0]);
  expect(after.numberTokenOf('SSN', '1.50', AGENT)).toBe(number);
  expect(tokens).not.toContain(after.tokenOf('EMAIL', 'ANN@x.example', CRM));
});

test('nothing on disk holds a value, a principal or a key in clear, and only the owner may read it', async () => {
  const kept = keptIn();
  const vaults = openVaults(kept);
  const vault = await vaults.of('anna');
  vault.tokenOf('SECRET', 'hunter2-hunter2', { kind: 'tool', server: 'payroll' });
  await vaults.flush();
  const files = [...allFiles(kept.folder), ...allFiles(kept.keyFolder)];
  const plain = files.filter((file) => statSync(file).isFile());
  expect(plain.map((file) => path.basename(file)).sort()).toEqual(['00000000.seg', 'key', 'vault.key']);
  for (const file of plain)
    for (const secret of ['hunter2', 'payroll', 'anna', 'SECRET'])
      expect(readFileSync(file).includes(secret)).toBe(false);
  expect(files.join('\n')).not.toContain('anna');
  if (process.platform === 'win32') return;
  expect(plain.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  const folders = [kept.folder, kept.keyFolder, ...files.filter((file) => statSync(file).isDirectory())];
  expect(folders.map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
});

test('two vaults on one folder at the same time give different tokens and learn from each other', async () => {
  const kept = keptIn();
  const [one, two] = [openVaults(kept), openVaults(kept)];
  const [ann, other] = [await one.of('anna'), await two.of('anna')];
  const first = Array.from({ length: 1500 }, (_, n) => ann.tokenOf('USERNAME', `a${n}`, CRM));
  const second = Array.from({ length: 1500 }, (_, n) => other.tokenOf('USERNAME', `b${n}`, CRM));
  expect(new Set([...first, ...second]).size).toBe(3000);
  await Promise.all([one.flush(), two.flush()]);
  expect(restored(ann, second.join(' '))).toBe(Array.from({ length: 1500 }, (_, n) => `b${n}`).join(' '));
  expect(restored(other, first.join(' '))).toBe(Array.from({ length: 1500 }, (_, n) => `a${n}`).join(' '));
});

test('a spelling that another process may have numbered too gets a counter of its own', async () => {
  const kept = keptIn();
  const one = openVaults(kept);
  const here = await one.of('anna');
  here.tokenOf('EMAIL', 'ann@x.example', CRM);
  await one.flush();
  const there = await openVaults(kept).of('anna');
  const ours = here.tokenOf('EMAIL', 'ANN@x.example', CRM);
  const theirs = there.tokenOf('EMAIL', 'Ann@x.example', CRM);
  expect(ours).not.toBe(theirs);
  expect(restored(here, ours)).toBe('ANN@x.example');
  expect(restored(there, theirs)).toBe('Ann@x.example');
});

test('a last record that is not whole is ignored, and the rest is there', async () => {
  const kept = keptIn();
  const before = openVaults(kept);
  const vault = await before.of('anna');
  const first = vault.tokenOf('EMAIL', 'ann@x.example', CRM);
  await before.flush();
  const second = vault.tokenOf('EMAIL', 'bob@x.example', CRM);
  await before[Symbol.asyncDispose]();
  const [file = ''] = segments(kept.folder);
  writeFileSync(file, readFileSync(file).subarray(0, -5));
  const after = await openVaults(kept).of('anna');
  expect(restored(after, `${first} ${second}`)).toBe(`ann@x.example ${second}`);
  expect(reasons(after, second)).toEqual(['expired']);
  expect([first, second]).not.toContain(after.tokenOf('EMAIL', 'bob@x.example', CRM));
});

test('a record that was changed is refused and named in the log, and the others count', async () => {
  const kept = keptIn();
  const before = openVaults(kept);
  const vault = await before.of('anna');
  const first = vault.tokenOf('EMAIL', 'ann@x.example', CRM);
  await before.flush();
  const [file = ''] = segments(kept.folder);
  const end = statSync(file).size;
  const second = vault.tokenOf('EMAIL', 'bob@x.example', CRM);
  await before[Symbol.asyncDispose]();
  const bytes = readFileSync(file);
  bytes[end - 1] = (bytes[end - 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const warnings: string[] = [];
  const warn = (_: unknown, message: string) => void warnings.push(message);
  const logger = { debug: warn, info: warn, warn, error: warn };
  const after = await openVaults({ ...kept, logger }).of('anna');
  expect(restored(after, `${first} ${second}`)).toBe(`${first} bob@x.example`);
  expect(warnings).toEqual(['a part of a file of the vault was changed by others and is not used']);
});

test('the records of one principal mean nothing in the folder of another', async () => {
  const kept = keptIn();
  const before = openVaults(kept);
  const token = (await before.of('anna')).tokenOf('EMAIL', 'ann@x.example', CRM);
  await before[Symbol.asyncDispose]();
  const [file = ''] = segments(kept.folder);
  const others = openVaults({ ...kept, folder: `${kept.folder}2` });
  const bob = await others.of('bob');
  bob.tokenOf('EMAIL', 'bob@x.example', CRM);
  await others.flush();
  const [target = ''] = segments(`${kept.folder}2`);
  const records = readFileSync(file);
  appendFileSync(target, records.subarray(records.indexOf(10) + 1));
  await others[Symbol.asyncDispose]();
  const after = await openVaults({ ...kept, folder: `${kept.folder}2` }).of('bob');
  expect(restored(after, token)).toBe(token);
  expect(after.counts()).toEqual({ EMAIL: 1 });
});

test('a forgotten principal leaves nothing on disk, and the others stay', async () => {
  const kept = keptIn();
  const vaults = openVaults(kept);
  const token = (await vaults.of('bob')).tokenOf('EMAIL', 'bob@x.example', CRM);
  await vaults.flush();
  const before = allFiles(kept.folder);
  await vaults.of('anna').then((vault) => vault.tokenOf('EMAIL', 'ann@x.example', CRM));
  await vaults[Symbol.asyncDispose]();
  await openVaults(kept).forget('anna');
  expect(allFiles(kept.folder)).toEqual(before);
  expect(restored(await openVaults(kept).of('bob'), token)).toBe('bob@x.example');
});

test('what is put back from a copy after forgetting has no meaning, for its key is gone', async () => {
  const kept = keptIn();
  const before = openVaults(kept);
  const token = (await before.of('anna')).tokenOf('EMAIL', 'ann@x.example', CRM);
  await before[Symbol.asyncDispose]();
  const [file = ''] = segments(kept.folder);
  const copy = readFileSync(file);
  const vaults = openVaults(kept);
  await vaults.forget('anna');
  await vaults.of('anna');
  writeFileSync(file, copy);
  expect(restored(await vaults.of('anna'), token)).toBe(token);
  expect(restored(await openVaults(kept).of('anna'), token)).toBe(token);
});

test('a vault with another key says so, and can still be forgotten', async () => {
  const kept = keptIn();
  const before = openVaults({ ...kept, key: new Uint8Array(32).fill(1) });
  (await before.of('anna')).tokenOf('EMAIL', 'ann@x.example', CRM);
  await before[Symbol.asyncDispose]();
  const vaults = openVaults({ ...kept, key: new Uint8Array(32).fill(2) });
  await expect(vaults.of('anna')).rejects.toMatchObject({
    code: 'config_error',
    message: 'The kept tokens were encrypted with another key than the one that is there now.',
  });
  await vaults.forget('anna');
  expect((await vaults.of('anna')).counts()).toEqual({});
});

test('without keep nothing is written or read, and the end erases everything', async () => {
  const kept = keptIn();
  const before = openVaults({ ...kept, keep: false });
  const vault = await before.of('anna');
  const token = vault.tokenOf('EMAIL', 'ann@x.example', CRM);
  await before.flush();
  await before[Symbol.asyncDispose]();
  expect(() => readdirSync(kept.folder)).toThrow('ENOENT');
  expect(() => readdirSync(kept.keyFolder)).toThrow('ENOENT');
  expect(restored(await openVaults(kept).of('anna'), token)).toBe(token);
});

test('what expired goes from the disk, and what was used since stays', async () => {
  const kept = keptIn();
  let now = Date.UTC(2026, 0, 1);
  const clock = () => now;
  const vaults = openVaults({ ...kept, clock });
  const vault = await vaults.of('anna');
  const used = vault.tokenOf('EMAIL', 'ann@x.example', CRM);
  const unused = Array.from({ length: 50 }, (_, n) => vault.tokenOf('EMAIL', `${n}@x.example`, CRM));
  await vaults.flush();
  const size = statSync(segments(kept.folder)[0] ?? '').size;
  now += 5 * DAY;
  restored(vault, used);
  now += 5 * DAY;
  await vaults.sweep();
  expect(segments(kept.folder).map((file) => path.basename(file))).toEqual(['00000001.seg']);
  expect(statSync(segments(kept.folder)[0] ?? '').size).toBeLessThan(size / 5);
  expect(vault.counts()).toEqual({ EMAIL: 1 });
  const after = await openVaults({ ...kept, clock }).of('anna');
  expect(restored(after, `${used} ${unused[0]}`)).toBe(`ann@x.example ${unused[0]}`);
  expect(reasons(after, unused[0] ?? '')).toEqual(['expired']);
});

test('segments of processes that are gone are written together, those of others stay, and no counter comes again', async () => {
  const kept = keptIn();
  const tokens: string[] = [];
  for (let n = 0; n < 9; n += 1) {
    const vaults = openVaults(kept);
    tokens.push((await vaults.of('anna')).tokenOf('USERNAME', `user${n}`, CRM));
    await vaults.flush();
  }
  for (const file of segments(kept.folder).slice(1)) abandon(file);
  const vaults = openVaults(kept);
  const vault = await vaults.of('anna');
  await vaults.sweep();
  expect(segments(kept.folder).map((file) => path.basename(file))).toEqual(['00000000.seg', '00000009.seg']);
  expect(restored(vault, tokens.join(' '))).toBe(Array.from({ length: 9 }, (_, n) => `user${n}`).join(' '));
  const after = await openVaults(kept).of('anna');
  expect(restored(after, tokens.join(' '))).toBe(Array.from({ length: 9 }, (_, n) => `user${n}`).join(' '));
  expect(tokens).not.toContain(after.tokenOf('USERNAME', 'new', CRM));
});

test('a segment that someone else made meanwhile is passed over', async () => {
  const kept = keptIn();
  const vaults = openVaults(kept);
  const vault = await vaults.of('anna');
  writeFileSync(path.join(kept.folder, readdirSync(kept.folder)[0] ?? '', '00000005.seg'), '');
  const token = vault.tokenOf('EMAIL', 'ann@x.example', CRM);
  await vaults.flush();
  expect(segments(kept.folder).map((file) => path.basename(file))).toEqual(['00000005.seg', '00000006.seg']);
  expect(token).toMatch(/^PIIEMAIL0000600/); // 6 blocks of 1024
});

test('a vault whose folder was taken away restores nothing and gives no token', async () => {
  const kept = keptIn();
  const vault = await openVaults(kept).of('anna');
  const token = vault.tokenOf('EMAIL', 'ann@x.example', CRM);
  rmSync(kept.folder, { recursive: true });
  writeFileSync(kept.folder, '');
  expect(() => restored(vault, token)).toThrow('The key file key cannot be opened.');
});

test('when no block of counters can be had, no token is given', async () => {
  const kept = keptIn();
  const vaults = openVaults(kept);
  const vault = await vaults.of('anna');
  const [principal = ''] = readdirSync(kept.folder);
  writeFileSync(path.join(kept.folder, principal, '99999999.seg'), '');
  expect(() => vault.tokenOf('EMAIL', 'ann@x.example', CRM)).toThrow(
    'No token can be given out, for the vault cannot be written.',
  );
});

test.skipIf(process.platform === 'win32')(
  'a key that others may read stops the vault, with what to do',
  async () => {
    const kept = keptIn();
    const before = openVaults(kept);
    await before.of('anna');
    chmodSync(path.join(kept.keyFolder, 'vault.key'), 0o644);
    await expect(openVaults(kept).of('anna')).rejects.toMatchObject({
      code: 'config_error',
      message: 'The key file vault.key may be read by others than its owner.',
      hint: 'Run "chmod 600" on it.',
    });
  },
);
