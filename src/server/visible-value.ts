import { visibleString } from './visible-text.js';

/** Nesting beyond this is cut: deeper values break JSON writers and tell a reader nothing. */
export const MAX_DEPTH = 60;

interface Allowance {
  left: number;
}

/**
 * A JSON value as it may leave the server: every string and key made visible, nesting and size bounded. What does not
 * fit in `maxChars` characters of JSON is replaced by a marker, from the end on; `maxChars` is exceeded by a constant
 * at most. Linear in what is kept.
 */
export function visibleValue(value: unknown, maxChars = Number.POSITIVE_INFINITY): unknown {
  return copy(value, { left: maxChars }, 0);
}

function copy(value: unknown, allowance: Allowance, depth: number): unknown {
  if (typeof value === 'string') return text(value, allowance);
  if (value === null || typeof value !== 'object') {
    allowance.left -= 8;
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  }
  if (depth >= MAX_DEPTH) return `... (deeper than ${MAX_DEPTH} levels)`;
  return Array.isArray(value) ? list(value, allowance, depth) : record(value, allowance, depth);
}

function text(value: string, allowance: Allowance): string {
  if (value.length > allowance.left) {
    const kept = Math.max(0, allowance.left);
    allowance.left = 0;
    return `${clip(visibleString(value.slice(0, kept)), kept)}... (${value.length - kept} characters left out)`;
  }
  const visible = visibleString(value);
  allowance.left -= visible.length + 3;
  return visible;
}

function list(value: readonly unknown[], allowance: Allowance, depth: number): unknown[] {
  const out: unknown[] = [];
  for (const item of value) {
    if (allowance.left <= 0) {
      out.push(`... (${value.length - out.length} items left out)`);
      break;
    }
    allowance.left -= 2;
    out.push(copy(item, allowance, depth + 1));
  }
  return out;
}

/** Built from entries: assigning a key named `__proto__` would set the prototype instead. */
function record(value: object, allowance: Allowance, depth: number): object {
  const out: [string, unknown][] = [];
  const entries = Object.entries(value);
  for (const [key, item] of entries) {
    if (item === undefined) continue;
    if (allowance.left <= 0 && depth > 0) {
      out.push(['...', `${entries.length - out.length} keys left out`]);
      break;
    }
    out.push([text(key, allowance), copy(item, allowance, depth + 1)]);
  }
  return Object.fromEntries(out);
}

/** The first `length` UTF-16 units, without cutting a surrogate pair in two. */
export function clip(value: string, length: number): string {
  if (value.length <= length) return value;
  const last = value.charCodeAt(length - 1);
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
