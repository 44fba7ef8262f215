// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../ensure-installed.mjs';

/**
 * A Node of this version, from the npm package that holds the binary, below .cache; no install script is run.
 * @param {string} version
 * @returns {string} Path of the binary.
 */
export function nodeBinary(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const prefix = path.join(ROOT, '.cache', 'node', version);
  const binary = path.join(
    prefix,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(binary)) {
    const args = [
      'install',
      '--prefix',
      prefix,
      '--ignore-scripts',
      '--no-save',
      '--no-audit',
      '--no-fund',
      `${name}@${version}`,
    ];
    const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
    if (status !== 0 || !existsSync(binary))
      throw new Error(`${name}@${version} could not be installed from npm`);
  }
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  if (stdout.trim() !== `v${version}`) throw new Error(`${binary} says ${stdout.trim()}, not v${version}`);
  return binary;
}
