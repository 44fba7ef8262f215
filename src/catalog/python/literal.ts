/** Text of a Python literal for a JSON value; `most` characters at most, then an ellipsis (no longer a literal). */
export function pythonLiteral(value: unknown, most = 60): string {
  const text = literal(value, 0);
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

function literal(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (depth > 4) return '...';
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth + 1)).join(', ')}]`;
  const fields = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${literal(item, depth + 1)}`,
  );
  return `{${fields.join(', ')}}`;
}
