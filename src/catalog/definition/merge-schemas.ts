import type { JsonSchema } from '../../core/tool.js';

type Fields = { readonly [key: string]: unknown };

/**
 * One schema for a value that must fit all of them: properties and required names joined, for every other keyword the
 * first that has it. An approximation, on the lenient side. The parts are bounded schemas.
 */
export function mergeAll(parts: readonly JsonSchema[]): JsonSchema {
  if (parts.includes(false)) return false;
  const objects = parts.filter((part): part is Fields => typeof part === 'object');
  if (objects.length < 2) return objects[0] ?? {};
  const merged = new Map<string, unknown>();
  const properties = new Map<string, unknown>();
  const required = new Set<string>();
  for (const part of objects) {
    for (const [key, value] of Object.entries(part)) if (!merged.has(key)) merged.set(key, value);
    for (const [name, schema] of Object.entries((part.properties ?? {}) as Fields)) {
      if (!properties.has(name)) properties.set(name, schema);
    }
    for (const name of (part.required ?? []) as string[]) required.add(name);
  }
  if (properties.size > 0) merged.set('properties', Object.fromEntries(properties));
  if (required.size > 0) merged.set('required', [...required]);
  return Object.fromEntries(merged);
}
