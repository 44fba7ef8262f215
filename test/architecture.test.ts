import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { boundaryViolations, ENVIRONMENT_READER, MAY_NAME, OWNERS } from './support/import-boundaries.js';
import { PROJECT_ROOT } from './support/project-root.js';

const SRC = path.join(PROJECT_ROOT, 'src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.[cm]?[tj]s$/.test(file))
  .map((file) => ({
    path: file.split(path.sep).join('/'),
    text: readFileSync(path.join(SRC, file), 'utf8'),
  }));

describe('the source', () => {
  test('has a boundary for every folder, and no boundary for a folder that is gone', () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((folder) => folder.name).sort()).toEqual(Object.keys(MAY_NAME).sort());
  });

  test('respects every boundary and package owner', () => {
    expect(boundaryViolations(files)).toEqual([]);
  });

  test('has an owner for every dependency of package.json, and no owner for one that is not', () => {
    const manifest: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8'),
    );
    const owned = Object.keys(OWNERS).filter((name) => !name.startsWith('node:'));
    expect(owned.sort()).toEqual(Object.keys(manifest.dependencies).sort());
  });

  test('has the one reader of the environment', () => {
    expect(files.map((file) => file.path)).toContain(ENVIRONMENT_READER);
  });

  test('names its files in kebab-case after what is inside', () => {
    const bad = files.filter(
      ({ path: file }) =>
        !/^[a-z0-9/-]+(\.d)?\.[cm]?[tj]s$/.test(file) ||
        /(^|[/-])(utils?|helpers?|manager|common)\./.test(file),
    );
    expect(bad.map((file) => file.path)).toEqual([]);
  });

  test('has named exports only, and says which', () => {
    const bad = files.filter(({ text }) => /^export\s+(default\b|\*)/m.test(text));
    expect(bad.map((file) => file.path)).toEqual([]);
  });
});

describe('the checker', () => {
  test.each([
    [
      'a value from a neighbour',
      'session/a.ts',
      `import { pool } from '../sandbox/pool.js';`,
      'a value from sandbox',
    ],
    [
      'a value among types',
      'session/a.ts',
      `import { type Pool } from '../sandbox/pool.js';`,
      'a value from sandbox',
    ],
    ['a re-export', 'server/a.ts', `export { run } from '../session/run.js';`, 'a value from session'],
    ['a star re-export', 'server/a.ts', `export * from '../session/run.js';`, 'a value from session'],
    ['a bare import', 'server/a.ts', `import '../session/run.js';`, 'a value from session'],
    [
      'an import over lines',
      'server/a.ts',
      `import {\n  a,\n  b,\n} from '../session/run.js';`,
      'a value from session',
    ],
    ['a lazy import', 'server/a.ts', `const m = await import('../session/run.js');`, 'a value from session'],
    ['a require', 'server/a.ts', `const m = require('../session/run.js');`, 'a value from session'],
    ['a module named at run time', 'server/a.ts', 'await import(`../${name}.js`);', 'named at run time'],
    ['a module in a variable', 'server/a.ts', 'await import(name);', 'named at run time'],
    [
      'a second statement',
      'server/a.ts',
      `const a = 1; import { run } from '../session/run.js';`,
      'a value from session',
    ],
    ['double quotes', 'server/a.ts', `import { run } from "../session/run.js";`, 'a value from session'],
    [
      'a deeper file',
      'server/tools/a.ts',
      `import { run } from '../../session/run.js';`,
      'a value from session',
    ],
    [
      'a type of a folder that is none of its business',
      'fs/a.ts',
      `import type { S } from '../session/s.js';`,
      'may not name session',
    ],
    ['the composition root', 'session/a.ts', `import { createApp } from '../app.js';`, 'root file app.js'],
    ['the composition root, lazily', 'cli/a.ts', `await import('../app.js');`, 'root file app.js'],
    ['a way out of src', 'core/a.ts', `import { x } from '../../test/x.js';`, 'leaves src/'],
    ['a new folder', 'magic/a.ts', `export const a = 1;`, 'no line in MAY_NAME'],
    ['processes', 'session/a.ts', `import { spawn } from 'node:child_process';`, 'belongs to sandbox'],
    [
      'processes beside the one file',
      'downstream/link.ts',
      `import 'node:child_process';`,
      'belongs to sandbox',
    ],
    ['processes by the old name', 'app.ts', `import { spawn } from 'child_process';`, 'belongs to sandbox'],
    [
      'files',
      'workspace/a.ts',
      `import { readFile } from 'node:fs/promises';`,
      'belongs to fs, config, sandbox',
    ],
    [
      'the MCP SDK',
      'cli/a.ts',
      `import { McpServer } from '@modelcontextprotocol/server';`,
      'belongs to server',
    ],
    [
      'a part of the MCP SDK',
      'app.ts',
      `import { S } from '@modelcontextprotocol/server/stdio';`,
      'belongs to server',
    ],
    ['the log library', 'server/a.ts', `import { pino } from 'pino';`, 'belongs to cli'],
    ['an unknown package', 'cli/a.ts', `import x from 'left-pad';`, 'no line in OWNERS'],
    ['the environment', 'cli/a.ts', `const x = process.env.HOME;`, 'reads process.env'],
    ['the environment by index', 'cli/a.ts', `const x = process['env'];`, 'reads process.env'],
    ['the environment by destructuring', 'cli/a.ts', `const { env } = process;`, 'reads process.env'],
    ['the environment by import', 'cli/a.ts', `import { env } from 'node:process';`, 'reads process.env'],
  ])('finds %s', (_what, file, text, reason) => {
    expect(boundaryViolations([{ path: file, text }])).toEqual([expect.stringContaining(`${file}: `)]);
    expect(boundaryViolations([{ path: file, text }])[0]).toContain(reason);
  });

  test.each([
    ['a type from a neighbour', 'session/a.ts', `import type { Sandbox } from '../sandbox/sandbox.js';`],
    [
      'a value from core, fs and wire',
      'sandbox/a.ts',
      `import { MIB } from '../core/limits.js';\nimport { encodeFrame } from '../wire/frames.js';`,
    ],
    ['its own folder', 'server/tools/a.ts', `import { defineTool } from '../define-tool.js';`],
    ['the composition root as a type', 'cli/a.ts', `import type { App } from '../app.js';`],
    ['anything in the composition root', 'app.ts', `import { createPool } from './sandbox/pool.js';`],
    [
      'an import in a comment',
      'core/a.ts',
      `// import { x } from '../session/x.js';\n/* import('../app.js') */`,
    ],
    [
      'an export before a string',
      'core/a.ts',
      `export const a = 'from';\nexport type B = 'x' | "../app.js";`,
    ],
    ['the environment in its reader', 'config/load.ts', `const e = process.env;`],
    ['the words in strings', 'core/a.ts', `const verbs = [\n  'import', 'export', 'send',\n];`],
    ['the interpreter that the guest loads', 'sandbox/a.ts', 'await import(`${folder}/x.mjs`);'],
    ['processes in the one file', 'downstream/child-process.ts', `import 'node:child_process';`],
    ['other built-ins', 'core/a.ts', `import path from 'node:path';`],
  ])('allows %s', (_what, file, text) => {
    expect(boundaryViolations([{ path: file, text }])).toEqual([]);
  });
});
