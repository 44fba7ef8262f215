import type { ToolResult } from '../core/tool.js';
import { isDeeper, MAX_DEPTH } from './json-depth.js';

/** The answer to a call as Python gets it, and its value where it is one. */
export interface EncodedResult {
  readonly json: Uint8Array;
  readonly value?: unknown;
}

/** structuredContent if there is any; else the text, parsed when it is JSON; media and mixtures as parts. */
export function encodedResult({ structured, content, large }: ToolResult): EncodedResult {
  // Nobody here makes values of it: Python applies the same rules to `structured` and `content`.
  if (large) return { json: Buffer.concat(large.parts, large.bytes) };
  const hasMedia = content.some((part) => part.type === 'image' || part.type === 'audio');
  if (structured !== undefined && !hasMedia)
    return { json: encode({ value: structured }), value: structured };
  const [first, ...others] = content;
  if (first === undefined) return { json: encode({ value: null }), value: null };
  if (first.type !== 'text' || others.length > 0) return { json: encode({ parts: content }) };
  return encodedText(first.text);
}

/** Only objects and arrays are parsed: a text "12" or "true" is more often a text than a number. */
function encodedText(text: string): EncodedResult {
  const asText = { json: encode({ value: text }), value: text };
  if (!/^\s*[{[]/.test(text) || isDeeper(text, MAX_DEPTH)) return asText;
  try {
    const value: unknown = JSON.parse(text);
    // As it came, for Python reads integers beyond 2**53 without rounding them; a lone surrogate needs its escape.
    const json = LONE_SURROGATE.test(text)
      ? encode({ value })
      : new TextEncoder().encode(`{"value":${text}}`);
    return { json, value };
  } catch {
    return asText;
  }
}

const LONE_SURROGATE = /[\ud800-\udfff]/u;

export function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
