import type { Readable } from 'node:stream';
import type { ConfigFlags } from '../config/config.js';
import { CodeExecutionError } from '../core/errors.js';
import { MAX_CODE_BYTES } from '../core/limits.js';
import type { RunOnceOptions } from './app-contract.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';
import { UsageError } from './usage-error.js';

/** Options of `run` as the command line gives them. */
export interface RunFlags extends ConfigFlags {
  /** Seconds. */
  readonly timeout?: string;
  /** MiB. */
  readonly memory?: string;
  readonly json?: boolean;
}

/** Runs a file (or standard input, `-`) in the sandbox and prints the answer that a model would read. */
export async function run(context: CliContext, file: string, flags: RunFlags): Promise<number> {
  const seconds = flags.timeout === undefined ? undefined : numberOption('--timeout', flags.timeout);
  const memoryMb = flags.memory === undefined ? undefined : numberOption('--memory', flags.memory);
  const code = file === '-' ? await readInput(context.streams.in) : await readFile(context, file);
  const { app, loaded } = await openApp(context, flags, 'warn');
  try {
    const { maxTimeoutSeconds, memoryMb: maxMemoryMb } = loaded.config.sandbox;
    checkRange('--timeout', seconds, 0.1, maxTimeoutSeconds, 'sandbox.maxTimeoutSeconds');
    checkRange('--memory', memoryMb, 64, maxMemoryMb, 'sandbox.memoryMb');
    const options: RunOnceOptions = {
      ...(seconds === undefined ? {} : { timeoutMs: Math.round(seconds * 1000) }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
    };
    const answer = await app.runOnce(code, options);
    context.streams.out.write(`${flags.json ? JSON.stringify(answer.structured, null, 2) : answer.text}\n`);
    return answer.exit === 'ok' ? EXIT.ok : EXIT.failed;
  } finally {
    await app.close();
  }
}

async function readFile(context: CliContext, file: string): Promise<string> {
  const text = await context.files.read(file);
  if (text === undefined)
    throw new UsageError(`there is no file ${file}`, 'name a Python file, or - for standard input');
  return text;
}

async function readInput(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > MAX_CODE_BYTES) {
      throw new CodeExecutionError(
        'too_large',
        `standard input holds more than ${MAX_CODE_BYTES} bytes of code`,
        'put data in a file',
      );
    }
    chunks.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('standard input is not UTF-8 text', 'convert it, for example with iconv');
  }
}

function numberOption(name: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`${name}: found "${text}", valid: a number`);
  return Number(text);
}

function checkRange(name: string, value: number | undefined, low: number, high: number, key: string): void {
  if (value === undefined || (value >= low && value <= high)) return;
  throw new UsageError(
    `${name}: found ${value}, valid: ${low} to ${high}`,
    `the upper end is ${key} of the configuration`,
  );
}
