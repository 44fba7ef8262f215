import { createHash } from 'node:crypto';
import { CodeExecutionError } from '../core/errors.js';
import { isDeeper, MAX_DEPTH } from './json-depth.js';

/** The payload of a call. @throws CodeExecutionError `bad_arguments` */
export function parseBody(payload: Uint8Array): Record<string, unknown> {
  let body: unknown;
  let isDeep = false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
    isDeep = isDeeper(text, MAX_DEPTH);
    body = isDeep ? {} : JSON.parse(text);
  } catch {
    throw new CodeExecutionError('bad_arguments', 'the arguments are no JSON');
  }
  if (isDeep)
    throw new CodeExecutionError('bad_arguments', `the arguments are nested deeper than ${MAX_DEPTH} levels`);
  if (!isRecord(body)) throw new CodeExecutionError('bad_arguments', 'the arguments are no object');
  return body;
}

/** Of the canonical JSON: the same arguments give the same hash, whatever the order of their keys. */
export function hashOf(args: Record<string, unknown>): string {
  const text = JSON.stringify(args, (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
