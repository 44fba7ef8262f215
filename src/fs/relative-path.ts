import { CodeExecutionError } from '../core/errors.js';

/** Longest part of a path in bytes of UTF-8: what ext4, APFS and NTFS take. */
export const MAX_PART_BYTES = 255;
/** Longest path in bytes of UTF-8; far below PATH_MAX, so that no system call fails on a path that passed here. */
export const MAX_PATH_BYTES = 1024;
/** Most parts of a path. Listings do not look deeper, so a chain of folders cannot hide content or cost a stack. */
export const MAX_DEPTH = 32;
/** Folder at the top of a contained directory that belongs to this server. No path of a client or guest may name it. */
export const PRIVATE_NAME = '.code-execution';
/** The name under which the sandbox shows the workspace: accepted as a prefix, so that answers can be pasted back. */
const GUEST_ROOT = '/workspace';

const HINT =
  'Give a path relative to the workspace with "/" between the parts, such as "reports/summary.csv".';

interface ParseOptions {
  /** The path may name the root itself (`.`, `/workspace`, empty) and may end in `/`. */
  readonly folder?: boolean;
  /** Default: this machine's. */
  readonly platform?: NodeJS.Platform;
}

/**
 * A path below a root, checked: only {@link RelativePath.parse} makes one, and {@link ContainedDir} takes nothing else.
 *
 * Names are compared as they are, never normalised: two spellings of "é" are two names. `.` and empty parts are
 * dropped. An inner `..` is resolved as text (`a/../b` is `b`), which is sound here because no link is ever followed;
 * one that would leave the root is refused.
 */
export class RelativePath {
  /** The parts joined by `/`; empty for the root. */
  readonly text: string;

  private constructor(readonly parts: readonly string[]) {
    this.text = parts.join('/');
  }

  static readonly root = new RelativePath([]);

  /**
   * @throws CodeExecutionError `path_denied` when the text leaves the root (absolute, `..`, drive, backslash, private
   * folder); `bad_name` when it is empty, too long, too deep, or holds characters no name may have.
   */
  static parse(text: string, options: ParseOptions = {}): RelativePath {
    const platform = options.platform ?? process.platform;
    if (text.length > MAX_PATH_BYTES * 2) throw badName(text, `is longer than ${MAX_PATH_BYTES} bytes`);
    const named = relativeText(text)
      .split('/')
      .filter((part) => part !== '' && part !== '.');
    // Before ".." is resolved: a NUL in a part that drops out is still an attempt to make two layers disagree.
    const fault = named
      .map((part) => (part === '..' ? undefined : partFault(part, platform)))
      .find((found) => found);
    if (fault !== undefined) throw badName(text, fault);
    const parts = resolveParts(text, named);
    if (parts.length > MAX_DEPTH) throw badName(text, `is deeper than ${MAX_DEPTH} folders`);
    const path = new RelativePath(parts);
    if (Buffer.byteLength(path.text) > MAX_PATH_BYTES)
      throw badName(text, `is longer than ${MAX_PATH_BYTES} bytes`);
    if (parts[0] !== undefined && isPrivateName(parts[0], platform)) {
      throw denied(text, `names the folder "${PRIVATE_NAME}", which belongs to the server`);
    }
    if (options.folder) return path;
    if (parts.length === 0)
      throw badName(text, text === '' ? 'is empty' : 'names the workspace itself, not a file');
    if (text.endsWith('/')) throw badName(text, 'ends in "/", so it names a folder, not a file');
    return path;
  }

  /** The path of the folder that holds it; the root for a path of one part. */
  get parent(): RelativePath {
    return this.parts.length <= 1 ? RelativePath.root : new RelativePath(this.parts.slice(0, -1));
  }

  /** The last part; empty for the root. */
  get name(): string {
    return this.parts[this.parts.length - 1] ?? '';
  }
}

/** Whether {@link RelativePath.parse} gives back exactly this path: a listing shows only what can be asked for. */
export function isPlainPath(parts: readonly string[], platform: NodeJS.Platform = process.platform): boolean {
  const [first] = parts;
  if (first === undefined || parts.length > MAX_DEPTH) return false;
  const last = parts[parts.length - 1] ?? '';
  // Nearly every name; the rules below cost ten times as much.
  if (parts.length === 1 && platform !== 'win32' && /^[\w-][\w.-]{0,99}$/.test(last)) return true;
  return (
    !/^[A-Za-z]:/.test(first) &&
    !last.includes('\\') &&
    partFault(last, platform) === undefined &&
    parts.reduce((bytes, part) => bytes + Buffer.byteLength(part) + 1, -1) <= MAX_PATH_BYTES
  );
}

/** Whether a top-level name means the private folder, also on file systems that fold case, width or ignorable marks. */
export function isPrivateName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  const folded = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  // Windows gives long names a second, short one (CODE-E~1) that opens the same folder.
  return folded === PRIVATE_NAME || (platform === 'win32' && /~\d/.test(name));
}

/** A path for a message: quoted, at most 80 characters, nothing that could act on a terminal or break a line. */
export function quotePath(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function relativeText(text: string): string {
  if (text.includes('\\')) throw denied(text, 'holds a backslash');
  if (/^[A-Za-z]:/.test(text)) throw denied(text, 'begins with a drive');
  if (!text.startsWith('/')) return text;
  if (text === GUEST_ROOT || text.startsWith(`${GUEST_ROOT}/`)) return text.slice(GUEST_ROOT.length);
  throw denied(text, 'is absolute and lies outside the workspace');
}

function resolveParts(text: string, named: readonly string[]): string[] {
  const parts: string[] = [];
  for (const part of named) {
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw denied(text, 'leaves the workspace by ".."');
  }
  if (parts[0] !== undefined && /^[A-Za-z]:/.test(parts[0])) throw denied(text, 'begins with a drive');
  return parts;
}

/** What is wrong with one part of a path, or undefined. */
function partFault(part: string, platform: NodeJS.Platform): string | undefined {
  if (/[\p{Cc}\u2028\u2029]/u.test(part)) return 'holds a control character or line break';
  // A lone surrogate has no UTF-8: the name on disk would be another one than the name checked.
  if (/\p{Surrogate}/u.test(part)) return 'holds half of a surrogate pair';
  if (Buffer.byteLength(part) > MAX_PART_BYTES) return `has a part of more than ${MAX_PART_BYTES} bytes`;
  return platform === 'win32' ? windowsFault(part) : undefined;
}

function windowsFault(part: string): string | undefined {
  if (/[<>:"|?*]/.test(part)) return 'holds one of <>:"|?*, which Windows does not take';
  if (/[. ]$/.test(part)) return 'has a part that ends in a dot or space, which Windows drops';
  if (/^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i.test(part)) {
    return 'uses a device name of Windows';
  }
  return undefined;
}

function denied(text: string, fault: string): CodeExecutionError {
  return new CodeExecutionError('path_denied', `The path ${quotePath(text)} ${fault}.`, HINT);
}

function badName(text: string, fault: string): CodeExecutionError {
  return new CodeExecutionError('bad_name', `The path ${quotePath(text)} ${fault}.`, HINT);
}
