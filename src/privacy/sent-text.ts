import { base64Text } from './rewrite/base64-text.js';

/** Nesting that is looked into. */
const MAX_DEPTH = 64;

/**
 * The texts of arguments that an agent sent, keys included, and what a text in base64 says: a file may come in that form.
 * Iterative, for the arguments may be nested as deep as a message can be long.
 */
export function* sentText(args: unknown): Generator<string> {
  const waiting: { value: unknown; depth: number }[] = [{ value: args, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') {
      yield value;
      const inside = base64Text(value);
      if (inside !== undefined) yield inside.text;
    } else if (typeof value === 'number') {
      yield String(value);
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      const isList = Array.isArray(value);
      for (const [key, item] of Object.entries(value)) {
        if (!isList) {
          yield key;
          // Together with its key, which tells what a value is.
          if (typeof item === 'number' || (typeof item === 'string' && item.length < MAX_PAIR))
            yield `${key}: ${item}`;
        }
        waiting.push({ value: item, depth: depth + 1 });
      }
    }
  }
}

const MAX_PAIR = 200;
