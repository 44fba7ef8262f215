import { wrapSignalPoll } from './interrupt.js';
import { limitMemory, wrapMemoryGrowth } from './memory.js';
import { capMemory } from './page-cap.js';
import type { EmscriptenFs, EmscriptenModule, PyodidePublic } from './pyodide-types.js';
import { findPages, readSnapshot, type Snapshot } from './snapshot-file.js';

/** Where things are on the guest's own, in-memory file system. */
export const RUNTIME_FOLDER = '/lib/ce';
const BUILD_ID_FLAG = {
  IN_NODE: false,
  IN_DENO: false,
  IN_BUN: false,
  IN_SAFARI: false,
  IN_SHELL: false,
  IN_WORKERD: false,
};

export interface Booted {
  readonly pyodide: PyodidePublic;
  readonly module: EmscriptenModule;
  /** Which pages instantiation wrote to; only without a snapshot. */
  readonly writtenPages: ReadonlySet<number>;
}

/**
 * Starts Pyodide from the files in `folder`: our own short loader instead of Pyodide's `loadPyodide`, which reads and
 * copies more than a sandbox without network and packages needs (design/wasm.md has the figures).
 *
 * @param options.snapshot restore memory from `snapshot.bin` instead of initialising Python.
 * @param options.maximumBytes most that the interpreter's memory may ever hold.
 */
export async function boot(
  folder: string,
  options: { snapshot: boolean; maximumBytes?: number },
): Promise<Booted> {
  // Emscripten and Pyodide take their environment from these globals. As a plain worker they touch no Node module, and
  // `os.system` has no shell to call.
  Reflect.deleteProperty(globalThis, 'process');
  Reflect.set(globalThis, 'WorkerGlobalScope', Object);
  const { default: createModule } = await import(`${folder}/pyodide.asm.mjs`);
  const wasm = readInto(`${folder}/pyodide.asm.wasm`);
  if (options.maximumBytes !== undefined) capMemory(wasm, options.maximumBytes);
  const sentinel = jsErrorImport();
  let snapshot: Snapshot | undefined;
  let writtenPages = new Set<number>();
  const settings: Record<string, unknown> = {
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: true,
    preRun: [(module: EmscriptenModule) => prepareFiles(module, folder)],
    arguments: [],
    thisProgram: '/usr/bin/python3',
    noInitialRun: options.snapshot,
    locateFile: (name: string) => `${folder}/${name}`,
    instantiateWasm(
      imports: Record<string, Record<string, unknown>>,
      done: (i: unknown, m: unknown) => void,
    ) {
      const { env } = imports;
      if (!env) throw new Error('the wasm module has no env imports');
      wrapMemoryGrowth(env);
      wrapSignalPoll(env);
      void (async () => {
        Object.assign(env, await sentinel);
        const compiled = WebAssembly.instantiate(wasm, imports);
        if (options.snapshot) snapshot = readSnapshot(`${folder}/snapshot.bin`);
        const { instance, module } = await compiled;
        if (!options.snapshot) writtenPages = findPages(memoryOf(instance));
        done(instance, module);
      })();
      return {};
    },
  };
  settings.API = {
    runtimeEnv: {
      ...BUILD_ID_FLAG,
      IN_BROWSER: true,
      IN_BROWSER_WEB_WORKER: true,
      IN_BROWSER_MAIN_THREAD: false,
    },
    config: {
      jsglobals: globalThis,
      env: {},
      packages: [],
      enableRunUntilComplete: false,
      _makeSnapshot: !options.snapshot,
      packageCacheDir: '/',
      packageBaseUrl: '/',
    },
    lockFilePromise: undefined,
  };
  const module: EmscriptenModule = await createModule(settings);
  if (snapshot) {
    if (module.HEAP8.length < snapshot.memoryBytes) module.growMemory(snapshot.memoryBytes);
    snapshot.restore(module.HEAPU8);
  }
  const pyodide = module.API.finalizeBootstrap(snapshot?.references);
  // A worker may not grow before its first run sets a limit; the making of the snapshot takes what it needs.
  if (options.snapshot) limitMemory(module.HEAP8.length);
  return { pyodide, module, writtenPages };
}

function memoryOf(instance: WebAssembly.Instance): Uint8Array {
  return new Uint8Array((instance.exports.memory as { buffer: ArrayBuffer }).buffer);
}

function prepareFiles(module: EmscriptenModule, folder: string): void {
  const fs: EmscriptenFs = module.FS;
  const { API } = module;
  const [major, minor, micro] = pythonVersion(module);
  API.pyVersionTuple = [major, minor, micro];
  const library = `/lib/python${major}.${minor}`;
  Object.assign(API, { sitePackages: `${library}/site-packages` });
  fs.mkdirTree(`${library}/site-packages`);
  fs.mkdirTree(`${library}/lib-dynload`);
  fs.writeFile(`/lib/python${major}${minor}.zip`, readInto(`${folder}/python_stdlib.zip`), { canOwn: true });
  fs.mkdirTree(RUNTIME_FOLDER);
  fs.writeFile(`${RUNTIME_FOLDER}/tzdata.zip`, readInto(`${folder}/tzdata.zip`), { canOwn: true });
  fs.mkdirTree('/workspace');
  Object.assign((module as unknown as { ENV: object }).ENV, {
    HOME: '/workspace',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    PYTHONINSPECT: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  });
  fs.chdir('/workspace');
}

function pythonVersion(module: EmscriptenModule): [number, number, number] {
  const internals = module as unknown as { HEAPU32: Uint32Array; _Py_Version: number };
  const packed = internals.HEAPU32[internals._Py_Version >>> 2] ?? 0;
  return [(packed >>> 24) & 255, (packed >>> 16) & 255, (packed >>> 8) & 255];
}

/** A file as one array, by a single read: half the time of the general call for large files. */
function readInto(path: string): Uint8Array {
  const bytes = new Uint8Array(Deno.statSync(path).size);
  const file = Deno.openSync(path);
  let done = 0;
  while (done < bytes.length) {
    const count = file.readSync(bytes.subarray(done));
    if (count === null) break;
    done += count;
  }
  file.close();
  return bytes;
}

/** The two imports with which Pyodide marks a JavaScript error; this is its own fall-back for engines without GC types. */
async function jsErrorImport(): Promise<Record<string, unknown>> {
  const marker = Symbol('error marker');
  return { Jsv_GetError_import: () => marker, JsvError_Check: (value: unknown) => value === marker };
}
