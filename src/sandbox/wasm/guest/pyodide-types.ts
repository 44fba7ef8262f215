/** The parts of Pyodide's and Emscripten's internals that the guest touches; hence the exact version pin. */

export interface FsNode {
  id: number;
  name: string;
  mode: number;
  parent: FsNode;
  mtime: number;
  atime: number;
  ctime: number;
  node_ops: Record<string, unknown>;
  stream_ops: Record<string, unknown>;
  usedBytes: number;
  /** Bytes of a file. */
  contents: Uint8Array;
  /** Our own record of a workspace or scratch file. */
  file?: FileState;
  mount: { opts: unknown };
}

/** What the guest knows of a file besides its bytes. */
export interface FileState {
  /** False: the bytes are still with the host. */
  loaded: boolean;
  /** Size in bytes while not loaded. */
  remoteSize: number;
  /** The path and version under which the host has it; absent for a file made in this run. */
  origin?: { path: string; version: string };
  /** Changed since it was last sent. */
  dirty: boolean;
  /** Size when it was last sent, and when. */
  sentBytes: number;
  sentAt: number;
}

export interface FsStream {
  node: FsNode;
  flags: number;
  position: number;
}

export interface EmscriptenFs {
  ErrnoError: new (errno: number) => Error;
  filesystems: { MEMFS: Memfs };
  mkdir(path: string): FsNode;
  mkdirTree(path: string): void;
  writeFile(path: string, data: Uint8Array, options?: { canOwn?: boolean }): void;
  mount(type: unknown, opts: unknown, mountpoint: string): FsNode;
  chdir(path: string): void;
  lookupNode(parent: FsNode, name: string): FsNode;
  destroyNode(node: FsNode): void;
  hashRemoveNode(node: FsNode): void;
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
}

type Ops = Record<string, (...args: never[]) => unknown>;

export interface Memfs {
  ops_table: { dir: { node: Ops; stream: Ops }; file: { node: Ops; stream: Ops } };
  createNode(parent: FsNode | null, name: string, mode: number, dev: number): FsNode;
}

export interface EmscriptenModule {
  FS: EmscriptenFs;
  HEAP8: Int8Array;
  HEAPU8: Uint8Array;
  _Py_EMSCRIPTEN_SIGNAL_HANDLING: number;
  growMemory(bytes: number): number | undefined;
  API: PyodideApi;
}

export interface PyodideApi {
  version: string;
  config: { jsglobals: unknown };
  sys: unknown;
  serializeHiwireState(serializer?: unknown): unknown;
  finalizeBootstrap(snapshot?: unknown, deserializer?: unknown): PyodidePublic;
  initializeStreams(
    stdin: () => undefined,
    stdout: (line: string) => void,
    stderr: (line: string) => void,
  ): void;
  runPythonInternal(code: string): unknown;
  pyVersionTuple: [number, number, number];
}

export interface PyodidePublic {
  runPython(code: string): unknown;
  pyimport(name: string): unknown;
  FS: EmscriptenFs;
  _module: EmscriptenModule;
  _api: PyodideApi;
}
