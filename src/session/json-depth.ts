/** Deeper values break readers of JSON on both sides; nothing that a tool means has a tenth of it. */
export const MAX_DEPTH = 200;

/** Whether JSON text has more than `limit` brackets open at a time. One look at each character; also right for no JSON. */
export function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === BRACE || code === BRACKET) {
      if (++depth > limit) return true;
    } else if (code === BRACE + 2 || code === BRACKET + 2) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Two below their closing ones. */
const BRACKET = 0x5b;
const BRACE = 0x7b;
