// @ts-check
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/ensure-installed.mjs';

/** The deno binary of the installed npm package: the one that the product uses. @returns {string} */
export function denoBinary() {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[String(process.platform)];
  const name = `${system}-${process.arch}${system === 'linux' ? '-glibc' : ''}`;
  const binary = path.join(ROOT, 'node_modules', '@deno', name, system === 'win32' ? 'deno.exe' : 'deno');
  if (!existsSync(binary)) throw new Error(`no deno at ${binary}; next: npm ci --ignore-scripts`);
  return binary;
}
