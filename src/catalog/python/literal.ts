/**
 * Text of a Python literal for a JSON value; `most` characters at most. What is longer ends in an ellipsis behind which
 * strings and brackets are closed, so that a foreign value never reaches into the text around it.
 */
export function pythonLiteral(value: unknown, most = 60): string {
  return cutClosed(literal(value, 0), most);
}

/** Text made of JSON strings, words and brackets in at most `most` characters, with all that is open closed. */
export function cutClosed(text: string, most: number): string {
  if (text.length <= most) return text;
  const open: string[] = [];
  let end = 0;
  let ending = '';
  for (let at = 0; at < text.length; ) {
    const inString = open.at(-1) === '"';
    const token = tokenAt(text, at, inString);
    const closing = CLOSING.get(token);
    if (token === open.at(-1)) open.pop();
    else if (closing !== undefined && !inString) open.push(closing);
    at += token.length;
    if (at + MARK.length + open.length > most) break;
    end = at;
    ending = [...open].reverse().join('');
  }
  return `${text.slice(0, end)}${MARK}${ending}`;
}

/** An escape in a string and a word outside are never cut in two. */
function tokenAt(text: string, at: number, inString: boolean): string {
  const token = inString ? IN_STRING : OUTSIDE;
  token.lastIndex = at;
  return token.exec(text)?.[0] ?? '';
}

const MARK = '...';
const IN_STRING = /\\u[0-9a-f]{4}|\\.|[\s\S]/uy;
const OUTSIDE = /[\w.]+|[\s\S]/uy;
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

function literal(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (depth > 4) return MARK;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth + 1)).join(', ')}]`;
  const fields = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${literal(item, depth + 1)}`,
  );
  return `{${fields.join(', ')}}`;
}
