import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodeExecutionError } from '../../core/errors.js';

/** The files on this machine that the wasm sandbox is made of. */
export interface WasmParts {
  readonly deno: string;
  readonly denoVersion: string;
  readonly pyodideFolder: string;
  readonly pyodideVersion: string;
  /** Our own: compiled guest code, the Python runtime, time-zone data. */
  readonly guestFolder: string;
  readonly runtimeFolder: string;
  readonly tzdata: string;
}

const require = createRequire(import.meta.url);
const PACKAGE_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** npm packages that hold the deno binary as a plain file; using them directly needs no install script. */
const DENO_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
  'win32-x64': '@deno/win32-x64',
  'win32-arm64': '@deno/win32-arm64',
};

/** @throws CodeExecutionError `backend_unavailable` that names the missing part and how to get it. */
export function findParts(): WasmParts {
  const platform = `${process.platform}-${process.arch}`;
  const denoPackage = DENO_PACKAGES[platform];
  if (!denoPackage) {
    throw new CodeExecutionError(
      'backend_unavailable',
      `there is no deno binary for ${platform}`,
      `use one of: ${Object.keys(DENO_PACKAGES).join(', ')}`,
    );
  }
  const deno = packageFolder(
    denoPackage,
    'reinstall with optional dependencies: npm install --include=optional',
  );
  const pyodide = packageFolder('pyodide', 'reinstall: npm install');
  const denoFile = path.join(deno.folder, process.platform === 'win32' ? 'deno.exe' : 'deno');
  if (!existsSync(denoFile)) throw missing(denoPackage, 'its binary is not there; reinstall: npm install');
  return {
    deno: denoFile,
    denoVersion: deno.version,
    pyodideFolder: pyodide.folder,
    pyodideVersion: pyodide.version,
    guestFolder: path.join(PACKAGE_ROOT, 'dist/sandbox/wasm/guest'),
    runtimeFolder: path.join(PACKAGE_ROOT, 'python/src/ce_runtime'),
    tzdata: path.join(PACKAGE_ROOT, 'data/tzdata.zip'),
  };
}

function packageFolder(name: string, next: string): { folder: string; version: string } {
  try {
    const manifest = require.resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return { folder: path.dirname(manifest), version };
  } catch {
    throw missing(name, next);
  }
}

function missing(name: string, next: string): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', `the npm package ${name} is not installed`, next);
}
