// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../ensure-installed.mjs';

/**
 * Paths of the project's own files relative to the root: tracked ones and new ones that git does not ignore.
 * @returns {string[]}
 */
export function projectFiles() {
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}; next: run this in a git clone`);
  return stdout.split('\0').filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
}
