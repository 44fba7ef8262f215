// @ts-check
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What a case wants to find on the host.
 * @param {readonly Record<string, any>[]} operations
 * @returns {{ env: Record<string, string>, config: Record<string, unknown> }} what the server is to start with.
 */
export function prepareHost(operations) {
  /** @type {Record<string, string>} */
  const env = {};
  /** @type {Record<string, unknown>} */
  let config = {};
  for (const { op, at = '', content = '', target = '', mode, name = '', value = '' } of operations) {
    if (at !== '') mkdirSync(path.dirname(at), { recursive: true });
    switch (op) {
      case 'mkfile':
        writeFileSync(at, content);
        break;
      case 'mkdir':
        mkdirSync(at, { recursive: true });
        break;
      case 'symlink':
        symlinkSync(target, at);
        break;
      case 'hardlink':
        linkSync(target, at);
        break;
      case 'mkfifo':
        spawnSync('mkfifo', [at]);
        break;
      case 'server_env':
        env[name] = value;
        break;
      case 'server_config_secret':
        config = { mcpServers: { secretive: secretServer(value) }, privacy: { allowValues: [value] } };
        break;
      default:
        throw new Error(`unknown host operation ${op}`);
    }
    if (mode !== undefined) chmodSync(at, typeof mode === 'string' ? Number.parseInt(mode, 8) : mode);
  }
  return { env, config };
}

/** Secrets of the configuration stand in the environments and arguments of other servers. @param {string} value */
function secretServer(value) {
  return { command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60000)'], env: { API_KEY: value } };
}
