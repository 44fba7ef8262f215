import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Manifest, writeManifest } from '../../../src/skills/manifest.js';
import { readNarrowYaml } from '../../../src/skills/narrow-yaml.js';
import { type ManifestReading, readManifest } from '../../../src/skills/read-manifest.js';

const read = (text: string): ManifestReading => readManifest(text, 'my-skill');
const BODY = '# My skill\n\nDoes a thing.\n';

function manifestOf(text: string): Manifest {
  const reading = read(text);
  if ('broken' in reading) throw new Error(reading.broken);
  return reading.manifest;
}

test('a manifest is written with quoted values, and what others take for a border of the frontmatter is escaped', () => {
  const text = writeManifest({
    name: 'my-skill',
    description: 'Says: "a --- b"\n# no comment',
    license: 'MIT',
    metadata: new Map([
      ['version', '1'],
      ['odd key', 'yes'],
    ]),
    body: BODY,
  });
  expect(text).toBe(
    [
      '---',
      'name: my-skill',
      'description: "Says: \\"a -\\x2d- b\\"\\n# no comment"',
      'license: "MIT"',
      'metadata:',
      '  version: "1"',
      '  "odd key": "yes"',
      '---',
      '',
      '# My skill',
      '',
      'Does a thing.',
      '',
    ].join('\n'),
  );
});

const value = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('-', '\\', 'x', '2', 'd', '"', ':', '#', '\n', '\u2028', '\x85'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 60,
  })
  .filter((text) => !/\p{Surrogate}/u.test(text));

test('what is written is read back by this reader and by a full YAML parser alike', () => {
  const key = fc.constantFrom('version', 'tags', 'saved_by', 'requires_tools', 'odd key', 'Ä');
  fc.assert(
    fc.property(value, fc.dictionary(key, value), (license, entries) => {
      const metadata = new Map(Object.entries(entries));
      const text = writeManifest({ name: 'my-skill', description: 'x', license, metadata, body: BODY });
      const yaml = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
      expect(yaml.includes('---')).toBe(false);
      const expected = {
        name: 'my-skill',
        description: 'x',
        license,
        ...(metadata.size > 0 ? { metadata: entries } : {}),
      };
      expect(parse(yaml)).toEqual(expected);
      const narrow = readNarrowYaml(yaml);
      if (narrow !== undefined) {
        const plain = Object.fromEntries(
          [...narrow].map(([name, one]) => [name, one instanceof Map ? Object.fromEntries(one) : one]),
        );
        expect(plain).toEqual(expected);
      }
      const back = manifestOf(text);
      expect([back.license, back.metadata]).toEqual([license.trim() === '' ? undefined : license, metadata]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['a: b: c', undefined],
  ['- a', undefined],
  ['a: &x b', undefined],
  ['a: 1', undefined],
  ['a: "b', undefined],
  ['  a: "b"', undefined],
  ['a: "b"\na: "c"', undefined],
  ['a: "\\q"', undefined],
  ['a:\n  b: "c"\n  b: "d"', undefined],
  [
    'a: b-c\nm:\n  k: "v"\nn: "o"',
    [
      ['a', 'b-c'],
      ['m', new Map([['k', 'v']])],
      ['n', 'o'],
    ],
  ],
  [
    'a:\nb: "c"',
    [
      ['a', ''],
      ['b', 'c'],
    ],
  ],
])('the narrow reader takes its own form only: %j', (yaml, entries) => {
  expect(readNarrowYaml(yaml)).toEqual(entries && new Map(entries as [string, unknown][]));
});

test.each<[string, string, string, string[]]>([
  [
    'no frontmatter',
    '# Title\n\nFirst\nlines.\n\nMore.',
    'First lines.',
    ['SKILL.md has no frontmatter; its description is taken from the text.'],
  ],
  [
    'only a heading',
    '# Title\n',
    'Title',
    ['SKILL.md has no frontmatter; its description is taken from the text.'],
  ],
  [
    'no description',
    '---\nname: my-skill\n---\nText.',
    'Text.',
    ['SKILL.md has no description; the first lines of its text stand for it.'],
  ],
  [
    'another name',
    '---\nname: other\ndescription: d\n---\n',
    'd',
    ['The name in SKILL.md differs from the name of the folder.'],
  ],
  ['no name', '---\ndescription: d\n---\n', 'd', ['SKILL.md has no name.']],
  [
    'foreign keys',
    '---\nname: my-skill\ndescription: d\nversion: 1\nauthor: me\n---\n',
    'd',
    ['SKILL.md has keys that are not of the format: "version", "author".'],
  ],
  [
    'a colon without quotes',
    '---\nname: my-skill\ndescription: Use when: asked\n---\n',
    'Use when: asked',
    ['The frontmatter of SKILL.md is no valid YAML; it was read line by line.'],
  ],
  [
    'metadata that nests',
    '---\nname: my-skill\ndescription: d\nmetadata:\n  a: b\n  c: [1]\n---\n',
    'd',
    ['Metadata that is no text is left out: "c".'],
  ],
  [
    'metadata of another kind',
    '---\nname: my-skill\ndescription: d\nmetadata: text\n---\n',
    'd',
    ['The metadata in SKILL.md is no mapping.'],
  ],
  [
    'a description of another kind',
    '---\nname: my-skill\ndescription: [a]\n---\nText.',
    'Text.',
    [
      'The value of "description" in SKILL.md is no text.',
      'SKILL.md has no description; the first lines of its text stand for it.',
    ],
  ],
  [
    'Windows line ends and a byte order mark',
    '\ufeff---\r\nname: my-skill\r\ndescription: d\r\n---\r\nText.',
    'd',
    [],
  ],
  ['block text and comments', '---\nname: my-skill # it\ndescription: >-\n  a\n  b\n---\n', 'a b', []],
  [
    'numbers and dates as text',
    '---\nname: my-skill\ndescription: 2026-01-01\nmetadata: {version: 2}\n---\n',
    '2026-01-01',
    [],
  ],
  ['hidden characters', '---\nname: my-skill\ndescription: "a\\u202eb\\u001b[31mc"\n---\n', 'a b [31mc', []],
])('a SKILL.md with %s loads, and tells', (_what, text, description, warnings) => {
  const reading = read(text);
  expect(reading).toMatchObject({ manifest: { name: 'my-skill', description }, warnings });
});

test('a description that is too long is cut, and tells', () => {
  const reading = read(`---\nname: my-skill\ndescription: ${'x'.repeat(2_000)}\n---\n`);
  expect(reading).toMatchObject({
    manifest: { description: 'x'.repeat(1_024) },
    warnings: ['The description in SKILL.md is longer than 1024 characters; the rest is left out.'],
  });
});

const bomb = Array.from({ length: 9 }, (_, at) => {
  const item = at === 0 ? '"lol"' : `*a${at - 1}`;
  return `a${at}: &a${at} [${Array.from({ length: 9 }, () => item).join(',')}]`;
}).join('\n');

test.each([
  [
    'an alias bomb',
    `---\n${bomb}\ndescription: [*a8]\n---\n`,
    'has a SKILL.md whose frontmatter cannot be read: it uses aliases, which are not allowed',
  ],
  [
    'a merge of aliases',
    '---\na: &a {b: c}\nd: {<<: *a}\n---\nText.',
    'has a SKILL.md whose frontmatter cannot be read: it uses aliases, which are not allowed',
  ],
  [
    'a nest of lists',
    `---\ndescription: ${'['.repeat(20_000)}\n---\n`,
    'has a SKILL.md whose frontmatter cannot be read: it is nested too deeply',
  ],
  [
    'a long frontmatter',
    `---\ndescription: "${'x'.repeat(40_000)}"\n---\n`,
    'has a SKILL.md whose frontmatter is longer than 32768 bytes',
  ],
  [
    'an open frontmatter',
    '---\nname: my-skill\ndescription: d\n',
    'has a SKILL.md whose frontmatter has no closing "---"',
  ],
  [
    'no mapping',
    '---\n- a\n---\nText.',
    'has a SKILL.md whose frontmatter cannot be read: it is no mapping of keys to values',
  ],
  ['nothing at all', '', 'has a SKILL.md without a description'],
])('a SKILL.md with %s is broken, with the reason', (_what, text, broken) => {
  expect(read(text)).toEqual({ broken });
});

test('a key named like a property of every object is only a key', () => {
  const reading = read(
    '---\nname: my-skill\ndescription: d\n__proto__: {polluted: yes}\nmetadata: {__proto__: x}\n---\n',
  );
  expect(reading).toMatchObject({ warnings: ['SKILL.md has keys that are not of the format: "__proto__".'] });
  expect(manifestOf('---\ndescription: d\nmetadata: {__proto__: x}\n---\n').metadata.get('__proto__')).toBe(
    'x',
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
