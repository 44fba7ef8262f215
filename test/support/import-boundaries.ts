import path from 'node:path';

/** A file of src/ by its path from there, `/` between the parts, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The folders of src/ and the other folders whose names each may mention (values only from {@link SHARED}). */
export const MAY_NAME: Readonly<Record<string, readonly string[]>> = {
  core: [],
  config: ['core', 'fs'],
  fs: ['core'],
  wire: ['core'],
  workspace: ['core', 'fs'],
  sandbox: ['core', 'fs', 'wire'],
  catalog: ['core', 'fs'],
  downstream: ['core', 'fs'],
  privacy: ['core', 'fs'],
  skills: ['core', 'fs', 'catalog'],
  stats: ['core', 'sandbox', 'session', 'privacy'],
  session: ['core', 'wire', 'sandbox', 'catalog', 'downstream', 'workspace', 'stats', 'privacy', 'skills'],
  server: ['core', 'wire', 'sandbox', 'catalog', 'session', 'stats', 'workspace', 'privacy', 'skills'],
  cli: [
    'core',
    'config',
    'fs',
    'wire',
    'sandbox',
    'catalog',
    'downstream',
    'session',
    'stats',
    'workspace',
    'privacy',
    'skills',
    'server',
  ],
};

/** Folders without a life of their own: vocabulary, the path boundary, the wire format. */
export const SHARED: readonly string[] = ['core', 'fs', 'wire'];

/** Which folders (or single files) may use a package. A package that is not here is not a dependency. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['sandbox', 'downstream/child-process.ts'],
  'node:cluster': [],
  'node:worker_threads': [],
  'node:vm': [],
  'node:fs': ['fs', 'config', 'sandbox'],
  'node:fs/promises': ['fs', 'config', 'sandbox'],
  'node:net': ['sandbox'],
  'node:http': ['server'],
  'node:https': [],
  '@modelcontextprotocol/server': ['server'],
  '@modelcontextprotocol/client': ['downstream'],
  zod: ['config', 'wire', 'server'],
  pino: ['cli'],
  commander: ['cli', 'main.ts'],
  'jsonc-parser': ['config', 'cli'],
  pyodide: ['sandbox'],
  'libphonenumber-js': ['privacy'],
  re2js: ['privacy', 'config'],
  yaml: ['skills'],
};

/**
 * Who may import what is named at run time only: the guest loads the interpreter it was started with, and the operator may
 * name a model of his own.
 */
export const COMPUTED_IMPORTS: readonly string[] = ['sandbox', 'privacy-engine.ts'];

/** The only reader of the environment. */
export const ENVIRONMENT_READER = 'config/load.ts';

/** Everything in the files that crosses a boundary it may not, as `file: reason`. */
export function boundaryViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => violationsOf(file).map((reason) => `${file.path}: ${reason}`));
}

function violationsOf(file: SourceFile): string[] {
  const code = withoutComments(file.text);
  const home = homeOf(file.path);
  const found: string[] = [];
  if (home !== file.path && !(home in MAY_NAME)) found.push(`the folder ${home} has no line in MAY_NAME`);
  for (const { target, typeOnly } of importsOf(code)) {
    const reason = target.startsWith('.')
      ? relativeViolation(file.path, home, target, typeOnly)
      : packageViolation(file.path, home, target);
    if (reason) found.push(reason);
  }
  if (COMPUTED.test(code) && !COMPUTED_IMPORTS.includes(home))
    found.push('imports a module named at run time');
  if (file.path !== ENVIRONMENT_READER && READS_ENVIRONMENT.test(code)) found.push('reads process.env');
  return found;
}

function relativeViolation(
  from: string,
  home: string,
  target: string,
  typeOnly: boolean,
): string | undefined {
  const to = path.posix.join(path.posix.dirname(from), target);
  if (to.startsWith('../')) return `leaves src/ for ${target}`;
  if (home === from) return undefined; // main.ts, app.ts and index.ts put the parts together
  const neighbour = homeOf(to);
  if (neighbour === home) return undefined;
  if (!to.includes('/')) return typeOnly ? undefined : `imports a value from the root file ${to}`;
  if (!MAY_NAME[home]?.includes(neighbour)) return `may not name ${neighbour} (${target})`;
  if (!typeOnly && !SHARED.includes(neighbour)) return `imports a value from ${neighbour} (${target})`;
  return undefined;
}

function packageViolation(from: string, home: string, target: string): string | undefined {
  const name = packageName(target);
  const owners = OWNERS[target] ?? OWNERS[name];
  if (!owners)
    return name.startsWith('node:') ? undefined : `uses the package ${name}, which has no line in OWNERS`;
  return owners.includes(home) || owners.includes(from)
    ? undefined
    : `uses ${name}, which belongs to ${owners.join(', ') || 'nobody'}`;
}

/** The top folder of a path, or the file itself at the root. */
function homeOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function packageName(target: string): string {
  const bare = target.startsWith('node:') || !BUILTIN.test(target) ? target : `node:${target}`;
  if (bare.startsWith('node:')) return bare;
  return bare
    .split('/')
    .slice(0, bare.startsWith('@') ? 2 : 1)
    .join('/');
}

const BUILTIN =
  /^(?:child_process|cluster|fs|fs\/promises|http|https|net|path|os|process|url|vm|worker_threads)$/;
const READS_ENVIRONMENT =
  /\bprocess\s*\??\.\s*env\b|\bprocess\s*\[\s*['"`]env|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](?:node:)?process['"]/;

// At the start of a statement only: a string may hold the word.
const STATIC = /(?:^|[;}])\s*(?:import|export)\b(\s+type\b)?(?:[^'"`;()]*?\bfrom)?\s*(['"])([^'"\n]+)\2/gm;
const DYNAMIC = /\b(?:import|require)\s*\(\s*(['"`])([^'"`$]+)\1/g;
const COMPUTED = /\b(?:import|require)\s*\(\s*(?!['"\s]|`[^`$]+`)/;

/**
 * All modules a text imports or re-exports. `import { type A }` counts as a value: with verbatimModuleSyntax the module
 * is still loaded. So does every `import(...)`.
 */
export function importsOf(code: string): { target: string; typeOnly: boolean }[] {
  const imports: { target: string; typeOnly: boolean }[] = [];
  for (const [, type, , target = ''] of code.matchAll(STATIC))
    imports.push({ target, typeOnly: type !== undefined });
  for (const [, , target = ''] of code.matchAll(DYNAMIC)) imports.push({ target, typeOnly: false });
  return imports;
}

/** The text without its comments; strings and templates, which may look like comments, stay as they are. */
export function withoutComments(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    (match) => (match.startsWith('/*') || match.startsWith('//') ? ' ' : match),
  );
}
