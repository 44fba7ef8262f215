import path from 'node:path';
import type { Logger } from './core/logger.js';
import { LineLog } from './fs/line-log.js';

const MAX_BYTES = 8 * 1024 * 1024;
const FILES = 5;

/** `<data folder>/audit/<name>.jsonl`. A log that cannot be written is told to the operator and stops nothing. */
export function auditLog(dataDir: string, name: string, logger: Logger): LineLog {
  return new LineLog({
    file: path.join(dataDir, 'audit', `${name}.jsonl`),
    maxBytes: MAX_BYTES,
    keep: FILES,
    onError: (err) => logger.error({ err }, `the audit log ${name} cannot be written`),
  });
}
