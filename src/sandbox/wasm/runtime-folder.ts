import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { CodeExecutionError } from '../../core/errors.js';
import { FrameReader } from '../../wire/frames.js';
import { withLock } from '../folder-lock.js';
import type { WasmParts } from './parts.js';

/**
 * The prepared runtime: one read-only folder with everything a worker may read, made once per set of versions and kept
 * in the cache. It is a copy because workers run under another uid, and because a worker's read permission ends there.
 */
export interface RuntimePlaces {
  readonly folder: string;
  readonly deno: string;
  readonly denoDir: string;
}

export interface RuntimeFolder extends RuntimePlaces {
  /** Version of Python inside, e.g. `3.14.2`. */
  readonly python: string;
}

/** Runs one of the two guest programs during preparation and returns what it wrote to standard output. */
export type GuestProgram = (
  runtime: RuntimePlaces,
  program: 'make-snapshot.js' | 'main.js',
) => Promise<Uint8Array>;

const READY = 'ready';
/** Runtimes of other versions that no server has started with for this long are removed when a new one is made. */
const UNUSED_MS = 14 * 24 * 3600 * 1000;

/**
 * The runtime folder for `parts`, made on first use (a few seconds). Several servers may ask at the same time: one makes
 * it, the others wait.
 * @throws CodeExecutionError `backend_unavailable`
 */
export async function ensureRuntime(
  parts: WasmParts,
  cacheDir: string,
  run: GuestProgram,
): Promise<RuntimeFolder> {
  const folder = await folderFor(parts, cacheDir);
  const places = {
    folder,
    deno: path.join(folder, path.basename(parts.deno)),
    denoDir: path.join(folder, 'deno-dir'),
  };
  const made = await markUsed(folder);
  if (made !== undefined) return { ...places, python: made };
  try {
    await fs.mkdir(cacheDir, { recursive: true, mode: 0o755 });
    await withLock(`${folder}.lock`, async () => {
      if (await exists(path.join(folder, READY))) return;
      await make(parts, places, run);
      await removeUnused(cacheDir);
    });
  } catch (cause) {
    if (cause instanceof CodeExecutionError) throw cause;
    throw new CodeExecutionError(
      'backend_unavailable',
      'the sandbox runtime could not be prepared in the cache folder',
      'check that the cache folder is writable and has 200 MB free, or set CODE_EXECUTION_CACHE_DIR',
      { cause },
    );
  }
  return { ...places, python: await fs.readFile(path.join(folder, READY), 'utf8') };
}

/** Where the runtime for `parts` is prepared; undefined if a start still has to make it. */
export async function preparedFolder(parts: WasmParts, cacheDir: string): Promise<string | undefined> {
  const folder = await folderFor(parts, cacheDir);
  return (await exists(path.join(folder, READY))) ? folder : undefined;
}

async function folderFor(parts: WasmParts, cacheDir: string): Promise<string> {
  return path.join(cacheDir, `wasm-${await fingerprint(parts)}`);
}

async function make(parts: WasmParts, runtime: RuntimePlaces, run: GuestProgram): Promise<void> {
  const { folder } = runtime;
  await makeWritable(folder);
  await fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(runtime.denoDir, { recursive: true, mode: 0o755 });
  await linkOrCopy(parts.deno, runtime.deno, 0o555);
  for (const name of ['pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip']) {
    await copy(path.join(parts.pyodideFolder, name), path.join(folder, name));
  }
  await copy(parts.tzdata, path.join(folder, 'tzdata.zip'));
  for (const file of await filesBelow(parts.guestFolder, '.js')) {
    await copy(path.join(parts.guestFolder, file), path.join(folder, file));
  }
  for (const file of await filesBelow(parts.runtimeFolder, '.py')) {
    await copy(path.join(parts.runtimeFolder, file), path.join(folder, 'ce_runtime', file));
  }
  await fs.writeFile(path.join(folder, 'snapshot.bin'), await run(runtime, 'make-snapshot.js'), {
    mode: 0o444,
  });
  // A first start fills Deno's code cache; from then on nothing may write to it.
  const python = pythonVersion(await run(runtime, 'main.js'));
  await makeReadOnly(runtime.denoDir);
  await fs.writeFile(path.join(folder, READY), python, { mode: 0o444 });
  await fs.chmod(folder, 0o555);
}

/** The Python version in the mark of a runtime that is made. The time of the mark tells when it was last used. */
async function markUsed(folder: string): Promise<string | undefined> {
  const mark = path.join(folder, READY);
  const python = await fs.readFile(mark, 'utf8').catch(() => undefined);
  const now = new Date();
  // A cache that another user owns is used as it is.
  if (python !== undefined) await fs.utimes(mark, now, now).catch(() => undefined);
  return python;
}

/** What the first worker said of itself in its `ready` frame. */
function pythonVersion(output: Uint8Array): string {
  const [first] = new FrameReader().push(output);
  if (first?.message.type !== 'ready') throw new Error('the first worker did not become ready');
  return first.message.python;
}

async function removeUnused(cacheDir: string): Promise<void> {
  for (const name of await fs.readdir(cacheDir)) {
    const folder = path.join(cacheDir, name);
    const mark = await fs.stat(path.join(folder, READY)).catch(() => undefined);
    if (!name.startsWith('wasm-') || !mark || Date.now() - mark.mtimeMs < UNUSED_MS) continue;
    await makeWritable(folder);
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Changes with every file that goes into the folder. */
async function fingerprint(parts: WasmParts): Promise<string> {
  const hash = createHash('sha256').update(
    `layout 2 ${parts.denoVersion} ${parts.pyodideVersion} ${process.platform}-${process.arch}\n`,
  );
  for (const [folder, ending] of [
    [parts.guestFolder, '.js'],
    [parts.runtimeFolder, '.py'],
  ] as const) {
    for (const file of await filesBelow(folder, ending)) {
      hash.update(`${file}\n`).update(await fs.readFile(path.join(folder, file)));
    }
  }
  const tzdata = await fs.stat(parts.tzdata);
  return hash.update(`${tzdata.size}`).digest('hex').slice(0, 16);
}

async function filesBelow(folder: string, ending: string): Promise<string[]> {
  const names = await fs.readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith(ending)).sort();
}

async function copy(from: string, to: string): Promise<void> {
  await fs.mkdir(path.dirname(to), { recursive: true, mode: 0o755 });
  await fs.copyFile(from, to, constants.COPYFILE_FICLONE);
  await fs.chmod(to, 0o444);
}

/** The binary is 95 MB: a hard link costs nothing. Its mode is shared with the original, hence a copy if that differs. */
async function linkOrCopy(from: string, to: string, mode: number): Promise<void> {
  const readable = ((await fs.stat(from)).mode & 0o055) === 0o055;
  if (
    readable &&
    (await fs.link(from, to).then(
      () => true,
      () => false,
    ))
  )
    return;
  await fs.copyFile(from, to, constants.COPYFILE_FICLONE);
  await fs.chmod(to, mode);
}

async function makeReadOnly(folder: string): Promise<void> {
  // From the inside out: nothing can be removed from a folder that is read-only already.
  for (const entry of (await fs.readdir(folder, { recursive: true, withFileTypes: true })).reverse()) {
    const file = path.join(entry.parentPath, entry.name);
    // Deno leaves a link named `node` to itself, for programs that it may start; a worker may start none.
    if (entry.isSymbolicLink()) await fs.rm(file);
    else await fs.chmod(file, entry.isDirectory() ? 0o555 : 0o444);
  }
  await fs.chmod(folder, 0o555);
}

/** Undoes `makeReadOnly` of an attempt that was cut off, so that it can be removed. */
async function makeWritable(folder: string): Promise<void> {
  if (!(await exists(folder))) return;
  await fs.chmod(folder, 0o755);
  for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await fs.chmod(path.join(entry.parentPath, entry.name), 0o755);
  }
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
