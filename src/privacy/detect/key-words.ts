/**
 * A key as lower-case words joined by blanks: `Customer.E-Mail`, `customer_email`, `customerEmail`, `CUSTOMER EMAIL` and
 * `customer-email` differ in `e mail` only; `HTTPServer2` is `http server 2`.
 */
export function keyWords(key: string): string {
  const from = key.length > LONGEST_KEY ? key.slice(0, LONGEST_KEY) : key;
  return from
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .replace(/(\p{N})(\p{L})/gu, '$1 $2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Characters of a key that are looked at; longer ones are text. */
const LONGEST_KEY = 120;
