import { type DestinationStream, destination, pino } from 'pino';
import type { Logger, LogLevel } from '../core/logger.js';

/** Fields that never belong in a log, at the top and one level down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'credentials',
  'env',
  'headers',
  'password',
  'secret',
  'token',
  'apiKey',
];

/** Where and how a logger writes. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** Applied to every line: hides secrets in texts that come from anywhere. */
  readonly mask: (line: string) => string;
  /** Readable lines for a terminal instead of JSON lines for programs. */
  readonly readable: boolean;
  /** Gets whole lines. Default: file descriptor 2, written at once so that the last line before an exit is not lost. */
  readonly sink?: DestinationStream;
}

/** The operator's log, on standard error: standard output belongs to the protocol. */
export function createLogger(options: LoggerOptions): Logger {
  const sink = options.sink ?? destination({ fd: 2, sync: true });
  const write = (line: string) => sink.write(options.mask(options.readable ? readableLine(line) : line));
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '***' },
    },
    { write },
  );
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
}

/** `12:00:01 warn  message {"field":1}` from a JSON line. */
function readableLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${String(msg)}${rest}\n`;
}
