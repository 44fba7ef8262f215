import { createHash } from 'node:crypto';
import type { ToolDefinition } from '../../core/tool.js';

/**
 * SHA-256 over a definition as it came, before any cleaning: hidden text that comes or goes is a change as well. Hex. The
 * order of keys does not count, for servers build their schemas from maps.
 */
export function definitionHash(definition: ToolDefinition): string {
  return createHash('sha256').update(canonical(definition, 0)).digest('hex');
}

/** Far above what the reader of definitions lets through; a registry file may be anything. */
const MAX_DEPTH = 200;

/**
 * A text that only equal values share: every string has its length before it, so nothing needs escapes. Thousands of
 * definitions are hashed at the start.
 */
function canonical(value: unknown, depth: number): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (typeof value !== 'object' || value === null) return `${String(value)};`;
  if (depth > MAX_DEPTH) return `j${JSON.stringify(value)};`;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += canonical(item, depth + 1);
    return `[${text}]`;
  }
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields).sort()) {
    if (fields[key] !== undefined) text += `${key.length}:${key}${canonical(fields[key], depth + 1)}`;
  }
  return `{${text}}`;
}
