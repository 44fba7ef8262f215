import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WasmParts } from '../../../src/sandbox/wasm/parts.js';
import { ensureRuntime, type GuestProgram } from '../../../src/sandbox/wasm/runtime-folder.js';
import { workerFrame } from '../wire/worker-frame.js';

let base: string;
let parts: WasmParts;
const cache = () => path.join(base, 'cache');

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'code-execution-runtime-'));
  const put = (name: string, text: string): string => {
    const file = path.join(base, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const deno = put('deno/deno', 'binary');
  chmodSync(deno, 0o755);
  for (const name of ['pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip'])
    put(`pyodide/${name}`, name);
  put('guest/main.js', 'main');
  put('python/loop/policy.py', 'policy');
  parts = {
    deno,
    denoVersion: '2.0.0',
    pyodideFolder: path.join(base, 'pyodide'),
    pyodideVersion: '314.0.0',
    guestFolder: path.join(base, 'guest'),
    runtimeFolder: path.join(base, 'python'),
    tzdata: put('tzdata.zip', 'zones'),
  };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Guest programs that only say what the real ones would; `ran` lists them. */
function guest(ran: string[], before: () => Promise<void> = async () => undefined): GuestProgram {
  return async (places, program) => {
    ran.push(program);
    await before();
    if (program === 'make-snapshot.js') return Buffer.from('snapshot');
    // Deno leaves this link behind.
    mkdirSync(path.join(places.denoDir, 'bin'));
    symlinkSync(places.deno, path.join(places.denoDir, 'bin', 'node'));
    return workerFrame({ type: 'ready', python: '3.14.2' });
  };
}

function withFile(changed: WasmParts, folder: string, name: string): WasmParts {
  writeFileSync(path.join(folder, name), 'other');
  return changed;
}

describe('the prepared runtime', () => {
  test('is made once, and found after that', async () => {
    const ran: string[] = [];
    const first = await ensureRuntime(parts, cache(), guest(ran));
    const second = await ensureRuntime(parts, cache(), guest(ran));
    expect(ran).toEqual(['make-snapshot.js', 'main.js']);
    expect(second).toEqual(first);
    expect(first.python).toBe('3.14.2');
    expect(readFileSync(path.join(first.folder, 'snapshot.bin'), 'utf8')).toBe('snapshot');
    expect(readFileSync(path.join(first.folder, 'ce_runtime/loop/policy.py'), 'utf8')).toBe('policy');
  });

  test('holds no link and nothing that others may write', async () => {
    const { folder, denoDir } = await ensureRuntime(parts, cache(), guest([]));
    expect(existsSync(path.join(denoDir, 'bin', 'node'))).toBe(false);
    for (const file of ['.', 'deno', 'main.js', 'snapshot.bin', 'deno-dir', 'deno-dir/bin', 'ready']) {
      expect(statSync(path.join(folder, file)).mode & 0o022, file).toBe(0);
    }
  });

  test('is made by one of several who ask at once; the others wait and get the same', async () => {
    const ran: string[] = [];
    let inside = 0;
    let most = 0;
    const slow = guest(ran, async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 30));
      inside--;
    });
    const all = await Promise.all([1, 2, 3, 4].map(() => ensureRuntime(parts, cache(), slow)));
    expect(ran).toEqual(['make-snapshot.js', 'main.js']);
    expect(most).toBe(1);
    expect(new Set(all.map(({ folder }) => folder)).size).toBe(1);
  });

  test.each<[string, (parts: WasmParts) => WasmParts]>([
    ['a file of the guest', (p) => withFile(p, p.guestFolder, 'main.js')],
    ['a new Python file', (p) => withFile(p, p.runtimeFolder, 'new.py')],
    ['a version of Deno', (p) => ({ ...p, denoVersion: '2.0.1' })],
    ['a version of Pyodide', (p) => ({ ...p, pyodideVersion: '314.0.1' })],
  ])('is made anew for %s', async (_what, change) => {
    const ran: string[] = [];
    const first = await ensureRuntime(parts, cache(), guest(ran));
    const second = await ensureRuntime(change(parts), cache(), guest(ran));
    expect(second.folder).not.toBe(first.folder);
    expect(ran).toHaveLength(4);
  });

  test('that could not be made is tried again by the next who asks, also over its remains', async () => {
    const failing: GuestProgram = async (_places, program) => {
      if (program === 'main.js') throw new Error('no start');
      return Buffer.from('half');
    };
    await expect(ensureRuntime(parts, cache(), failing)).rejects.toMatchObject({
      code: 'backend_unavailable',
    });
    const { folder } = await ensureRuntime(parts, cache(), guest([]));
    expect(readFileSync(path.join(folder, 'snapshot.bin'), 'utf8')).toBe('snapshot');
  });

  test('whose first worker says nothing sensible is not used', async () => {
    const mute: GuestProgram = async (_places, program) => {
      return program === 'main.js' ? workerFrame({ type: 'folder', path: 'x' }) : Buffer.from('snapshot');
    };
    await expect(ensureRuntime(parts, cache(), mute)).rejects.toMatchObject({ code: 'backend_unavailable' });
  });

  test('is made although a process that died left its lock', async () => {
    const { folder } = await ensureRuntime(parts, cache(), guest([]));
    chmodSync(folder, 0o755);
    rmSync(path.join(folder, 'ready'), { force: true });
    mkdirSync(`${folder}.lock`);
    // Beyond the largest process id that Linux, macOS or Windows give.
    writeFileSync(path.join(`${folder}.lock`, 'pid'), String(2 ** 30));
    const ran: string[] = [];
    await ensureRuntime(parts, cache(), guest(ran));
    expect(ran).toEqual(['make-snapshot.js', 'main.js']);
    expect(existsSync(`${folder}.lock`)).toBe(false);
  });
});
