import { CodeExecutionError } from '../core/errors.js';
import { MIB } from '../core/limits.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import { RelativePath } from '../fs/relative-path.js';
import { emptyIfMissing } from './skill-history.js';
import { MAX_MANIFEST_BYTES, type SkillLimits } from './skill-limits.js';

/** Names that are counted; beyond, the folder is not ours to measure. */
const MAX_NAMES = 1_000_000;
/** The whole tree is measured again after this long, in milliseconds, and before anything is refused for it. */
const MEASURE_MS = 5 * 60 * 1000;

/** Counts the skills of one principal against its limits. */
export class SkillQuota {
  #bytes = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(readonly limits: SkillLimits) {}

  /** @throws CodeExecutionError `too_large`, with what to do about it. */
  async check(dir: ContainedDir, folder: string, codeBytes: number): Promise<void> {
    const { limits } = this;
    if (codeBytes > limits.codeBytes)
      throw tooLarge(
        `The code has ${codeBytes} bytes; a skill may have ${limits.codeBytes}.`,
        'Split it into several skills that import each other, and keep data in the workspace.',
      );
    await this.#checkCount(dir, folder);
    await this.#checkFolder(dir, folder, codeBytes);
    await this.#checkTotal(dir, codeBytes);
  }

  async #checkCount(dir: ContainedDir, folder: string): Promise<void> {
    if ((await dir.statIfThere(RelativePath.parse(folder))) !== undefined) return;
    const folders = (await dir.names(RelativePath.root)).filter((name) => !name.startsWith('.'));
    if (folders.length < this.limits.skills) return;
    throw tooLarge(
      `There are ${this.limits.skills} skills, the most that are kept.`,
      'Save under the name of a skill that this one replaces, with overwrite=true, or have one removed (code-execution-mcp skills remove NAME).',
    );
  }

  /** Files that are not ours count too: other clients put references and assets there. */
  async #checkFolder(dir: ContainedDir, folder: string, codeBytes: number): Promise<void> {
    const { entries } = await treeOf(dir, folder);
    const files = entries.filter(({ kind }) => kind === 'file');
    const bytes = files.reduce((sum, { size }) => sum + size, 0) + codeBytes;
    if (files.length <= this.limits.folderFiles && bytes <= this.limits.folderBytes) return;
    throw tooLarge(
      `The folder of the skill has ${files.length} files with ${bytes} bytes; a skill may have ${this.limits.folderFiles} files and ${this.limits.folderBytes / MIB} MiB.`,
      'Its owner has to remove files from it; until then save under another name.',
    );
  }

  async #checkTotal(dir: ContainedDir, codeBytes: number): Promise<void> {
    // The code lies in the folder and in the history, each with its SKILL.md.
    const growth = 2 * (codeBytes + Math.min(codeBytes + 4_096, MAX_MANIFEST_BYTES));
    const fits = () => this.#bytes + growth <= this.limits.totalBytes;
    if (performance.now() - this.#measuredAt > MEASURE_MS || !fits()) await this.#measure(dir);
    if (!fits())
      throw tooLarge(
        `All skills with their versions have ${this.#bytes} bytes of ${this.limits.totalBytes}.`,
        'Have skills removed with all their versions (code-execution-mcp skills remove NAME --purge).',
      );
    this.#bytes += growth;
  }

  async #measure(dir: ContainedDir): Promise<void> {
    const { entries } = await dir.list(RelativePath.root, MAX_NAMES);
    this.#bytes = entries.reduce((sum, { size }) => sum + size, 0);
    this.#measuredAt = performance.now();
  }
}

/** All below a skill's folder; nothing if it is not there. */
export async function treeOf(
  dir: ContainedDir,
  folder: string,
): Promise<{ entries: Awaited<ReturnType<ContainedDir['list']>>['entries']; skipped: readonly string[] }> {
  const { entries, skipped } = await emptyIfMissing(dir, folder);
  return entries.length + skipped.length === 0
    ? { entries, skipped }
    : dir.list(RelativePath.parse(folder, { folder: true }), MAX_NAMES);
}

function tooLarge(message: string, next: string): CodeExecutionError {
  return new CodeExecutionError('too_large', message, next);
}
