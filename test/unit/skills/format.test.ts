import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import fc from 'fast-check';
import { validate } from 'skills-ref';
import { expect, test } from 'vitest';
import type { SkillShape } from '../../../src/skills/skills.js';
import { CODE, request, SHAPE } from './saved-request.js';
import { fixture } from './skill-fixture.js';

test('a saved skill is a folder of the Agent Skills format with the code in scripts/main.py', async () => {
  const { store, root } = fixture();
  const skill = await store.save(request());
  const text = readFileSync(path.join(root, 'filter-high-risk/SKILL.md'), 'utf8');
  const hash = '7bd7aa04285b24ab3c7ffa15f9d577870e602acafae1bab82bdf7b81068c7da4';
  expect(text).toBe(
    `---
name: filter-high-risk
description: "Keeps the customers whose risk is above a limit."
metadata:
  entrypoint: "scripts/main.py"
  version: "1"
  updated: "${skill.updated}"
  hash: "sha256:${hash}"
  saved_by: "local"
  run: "r1"
  tags: "crm, risk"
  signature: "filter_high_risk(rows: list, limit: float = 0.8) -> list"
  entry: "filter_high_risk"
  functions: "filter_high_risk"
  requires_tools: "crm.list_customers"
  examples: "1"
---

# Filter high risk

Keeps the customers whose risk is above a limit.

## Signature

\`\`\`python
filter_high_risk(rows: list, limit: float = 0.8) -> list
\`\`\`

\`\`\`text
Rows at risk.
\`\`\`

## Use through execute_code

The server code-execution-mcp makes every skill importable in the code that it runs:

\`\`\`python
from skills import filter_high_risk
result = filter_high_risk(...)
\`\`\`

## Run with plain Python

The code is in \`scripts/main.py\`. From the folder of this skill:

\`\`\`sh
PYTHONPATH=scripts python3 -c 'import main; help(main.filter_high_risk)'
\`\`\`

## Requirements

- Tools of MCP servers: \`crm.list_customers\`. In execute_code they are there as \`tools\`; plain Python needs a module \`tools\` of its own.
`,
  );
  expect(readFileSync(path.join(root, 'filter-high-risk/scripts/main.py'), 'utf8')).toBe(CODE);
  expect(skill).toMatchObject({
    name: 'filter_high_risk',
    version: 1,
    code: CODE,
    shape: SHAPE,
    tags: ['crm', 'risk'],
    files: [
      { path: 'SKILL.md', size: Buffer.byteLength(text) },
      { path: 'scripts/main.py', size: CODE.length },
    ],
    warnings: [],
    versions: [{ version: 1, principal: 'local', run: 'r1', origin: 'save', hash }],
  });
});

test('folders and files are readable by their owner only', async () => {
  const { store, root } = fixture();
  await store.save(request());
  const mode = (name: string) => statSync(path.join(root, name)).mode & 0o777;
  expect([mode('filter-high-risk'), mode('.history')]).toEqual([0o700, 0o700]);
  expect([mode('filter-high-risk/SKILL.md'), mode('filter-high-risk/scripts/main.py')]).toEqual([
    0o600, 0o600,
  ]);
});

test('the history is hidden from version control and leaves no private folder', async () => {
  const { store, root } = fixture();
  await store.save(request());
  expect(readFileSync(path.join(root, '.history/.gitignore'), 'utf8')).toBe('*\n');
  expect(readdirSync(root).sort()).toEqual(['.history', 'filter-high-risk']);
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('-', ':', '#', '`', '"', '\n', ' ', "'", '|', '>', '&', '\\'),
    maxLength: 40,
  }),
);

test('skills-ref and the SDK take every skill that is saved, whatever its texts', async () => {
  const { store, root } = fixture();
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      text,
      fc.array(text, { maxLength: 3 }),
      async (description, signature, docstring, names) => {
        const shape: SkillShape = { ...SHAPE, signature, docstring, functions: names, requiresTools: names };
        const name = `skill_n${number++}`;
        await store.save(
          request({
            name,
            description: `d ${description}`,
            shape,
            provenance: { principal: signature || 'p', run: docstring },
          }),
        );
        expect(await validate(path.join(root, name.replaceAll('_', '-')))).toEqual([]);
        expect((await store.load(name)).warnings).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
  const warnings: unknown[] = [];
  const catalog = await loadSkills(root, { strict: true, onWarning: (warning) => warnings.push(warning) });
  expect([catalog.entries.length, warnings]).toEqual([number, []]);
}, 120_000);

test('what another client put into the folder and the frontmatter stays when a new version is saved', async () => {
  const { store, root } = fixture();
  const folder = path.join(root, 'filter-high-risk');
  mkdirSync(path.join(folder, 'references'), { recursive: true });
  writeFileSync(path.join(folder, 'references/notes.md'), 'notes');
  writeFileSync(
    path.join(folder, 'SKILL.md'),
    '---\nname: filter-high-risk\ndescription: mine\nlicense: MIT\ncompatibility: any\nallowed-tools: Read\nmetadata:\n  team: risk\n  version: "9"\n---\nMy own words.\n',
  );
  const skill = await store.save(request({ overwrite: true }));
  const manifest = readFileSync(path.join(folder, 'SKILL.md'), 'utf8');
  for (const kept of [
    'license: "MIT"',
    'compatibility: "any"',
    'allowed-tools: "Read"',
    '  team: "risk"',
    '  version: "2"',
  ])
    expect(manifest).toContain(`\n${kept}\n`);
  expect(skill.files.map((file) => file.path)).toEqual([
    'SKILL.md',
    'references/notes.md',
    'scripts/main.py',
  ]);
  expect(await validate(folder)).toEqual([]);
  expect(Buffer.from(await store.readFile('filter_high_risk', 'references/notes.md')).toString()).toBe(
    'notes',
  );
});

test('a foreign frontmatter that would grow beyond the limit by being quoted is left out', async () => {
  const { store, root } = fixture();
  const folder = path.join(root, 'filter-high-risk');
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, 'SKILL.md'),
    `---\nname: filter-high-risk\ndescription: d\nlicense: ${'"'.repeat(20_000)}x\n---\n`,
  );
  await store.save(request({ overwrite: true }));
  const { warnings, description } = await store.load('filter_high_risk');
  expect([warnings, description]).toEqual([[], request().description]);
});

test('a skill of thousands of functions has a SKILL.md that can be read, and keeps its shape', async () => {
  const { store, root } = fixture();
  const functions = Array.from({ length: 5_000 }, (_, at) => `function_number_${at}`);
  await store.save(request({ shape: { ...SHAPE, functions } }));
  expect((await store.load('filter_high_risk')).shape.functions).toHaveLength(5_000);
  expect(statSync(path.join(root, 'filter-high-risk/SKILL.md')).size).toBeLessThan(8_000);
  expect(existsSync(path.join(root, '.code-execution'))).toBe(false);
});
