import { CodeExecutionError } from '../core/errors.js';
import type { ToolContent, ToolResult } from '../core/tool.js';
import { valueSize } from '../core/value-size.js';
import { MAX_DEPTH } from './large-message.js';
import { LARGE_KEY, LargeResult } from './large-result.js';

/** Parts of one result; a directory of images has fewer. */
const MAX_PARTS = 10_000;

/**
 * What a call came to, from the protocol's result as the server sent it. Permissive: fields that the protocol does not
 * have are dropped, parts that make no sense are named in a text, and output schemas are not enforced here.
 * @throws CodeExecutionError `too_large` above `maxBytes`, or nested deeper than 200.
 */
export function unwrap(result: unknown, maxBytes: number, acceptLarge: boolean): ToolResult {
  const fields = record(result) ?? {};
  const large = record(fields._meta)?.[LARGE_KEY];
  if (large instanceof LargeResult) {
    if (large.bytes > maxBytes) throw tooLarge(large.bytes, maxBytes);
    // Its size and depth are known.
    if (!acceptLarge) return partsOf(parsedLarge(large));
    const { isError, parts, bytes } = large;
    return { isError, content: [], large: { parts, bytes } };
  }
  const size = valueSize([fields.content, fields.structuredContent], maxBytes, MAX_DEPTH + 1);
  if (size === 'too large') throw tooLarge(undefined, maxBytes);
  if (size === 'too deep') {
    const message = `the result is nested more than ${MAX_DEPTH} levels deep`;
    throw new CodeExecutionError('too_large', message, ASK_LESS);
  }
  return partsOf(fields);
}

function partsOf({ content, structuredContent, isError }: Record<string, unknown>): ToolResult {
  const parts = Array.isArray(content) ? content : [];
  const dropped = parts.length - MAX_PARTS;
  return {
    isError: isError === true,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    content: [
      ...parts.slice(0, MAX_PARTS).map(partOf),
      ...(dropped > 0 ? [note(`${dropped} more parts of the result are left out`)] : []),
    ],
  };
}

/** @throws CodeExecutionError `tool_unavailable` when it is no JSON */
function parsedLarge({ isError, parts }: LargeResult): Record<string, unknown> {
  try {
    const { structured, content } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return { isError, structuredContent: structured, content };
  } catch (cause) {
    throw new CodeExecutionError(
      'tool_unavailable',
      'the answer of the server is not valid JSON',
      undefined,
      { cause },
    );
  }
}

/** The next step for who got too much. */
export const ASK_LESS = 'ask the tool for less: a filter, a page, or fewer fields';

function tooLarge(bytes: number | undefined, maxBytes: number): CodeExecutionError {
  const mib = (n: number) => `${Math.round((n / 1024 / 1024) * 10) / 10} MiB`;
  const size =
    bytes === undefined ? `more than ${mib(maxBytes)}` : `${mib(bytes)}; the most is ${mib(maxBytes)}`;
  return new CodeExecutionError('too_large', `the result of the tool has ${size}`, ASK_LESS);
}

function partOf(part: unknown): ToolContent {
  const fields = record(part) ?? {};
  const { type } = fields;
  if (type === 'text' && typeof fields.text === 'string') return { type, text: fields.text };
  if ((type === 'image' || type === 'audio') && typeof fields.data === 'string') {
    return { type, data: fields.data, mimeType: string(fields.mimeType) ?? 'application/octet-stream' };
  }
  if (type === 'resource') {
    const resource = record(fields.resource) ?? {};
    return { type, uri: string(resource.uri) ?? '', ...strings(resource, ['mimeType', 'text', 'blob']) };
  }
  if (type === 'resource_link') {
    return { type, uri: string(fields.uri) ?? '', ...strings(fields, ['name', 'mimeType']) };
  }
  return note(`a part of the result has the unknown type ${JSON.stringify(type)?.slice(0, 50)}`);
}

function note(text: string): ToolContent {
  return { type: 'text', text: `[${text}]` };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function strings<K extends string>(from: Record<string, unknown>, keys: readonly K[]): { [P in K]?: string } {
  const found: { [P in K]?: string } = {};
  for (const key of keys) {
    const value = string(from[key]);
    if (value !== undefined) found[key] = value;
  }
  return found;
}
