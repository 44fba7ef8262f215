/** Its value names the value of another member: `{"name": "ssn", "value": "..."}`, `{"system": "phone", "value": "..."}`. */
export const NAMES_ANOTHER = 1;
/** Its value is named by another member. */
export const IS_NAMED = 2;

/** What a key, as lower-case words, is for in such an object; 0 for most keys. */
export function roleOfKey(key: string): number {
  if (LABELS.has(key)) return NAMES_ANOTHER;
  return VALUES.has(key) ? IS_NAMED : 0;
}

const LABELS: ReadonlySet<string> = new Set([
  ...[
    'name',
    'key',
    'k',
    'field',
    'field name',
    'label',
    'header',
    'attribute',
    'property',
    'parameter',
    'param',
  ],
  ...['variable', 'system', 'type', 'kind', 'question', 'title', 'column', 'id', 'scheme'],
]);
const VALUES: ReadonlySet<string> = new Set([
  ...[
    'value',
    'values',
    'val',
    'v',
    'content',
    'answer',
    'text',
    'data',
    'string value',
    'raw',
    'number',
    'default',
  ],
]);
