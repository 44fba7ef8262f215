import { CodeExecutionError } from '../core/errors.js';
import { MAX_CODE_BYTES, MAX_CONTEXT_BYTES } from '../core/limits.js';
import { bindableName, refusalOfName } from './python-names.js';
import { count } from './quantities.js';
import { clip } from './visible-value.js';

const SESSION_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** @throws CodeExecutionError `bad_arguments`, `too_large`, `bad_encoding`: this is no source text that can be run. */
export function checkCode(code: string): void {
  if (code.trim() === '') {
    throw new CodeExecutionError('bad_arguments', '"code" is empty', 'pass Python source in "code"');
  }
  const size = Buffer.byteLength(code);
  if (size > MAX_CODE_BYTES) {
    throw new CodeExecutionError(
      'too_large',
      `"code" has ${count(size)} bytes; the most is ${count(MAX_CODE_BYTES)}`,
      'put data into a file (write_workspace_file) or into context_vars, and read it from the code',
    );
  }
  const nul = code.indexOf('\0');
  if (nul >= 0) {
    throw new CodeExecutionError(
      'bad_arguments',
      `"code" has a NUL character in line ${line(code, nul)}`,
      'write it as \\x00 inside a string',
    );
  }
  const lone = loneSurrogate(code);
  if (lone >= 0) {
    throw new CodeExecutionError(
      'bad_encoding',
      `"code" has half of a surrogate pair in line ${line(code, lone)}, which UTF-8 cannot hold`,
      'write it as an escape like \\ud83d inside a string',
    );
  }
}

/** @throws CodeExecutionError `bad_arguments`, `too_large`: these values cannot be bound as variables. */
export function checkContext(context: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(context)) {
    const refusal = refusalOfName(name);
    if (refusal === undefined) continue;
    throw new CodeExecutionError(
      'bad_arguments',
      `context_vars: ${JSON.stringify(clip(name, 80))} ${refusal}`,
      `rename it, for example to "${bindableName(clip(name, 80))}"`,
    );
  }
  const size = Buffer.byteLength(JSON.stringify(context));
  if (size > MAX_CONTEXT_BYTES) {
    throw new CodeExecutionError(
      'too_large',
      `context_vars has ${count(size)} bytes of JSON; the most is ${count(MAX_CONTEXT_BYTES)}`,
      'write the data with write_workspace_file and open it from the code',
    );
  }
}

/** @throws CodeExecutionError `bad_name`. */
export function checkSession(name: string): void {
  if (SESSION_NAME.test(name)) return;
  const near = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64);
  throw new CodeExecutionError(
    'bad_name',
    `session name ${JSON.stringify(clip(name, 80))} is not allowed`,
    `use 1 to 64 letters, digits, "_", "." or "-"${/[A-Za-z0-9]/.test(near) ? `, for example "${near}"` : ''}`,
  );
}

/** Index of the first half of a surrogate pair that stands alone, or -1. */
export function loneSurrogate(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

function line(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
