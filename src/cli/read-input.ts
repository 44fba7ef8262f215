import type { Readable } from 'node:stream';
import { CodeExecutionError } from '../core/errors.js';
import { UsageError } from './usage-error.js';

/** Standard input as text. @throws CodeExecutionError `too_large`; UsageError: no UTF-8. */
export async function readInput(input: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > maxBytes)
      throw new CodeExecutionError(
        'too_large',
        `standard input holds more than ${maxBytes} bytes`,
        'put data in a file',
      );
    chunks.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('standard input is not UTF-8 text', 'convert it, for example with iconv');
  }
}
