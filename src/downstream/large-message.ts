import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Span } from './json-spans.js';
import { LARGE_KEY, LargeResult } from './large-result.js';
import { type Fault, type Line, NOT_JSON, PARSE_BYTES } from './message-lines.js';

/** Answers other than results of calls, which are lists of definitions, may be this long: parsing takes some 40 ms. */
const MAX_OTHER_BYTES = 4 * PARSE_BYTES;
/** Deeper values crash whoever walks them by recursion, Python's parser among them. */
export const MAX_DEPTH = 200;

type Large = Extract<Line, { kind: 'large' }>;

/**
 * What the SDK gets in place of a long message: the answer to a call becomes a short one that carries a
 * {@link LargeResult}.
 */
export function standInFor(line: Large, isCall: boolean): JSONRPCMessage | Fault {
  const { spans } = line.spans;
  if (line.spans.deepest > MAX_DEPTH)
    return { code: 'too_large', reason: `is nested more than ${MAX_DEPTH} levels deep` };
  const isResult = isCall && spans.has('result');
  if (!isResult) {
    if (line.bytes > MAX_OTHER_BYTES)
      return { code: 'too_large', reason: `has more than ${MAX_OTHER_BYTES / 1024 / 1024} MiB` };
    return parsed(cut(line.chunks, { start: 0, end: line.bytes }), (value) => value as JSONRPCMessage);
  }
  const isError = text(line, 'result.isError') === 'true';
  const resultType = text(line, 'result.resultType');
  const result = {
    content: [],
    ...(resultType ? { resultType: resultType.replaceAll('"', '') } : {}),
    _meta: { [LARGE_KEY]: largeResult(line, isError) },
  };
  return parsed([Buffer.from(line.spans.idText)], (id) => ({
    jsonrpc: '2.0',
    id: id as string | number,
    result,
  }));
}

function largeResult(line: Large, isError: boolean): LargeResult {
  const structured = line.spans.spans.get('result.structuredContent');
  const content = line.spans.spans.get('result.content');
  const parts = [
    Buffer.from('{'),
    ...(structured ? [Buffer.from('"structured":'), ...cut(line.chunks, structured), Buffer.from(',')] : []),
    Buffer.from('"content":'),
    ...(content ? cut(line.chunks, content) : [Buffer.from('[]')]),
    Buffer.from('}'),
  ];
  return new LargeResult(
    isError,
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
}

/** The bytes of a span; nothing is copied. */
function cut(chunks: readonly Buffer[], span: Span): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (const chunk of chunks) {
    const from = Math.max(0, span.start - at);
    const to = Math.min(chunk.length, span.end - at);
    if (from < to) parts.push(chunk.subarray(from, to));
    at += chunk.length;
  }
  return parts;
}

/** A short member of the message as JSON text; empty when it is missing or long. */
function text(line: Large, name: string): string {
  const span = line.spans.spans.get(name);
  if (!span || span.end - span.start > 100) return '';
  return Buffer.concat(cut(line.chunks, span)).toString('utf8').trim();
}

function parsed(parts: readonly Buffer[], use: (value: unknown) => JSONRPCMessage): JSONRPCMessage | Fault {
  try {
    return use(JSON.parse(Buffer.concat(parts).toString('utf8')));
  } catch {
    return NOT_JSON;
  }
}
