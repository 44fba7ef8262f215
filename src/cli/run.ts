import type { ConfigFlags } from '../config/config.js';
import { MAX_CODE_BYTES } from '../core/limits.js';
import type { RunOnceOptions } from './app-contract.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';
import { readInput } from './read-input.js';
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
  const code =
    file === '-' ? await readInput(context.streams.in, MAX_CODE_BYTES) : await readFile(context, file);
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
