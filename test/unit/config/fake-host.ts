import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostEnvironment } from '../../../src/config/config.js';

/** A home and a working directory of their own, with the files given by path relative to the folder that holds both. */
export function fakeHost(
  files: Record<string, string> = {},
  env: Record<string, string> = {},
): HostEnvironment & { readonly root: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'code-execution-config-')));
  const home = join(root, 'home');
  const cwd = join(root, 'project');
  mkdirSync(home);
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  // uid of no special meaning where files are made by root: root's files count as trusted for everybody.
  return { env, platform: 'linux', home, cwd, uid: process.getuid?.() || 1000, root };
}

/** Path of the user's file below the folder of {@link fakeHost}. */
export const USER = 'home/.config/code-execution-mcp/config.json';
/** Path of the project's file below the folder of {@link fakeHost}. */
export const PROJECT = 'project/.code-execution.json';
