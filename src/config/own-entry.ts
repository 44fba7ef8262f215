import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DownstreamServer } from '../core/downstream-server.js';

const PACKAGE = 'code-execution-mcp';
/** The package by name, as `npx` and its like take it. */
const PACKAGE_WORD = new RegExp(`^${PACKAGE}(@[\\w.^~<>=*-]+)?$`);
/** An installed copy of this program. */
const INSTALLED = new RegExp(`[\\\\/]${PACKAGE}[\\\\/]dist[\\\\/]main\\.js$`);
const OWN_MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** True when the entry would start this server, which would start its entries, and so on without end. */
export function startsThisServer({ launch }: DownstreamServer): boolean {
  if (launch.kind !== 'stdio') return false;
  const { command, args, cwd } = launch;
  const program = basename(command.replaceAll('\\', '/')).replace(/\.(cmd|exe|ps1|js)$/i, '');
  if (program === PACKAGE) return true;
  // `sh -c "npx code-execution-mcp"` has its words in one argument.
  const words = [command, ...args, ...args.flatMap((one) => one.split(/\s+/))];
  return words.some((word) => PACKAGE_WORD.test(word) || isOwnFile(word, cwd));
}

function isOwnFile(word: string, cwd: string): boolean {
  if (!/[\\/.]/.test(word)) return false;
  const path = realPath(resolve(cwd, word));
  return path === realPath(OWN_MAIN) || INSTALLED.test(path);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
