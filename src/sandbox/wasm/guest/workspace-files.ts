import { FIRST_OWN_ID, readOwnFrame, writeFrame } from './channel.js';
import { ERRNO, memoryFiles } from './memory-files.js';
import type { EmscriptenFs, FsNode } from './pyodide-types.js';
import { Quota } from './quota.js';

interface ManifestEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly size: number;
  readonly mtimeMs: number;
  readonly version: string;
}

export const WORKSPACE = '/workspace';
const PART_BYTES = 4 * 1024 * 1024;
/** Small neighbours of an opened file come with it: one round trip instead of hundreds. */
const AHEAD_FILE_BYTES = 64 * 1024;
const AHEAD_TOTAL_BYTES = 2 * 1024 * 1024;
const AHEAD_FILES = 128;
/** A file that is closed again and again is sent again only when it grew by half or this long has passed. */
const RESEND_MS = 1_000;
const FOLDER_MODE = 0o40777;
const FILE_MODE = 0o100666;

/**
 * The workspace as the code sees it: listed from the host's manifest, each file fetched when it is first opened, changes
 * sent when a file is closed and at the end of a run. The host alone touches real files.
 */
export class WorkspaceFiles {
  readonly #fs: EmscriptenFs;
  readonly #quota = new Quota(0, 0);
  readonly #type: ReturnType<typeof memoryFiles>;
  readonly #root: FsNode;
  /** Paths that the host has, or has been sent in this run. */
  #known = new Map<string, 'file' | 'directory'>();
  #touched = false;
  #nextId = FIRST_OWN_ID;

  constructor(fs: EmscriptenFs) {
    this.#fs = fs;
    this.#type = memoryFiles(fs, this.#quota, {
      load: (node) => this.#load(node),
      touched: () => {
        this.#touched = true;
      },
      closed: (node) => this.#sendWhenDue(node),
    });
    this.#root = fs.mount(this.#type, {}, WORKSPACE);
    fs.chdir(WORKSPACE);
  }

  /** {@link Quota.refusedAt} of the workspace. */
  get refusedAt(): number {
    return this.#quota.refusedAt;
  }

  /** Begins a run: what the run may add, and the workspace as of now (absent: as it was). */
  begin(bytes: number, files: number, manifest: readonly ManifestEntry[] | undefined): void {
    this.#quota.reset(bytes, files);
    if (manifest) this.#reconcile(manifest);
    this.#touched = false;
  }

  /** Sends what changed and was not sent yet. */
  flush(): void {
    if (!this.#touched) return;
    const present = new Set<string>();
    this.#walk(this.#root, '', (path, node) => {
      present.add(path);
      if (this.#fs.isDir(node.mode)) {
        if (!this.#known.has(path)) writeFrame(JSON.stringify({ type: 'folder', path }));
        this.#known.set(path, 'directory');
      } else if (node.file?.dirty || node.file?.origin?.path !== path) {
        this.#send(node, path);
      }
    });
    for (const path of [...this.#known.keys()].reverse()) {
      if (present.has(path)) continue;
      writeFrame(JSON.stringify({ type: 'remove', path }));
      this.#known.delete(path);
    }
    this.#touched = false;
  }

  #reconcile(manifest: readonly ManifestEntry[]): void {
    const known = new Map<string, 'file' | 'directory'>();
    for (const entry of manifest) {
      known.set(entry.path, entry.kind);
      const node = this.#nodeFor(entry);
      if (entry.kind === 'directory' || node.file?.origin?.version === entry.version) continue;
      node.contents = new Uint8Array(0);
      node.usedBytes = 0;
      node.mtime = node.ctime = node.atime = entry.mtimeMs;
      node.file = {
        loaded: false,
        remoteSize: entry.size,
        origin: { path: entry.path, version: entry.version },
        dirty: false,
        sentBytes: 0,
        sentAt: 0,
      };
    }
    const gone: FsNode[] = [];
    this.#walk(this.#root, '', (path, node) => {
      if (!known.has(path)) gone.push(node);
    });
    for (const node of gone.reverse()) this.#detach(node);
    this.#known = known;
  }

  /** The node of a manifest entry, made if it is missing or of the other kind. */
  #nodeFor(entry: ManifestEntry): FsNode {
    let node = this.#root;
    const parts = entry.path.split('/');
    parts.forEach((name, index) => {
      const wantFile = index === parts.length - 1 && entry.kind === 'file';
      let next: FsNode | undefined = children(node)[name];
      if (next && this.#fs.isFile(next.mode) !== wantFile) {
        this.#detach(next);
        next = undefined;
      }
      node = next ?? this.#type.createKnown(node, name, wantFile ? FILE_MODE : FOLDER_MODE);
    });
    return node;
  }

  #detach(node: FsNode): void {
    delete children(node.parent)[node.name];
    this.#fs.hashRemoveNode(node);
  }

  #walk(folder: FsNode, prefix: string, visit: (path: string, node: FsNode) => void): void {
    for (const [name, node] of Object.entries(children(folder))) {
      const path = prefix + name;
      visit(path, node);
      if (this.#fs.isDir(node.mode)) this.#walk(node, `${path}/`, visit);
    }
  }

  /** Fetches a file, and small unloaded neighbours with it. */
  #load(node: FsNode): void {
    const path = node.file?.origin?.path;
    if (path === undefined) return;
    const wanted = new Map([[path, node]]);
    if (node.file && node.file.remoteSize <= AHEAD_FILE_BYTES) this.#addNeighbours(node, wanted);
    const id = this.#nextId++;
    const ahead = [...wanted.keys()].slice(1);
    writeFrame(JSON.stringify({ type: 'read', id, path, ahead }));
    for (;;) {
      const { header, payload } = readOwnFrame();
      if (header.type === 'reply') {
        if (!header.ok) throw new this.#fs.ErrnoError(header.code === 'not_found' ? ERRNO.ENOENT : ERRNO.EIO);
        return;
      }
      const target = wanted.get(header.path);
      if (header.type === 'content' && target) receive(target, header, payload);
    }
  }

  #addNeighbours(node: FsNode, wanted: Map<string, FsNode>): void {
    let bytes = 0;
    let after = false;
    for (const other of Object.values(children(node.parent))) {
      if (other === node) after = true;
      const { file } = other;
      if (!after || other === node || !file?.origin || file.loaded || file.remoteSize > AHEAD_FILE_BYTES)
        continue;
      bytes += file.remoteSize;
      if (bytes > AHEAD_TOTAL_BYTES || wanted.size > AHEAD_FILES) return;
      wanted.set(file.origin.path, other);
    }
  }

  #sendWhenDue(node: FsNode): void {
    const { file } = node;
    const path = this.#pathOf(node);
    if (!file || path === undefined) return;
    const due = node.usedBytes >= file.sentBytes * 1.5 || performance.now() - file.sentAt > RESEND_MS;
    if (file.sentAt === 0 || due) this.#send(node, path);
  }

  /** Undefined for a file that was removed while open. */
  #pathOf(node: FsNode): string | undefined {
    const parts: string[] = [];
    for (let at = node; at !== this.#root; at = at.parent) {
      if (children(at.parent)[at.name] !== at) return undefined;
      parts.unshift(at.name);
    }
    return parts.join('/');
  }

  #send(node: FsNode, path: string): void {
    if (node.file && !node.file.loaded) this.#load(node);
    const size = node.usedBytes;
    let offset = 0;
    do {
      const end = Math.min(offset + PART_BYTES, size);
      const header = { type: 'file', path, offset, last: end === size };
      writeFrame(JSON.stringify(header), node.contents.subarray(offset, end));
      offset = end;
    } while (offset < size);
    this.#known.set(path, 'file');
    if (!node.file) return;
    Object.assign(node.file, { dirty: false, sentBytes: size, sentAt: performance.now() });
    node.file.origin = { path, version: '' };
  }
}

function children(folder: FsNode): Record<string, FsNode> {
  return folder.contents as unknown as Record<string, FsNode>;
}

function receive(
  node: FsNode,
  header: { offset: number; size: number; last: boolean },
  payload: Uint8Array,
): void {
  const { file } = node;
  if (!file) return;
  if (header.offset === 0) {
    node.contents = header.last ? payload : new Uint8Array(header.size);
    node.usedBytes = header.size;
  }
  if (!header.last || header.offset > 0) node.contents.set(payload, header.offset);
  if (header.last) file.loaded = true;
}
