/** What code usually does to a text: name, the same in JavaScript, and the expression in Python over `s`. */
export const TRANSFORMATIONS: readonly (readonly [string, (text: string) => string, string])[] = [
  ['lower case', (text) => text.toLowerCase(), 's.lower()'],
  ['upper case', (text) => text.toUpperCase(), 's.upper()'],
  ['title case', title, 's.title()'],
  ['capitalised', (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(), 's.capitalize()'],
  ['case swapped', swapCase, 's.swapcase()'],
  ['URL quoting', encodeURIComponent, "__import__('urllib.parse').parse.quote(s, safe='')"],
  [
    'a query string',
    (text) => new URLSearchParams({ q: text }).toString(),
    "__import__('urllib.parse').parse.urlencode({'q': s})",
  ],
  ['HTML escaping', html, "__import__('html').escape(s)"],
  [
    'XML text',
    (text) => `<a>${html(text)}</a>`,
    "'<a>' + __import__('xml.sax.saxutils').sax.saxutils.escape(s) + '</a>'",
  ],
  ['JSON', (text) => JSON.stringify(text), "__import__('json').dumps(s)"],
  [
    'JSON in JSON',
    (text) => JSON.stringify(JSON.stringify(text)),
    "__import__('json').dumps(__import__('json').dumps(s))",
  ],
  ['repr', (text) => `'${text.replaceAll("'", "\\'")}'`, 'repr(s)'],
  ['a cell of CSV', (text) => `"${text.replaceAll('"', '""')}",1`, `'"' + s.replace('"', '""') + '",1'`],
  [
    'Markdown escaping',
    (text) => text.replace(/[\\`*_{}[\]()#+\-.!]/g, '\\$&'),
    "__import__('re').sub(r'([\\\\`*_{}\\[\\]()#+\\-.!])', r'\\\\\\1', s)",
  ],
  ['a slug', slug, "__import__('re').sub(r'[^a-z0-9]+', '-', s.lower()).strip('-')"],
  [
    'words, joined again',
    (text) => text.split(/\W+/).join(' '),
    "' '.join(__import__('re').split(r'\\W+', s))",
  ],
  ['formatting', (text) => `<${text.padStart(60)}>`, "'<{:>60}>'.format(s)"],
  [
    'punctuation stripped',
    (text) => text.replace(/[^\w\s]/g, ''),
    "s.translate(str.maketrans('', '', __import__('string').punctuation))",
  ],
  [
    'regular expression escaping',
    (text) => text.replace(/[^A-Za-z0-9_]/g, '\\$&'),
    "__import__('re').escape(s)",
  ],
  [
    'Latin-1 and back',
    (text) => Buffer.from(text, 'latin1').toString('latin1'),
    "s.encode('latin-1').decode('latin-1')",
  ],
  ['normalisation', (text) => text.normalize('NFKC'), "__import__('unicodedata').normalize('NFKC', s)"],
  [
    'an identifier',
    (text) => `f_${text.replace(/\W/g, '_')}_v2`,
    "'f_' + __import__('re').sub(r'\\W', '_', s) + '_v2'",
  ],
];

function title(text: string): string {
  return text.toLowerCase().replace(/[a-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function swapCase(text: string): string {
  return Array.from(text, (c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
