import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodeExecutionError } from '../../core/errors.js';
import { withLock } from '../folder-lock.js';
import { compileRuntime, type PythonPlaces } from './find-python.js';

const SOURCES = fileURLToPath(new URL('../../../python/src', import.meta.url));
const TZDATA = fileURLToPath(new URL('../../../data/tzdata.zip', import.meta.url));
const READY = 'ready';
/** In a runtime copy: what matplotlib has found out about fonts (font-list.ts). */
export const FONTS = 'fonts';

/**
 * A copy of our Python runtime with byte code for this Python, made once per version of both and kept in the cache. It is
 * a copy because the jail starts under a uid that may not read the folder of the package.
 * @throws CodeExecutionError `backend_unavailable`
 */
export async function ensureRuntimeCopy(python: PythonPlaces, cacheDir: string): Promise<string> {
  const folder = path.join(cacheDir, `native-${await fingerprint(python)}`);
  if (existsSync(path.join(folder, READY))) return folder;
  try {
    await fs.mkdir(cacheDir, { recursive: true, mode: 0o755 });
    await withLock(`${folder}.lock`, async () => {
      if (existsSync(path.join(folder, READY))) return;
      await fs.rm(folder, { recursive: true, force: true });
      await make(python, folder);
    });
  } catch (cause) {
    if (cause instanceof CodeExecutionError) throw cause;
    throw new CodeExecutionError(
      'backend_unavailable',
      'the sandbox runtime could not be prepared in the cache folder',
      'check that the cache folder is writable and has 10 MB free, or set CODE_EXECUTION_CACHE_DIR',
      { cause },
    );
  }
  return folder;
}

async function make(python: PythonPlaces, folder: string): Promise<void> {
  for (const file of await sources()) {
    await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true, mode: 0o755 });
    await fs.copyFile(path.join(SOURCES, file), path.join(folder, file));
  }
  await fs.copyFile(TZDATA, path.join(folder, 'tzdata.zip'));
  await fs.mkdir(path.join(folder, FONTS), { mode: 0o755 });
  await compileRuntime(python, folder);
  for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
    await fs.chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o444);
  }
  await fs.chmod(folder, 0o755);
  await fs.writeFile(path.join(folder, READY), python.version, { mode: 0o444 });
}

async function fingerprint(python: PythonPlaces): Promise<string> {
  const hash = createHash('sha256').update(`layout 2 ${python.version} ${python.binary}\n`);
  for (const file of await sources())
    hash.update(`${file}\n`).update(await fs.readFile(path.join(SOURCES, file)));
  return hash.digest('hex').slice(0, 16);
}

async function sources(): Promise<string[]> {
  const names = await fs.readdir(SOURCES, { recursive: true });
  return names.filter((name) => name.endsWith('.py')).sort();
}
