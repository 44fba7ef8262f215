import { createHash } from 'node:crypto';
import type { DownstreamServer } from '../core/downstream-server.js';
import { CodeExecutionError } from '../core/errors.js';
import { readDefinition } from '../core/read-definition.js';
import { ContainedDir } from '../fs/contained-dir.js';
import { RelativePath } from '../fs/relative-path.js';
import type { Memory } from './offer.js';

/** All definitions of a server may have 16 MiB; JSON text with escapes is longer. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Every change of an entry leaves a file behind; the oldest go beyond this many. */
const MAX_FILES = 1_000;
const FORMAT = 1;

/**
 * The definitions that servers listed last, or how they failed, on disk: one file for each server and what it is started
 * with. It can be deleted at any time. What is read is checked like what a server sends.
 */
export class DefinitionCache {
  readonly #folder: string;
  #opened: Promise<ContainedDir> | undefined;

  /** `folder` is made when it is needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined when there is none. A damaged file counts as none. @throws CodeExecutionError when the disk fails */
  async read(server: DownstreamServer): Promise<Memory | undefined> {
    const directory = await this.#open();
    try {
      const { bytes } = await directory.read(fileOf(server), { maxBytes: MAX_FILE_BYTES });
      return parsed(Buffer.from(bytes).toString('utf8'), server);
    } catch (error) {
      if (error instanceof CodeExecutionError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Replaces the file in one step. @throws CodeExecutionError when the disk fails */
  async write(server: DownstreamServer, memory: Memory): Promise<void> {
    const directory = await this.#open();
    const text = JSON.stringify({ format: FORMAT, server: server.name, ...memory });
    const name = directory.newPrivateName();
    await directory.writePrivateFile(name, 0, Buffer.from(text, 'utf8'));
    await directory.place(name, fileOf(server), { exclusive: false });
  }

  async close(): Promise<void> {
    const directory = await this.#opened?.catch(() => undefined);
    await directory?.close();
  }

  #open(): Promise<ContainedDir> {
    this.#opened ??= (async () => {
      const directory = await ContainedDir.open(this.#folder);
      await directory.removeAbandoned();
      await removeOldest(directory);
      return directory;
    })();
    return this.#opened;
  }
}

async function removeOldest(directory: ContainedDir): Promise<void> {
  const { entries } = await directory.list(RelativePath.root, 10 * MAX_FILES);
  const files = entries.filter((entry) => entry.kind === 'file').sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { path } of files.slice(MAX_FILES)) await directory.removeFile(RelativePath.parse(path));
}

/** A digest, since names of servers may differ by case alone, which some disks do not tell apart. */
function fileOf({ name, fingerprint }: DownstreamServer): RelativePath {
  const digest = createHash('sha256').update(`${name}\0${fingerprint}`).digest('hex').slice(0, 32);
  return RelativePath.parse(`${digest}.json`);
}

function parsed(text: string, server: DownstreamServer): Memory | undefined {
  try {
    const file: unknown = JSON.parse(text);
    const { format, server: name, tools, description, failure } = Object(file) as Record<string, unknown>;
    if (format !== FORMAT || name !== server.name) return undefined;
    if (typeof failure === 'string') return { failure };
    if (!Array.isArray(tools)) return undefined;
    return {
      tools: tools.map(readDefinition).flatMap((read) => ('definition' in read ? [read.definition] : [])),
      ...(typeof description === 'string' ? { description } : {}),
    };
  } catch {
    return undefined;
  }
}
