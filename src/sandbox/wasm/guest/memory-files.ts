import type { EmscriptenFs, FileState, FsNode, FsStream } from './pyodide-types.js';
import type { Quota } from './quota.js';

/** Emscripten's errno values. */
export const ERRNO = { EACCES: 2, EINVAL: 28, EIO: 29, ENOENT: 44, ENOSPC: 51, EPERM: 63 } as const;

/** What the workspace adds to a plain in-memory file. */
export interface FileHooks {
  /** Brings the bytes of a file that is not loaded. */
  load(node: FsNode): void;
  /** A file or folder was made, changed, moved or removed. */
  touched(): void;
  /** The last change of a file is complete: a good time to send it. */
  closed(node: FsNode): void;
}

const MAX_NAME_BYTES = 255;
const DOUBLING_MAX_BYTES = 64 * 1024 * 1024;
/** Names the host would refuse: better an error at `open` than a lost file at the end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BAD_NAME = /[\u0000-\u001f\u007f\\]/;

/**
 * An in-memory file system with a quota and hooks, made from Emscripten's MEMFS: its operations do the work, these
 * decide and count. Differences: no symbolic links, growth by doubling (MEMFS grows large files by an eighth), errors
 * instead of memory exhaustion.
 */
export function memoryFiles(fs: EmscriptenFs, quota: Quota, hooks: FileHooks) {
  const memfs = fs.filesystems.MEMFS;
  // MEMFS fills its table with the first node it makes, long before any mount of ours.
  const base = memfs.ops_table;
  const call = (op: unknown, ...args: unknown[]): unknown => (op as (...a: unknown[]) => unknown)(...args);
  const fail = (errno: number): never => {
    throw new fs.ErrnoError(errno);
  };

  const sizeOf = (node: FsNode): number =>
    node.file && !node.file.loaded ? node.file.remoteSize : node.usedBytes;

  function ensureLoaded(node: FsNode): void {
    if (node.file && !node.file.loaded) hooks.load(node);
  }

  function changed(node: FsNode): void {
    if (node.file) node.file.dirty = true;
    hooks.touched();
  }

  function resize(node: FsNode, size: number): void {
    if (size === sizeOf(node)) return;
    if (size > 0) ensureLoaded(node);
    if (!quota.takeBytes(size - sizeOf(node))) fail(ERRNO.ENOSPC);
    if (node.file) node.file.loaded = true;
    const bytes = new Uint8Array(size);
    bytes.set(node.contents.subarray(0, Math.min(size, node.usedBytes)));
    node.contents = bytes;
    node.usedBytes = size;
    node.mtime = node.ctime = Date.now();
    changed(node);
  }

  const fileNodeOps = {
    ...base.file.node,
    getattr(node: FsNode) {
      const attributes = call(base.file.node.getattr, node) as { size: number; blocks: number };
      attributes.size = sizeOf(node);
      attributes.blocks = Math.ceil(attributes.size / 4096);
      return attributes;
    },
    setattr(node: FsNode, attributes: { size?: number }) {
      const { size, ...rest } = attributes;
      call(base.file.node.setattr, node, rest);
      if (size !== undefined) resize(node, size);
    },
  };

  const fileStreamOps = {
    ...base.file.stream,
    open(stream: FsStream) {
      ensureLoaded(stream.node);
    },
    read(stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number) {
      ensureLoaded(stream.node);
      return call(base.file.stream.read, stream, buffer, offset, length, position);
    },
    write(stream: FsStream, buffer: Uint8Array, offset: number, length: number, position: number) {
      if (length === 0) return 0;
      const { node } = stream;
      ensureLoaded(node);
      const end = position + length;
      if (end > node.usedBytes) {
        if (!quota.takeBytes(end - node.usedBytes)) fail(ERRNO.ENOSPC);
        grow(node, end);
      }
      node.contents.set(buffer.subarray(offset, offset + length), position);
      node.usedBytes = Math.max(node.usedBytes, end);
      node.mtime = node.ctime = Date.now();
      changed(node);
      return length;
    },
    mmap(stream: FsStream, ...rest: unknown[]) {
      ensureLoaded(stream.node);
      return call(base.file.stream.mmap, stream, ...rest);
    },
    msync(stream: FsStream, buffer: Uint8Array, offset: number, length: number) {
      fileStreamOps.write(stream, buffer, 0, length, offset);
      return 0;
    },
    close(stream: FsStream) {
      if (stream.node.file?.dirty) hooks.closed(stream.node);
    },
  };

  const folderNodeOps = {
    ...base.dir.node,
    mknod(parent: FsNode, name: string, mode: number, device: number) {
      if (!fs.isDir(mode) && !fs.isFile(mode)) fail(ERRNO.EPERM);
      if (BAD_NAME.test(name) || new TextEncoder().encode(name).length > MAX_NAME_BYTES) fail(ERRNO.EINVAL);
      if (!quota.takeFile()) fail(ERRNO.ENOSPC);
      const node = adopt(memfs.createNode(parent, name, mode, device));
      hooks.touched();
      return node;
    },
    rename(node: FsNode, folder: FsNode, name: string) {
      if (BAD_NAME.test(name)) fail(ERRNO.EINVAL);
      const replaced = (folder.contents as unknown as Record<string, FsNode>)[name];
      call(base.dir.node.rename, node, folder, name);
      if (replaced && replaced !== node) quota.returnFile(fs.isFile(replaced.mode) ? sizeOf(replaced) : 0);
      hooks.touched();
    },
    unlink(parent: FsNode, name: string) {
      const node = (parent.contents as unknown as Record<string, FsNode>)[name];
      call(base.dir.node.unlink, parent, name);
      if (node) quota.returnFile(sizeOf(node));
      hooks.touched();
    },
    rmdir(parent: FsNode, name: string) {
      call(base.dir.node.rmdir, parent, name);
      quota.returnFile(0);
      hooks.touched();
    },
    symlink() {
      fail(ERRNO.EPERM);
    },
  };

  function adopt(node: FsNode): FsNode {
    if (fs.isDir(node.mode)) {
      // Without a prototype, so that a file may be called `__proto__`.
      node.contents = Object.assign(Object.create(null), node.contents);
      node.node_ops = folderNodeOps;
      node.stream_ops = base.dir.stream;
    } else {
      node.node_ops = fileNodeOps;
      node.stream_ops = fileStreamOps;
      node.file = newFileState();
    }
    return node;
  }

  return {
    mount: () => adopt(memfs.createNode(null, '/', 0o40777, 0)),
    /** A node that the host knows already: no quota, no change. */
    createKnown: (parent: FsNode, name: string, mode: number) =>
      adopt(memfs.createNode(parent, name, mode, 0)),
  };
}

function newFileState(): FileState {
  return { loaded: true, remoteSize: 0, dirty: true, sentBytes: 0, sentAt: 0 };
}

/** Makes room for `size` bytes: doubles, and from 64 MiB on adds a quarter. */
function grow(node: FsNode, size: number): void {
  const capacity = node.contents.length;
  if (capacity >= size) return;
  const next = capacity < DOUBLING_MAX_BYTES ? capacity * 2 : capacity * 1.25;
  const contents = new Uint8Array(Math.max(size, Math.floor(next), 256));
  contents.set(node.contents.subarray(0, node.usedBytes));
  node.contents = contents;
}
