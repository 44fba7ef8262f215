// @ts-check
/** A light reader of Python text: enough to tell a call with literals from anything else. */

/**
 * Why a text is more or less than one expression on one line; undefined if it is not. Strings are those of JSON, brackets
 * are closed by their own kind, and outside of strings there are names, numbers and the signs given only.
 *
 * @param {string} text
 * @param {RegExp} outside matches one allowed character outside of strings
 */
export function faultInPython(text, outside) {
  /** @type {string[]} */
  const open = [];
  let rest = text;
  while (rest !== '') {
    const string = /^"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.exec(rest)?.[0];
    const one = string ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
    if (string === undefined) {
      if (one === '"') return 'a string is not closed';
      const closing = CLOSING.get(one);
      if (closing !== undefined) open.push(closing);
      else if (')]}'.includes(one) && open.pop() !== one) return 'a bracket is closed by another';
      else if (!outside.test(one) && !')]}'.includes(one))
        return `${JSON.stringify(one)} stands outside of a string`;
    }
    rest = rest.slice(one.length);
  }
  return open.length > 0 ? 'a bracket is not closed' : undefined;
}

const CLOSING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
