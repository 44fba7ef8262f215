import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../support/project-root.js';
import { temporaryFolder } from '../fs/temporary-folder.js';
import { fixture } from './skill-fixture.js';

let built = '';

beforeAll(async () => {
  built = mkdtempSync(path.join(tmpdir(), 'code-execution-saver-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root: PROJECT_ROOT,
    ssr: { noExternal: true },
    build: {
      ssr: path.join(PROJECT_ROOT, 'test/unit/skills/saver-main.ts'),
      outDir: built,
      rolldownOptions: { output: { entryFileNames: 'saver.mjs' } },
    },
  });
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

interface Saver {
  readonly child: ChildProcess;
  /** `name version hash` of every save that returned. */
  readonly saved: string[];
  readonly errors: string[];
  readonly ended: Promise<number | null>;
}

function startSaver(root: string, id: number, count: number, onSaved: (saver: Saver) => void): Saver {
  const child = spawn(process.execPath, [path.join(built, 'saver.mjs'), root, String(id), String(count)]);
  const saved: string[] = [];
  const errors: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    saved.push(...lines);
    onSaved(saver);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const saver = { child, saved, errors, ended };
  return saver;
}

/** Every save that returned is a version with its code, numbers have no holes, and the folders hold the newest. */
async function expectNothingLost(root: string, saved: readonly string[]): Promise<void> {
  const { store, warnings } = fixture({ root });
  const names = new Set(saved.map((line) => line.split(' ')[0] ?? ''));
  const { skills } = await store.find(undefined, { limit: 1_000, offset: 0 });
  expect(skills.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
  for (const { name } of skills) {
    const skill = await store.load(name);
    expect(skill.warnings).toEqual([]);
    expect(skill.version).toBe(skill.versions[0]?.version);
    expect(skill.versions.map(({ version }) => version)).toEqual(
      Array.from({ length: skill.versions.length }, (_, at) => skill.versions.length - at),
    );
    expect(readFileSync(path.join(root, name.replaceAll('_', '-'), 'scripts/main.py'), 'utf8')).toBe(
      skill.code,
    );
    for (const { version, hash } of skill.versions) {
      const { code, versions } = await store.load(name, version);
      expect(code).toMatch(/^def main\(\):\n {4}return "\d+ \d+ x{5000}"\n$/);
      expect(versions.find((one) => one.version === version)?.hash).toBe(hash);
    }
    const kept = new Set(skill.versions.map(({ version, hash }) => `${name} ${version} ${hash}`));
    for (const line of saved.filter((one) => one.startsWith(`${name} `))) expect(kept).toContain(line);
  }
  expect(warnings).toEqual([]);
}

test('200 saves by four processes at once, of same and of different names, all become versions', async () => {
  const root = temporaryFolder();
  const savers = [0, 1, 2, 3].map((id) => startSaver(root, id, 50, () => {}));
  expect(await Promise.all(savers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  expect(savers.flatMap(({ errors }) => errors)).toEqual([]);
  const saved = savers.flatMap((saver) => saver.saved);
  expect(new Set(saved).size).toBe(200);
  await expectNothingLost(root, saved);
  expect(readdirSync(path.join(root, '.history/.writing'))).toEqual([]);
});

test('servers that are killed in the middle of saves lose nothing that was answered and leave nothing half', async () => {
  const root = temporaryFolder();
  const killAfter = [3, 7, 12, Number.POSITIVE_INFINITY];
  const savers = killAfter.map((most, id) =>
    // Far more than the killed ones get to, whenever the signal reaches them.
    startSaver(root, id, Number.isFinite(most) ? 2_000 : 50, ({ child, saved }) => {
      // Not at the answer itself, which is a moment of rest.
      if (saved.length >= most) setTimeout(() => child.kill('SIGKILL'), id * 1.7);
    }),
  );
  await Promise.all(savers.map(({ ended }) => ended));
  expect(savers.map(({ child }) => child.signalCode)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', null]);
  await expectNothingLost(
    root,
    savers.flatMap(({ saved }) => saved),
  );
  expect(readdirSync(path.join(root, '.history/.writing'))).toEqual([]);
  expect(existsSync(path.join(root, '.code-execution'))).toBe(false);
});
