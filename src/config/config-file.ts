import { dirname } from 'node:path';
import type { Node, ParseError } from 'jsonc-parser';
import { nearest } from '../core/nearest.js';
import { RECORD_KEYS } from './check-tokens.js';
import type { ConfigProblem } from './config.js';
import { CONFIG_SECTIONS, configKeys, LATER_KEYS, SERVER_LISTS } from './schema.js';
import type { RawServer } from './server-entry.js';

/** One key that was set somewhere: in a file, by a flag, by an environment variable. */
export interface Setting {
  readonly key: string;
  /** As written, before expansion. */
  readonly value: unknown;
  /** Where it was set: `FILE:LINE`, `--backend`, `CODE_EXECUTION_DATA_DIR`. */
  readonly place: string;
}

/** What one configuration file says. */
export interface ParsedConfigFile {
  readonly settings: readonly Setting[];
  /** Entries of downstream servers, in the order of the file. */
  readonly servers: readonly RawServer[];
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

/**
 * Takes a configuration file apart: JSON, with comments and trailing commas allowed. Unknown keys and keys of later
 * versions are warnings; what is no JSON, or an object where none belongs, is a problem. Values are not judged here.
 * `only`: the keys that matter in a file of another program; the rest is none of our business.
 */
export async function parseConfigFile(
  text: string,
  path: string,
  only?: readonly string[],
): Promise<ParsedConfigFile> {
  // Loaded here because most starts have no configuration file.
  const { getNodeValue, parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch {
    return onlyProblem({ place: path, message: TOO_DEEP });
  }
  const place = (offset: number) => `${path}:${lineOf(text, offset)}`;
  const first = errors[0];
  if (first) {
    const reason = words(printParseErrorCode(first.error));
    return onlyProblem({ place: place(first.offset), message: `the file is no valid JSON: ${reason}` });
  }
  if (root?.type !== 'object')
    return onlyProblem({ place: path, message: 'the file must hold one JSON object' });
  if (isDeeper(root, MAX_DEPTH)) return onlyProblem({ place: path, message: TOO_DEEP });
  return readKeys(root, { place, base: dirname(path), toValue: getNodeValue, ...(only ? { only } : {}) });
}

interface Reading {
  readonly place: (offset: number) => string;
  readonly base: string;
  /** Makes objects without a prototype, so that a key `__proto__` is a key. */
  readonly toValue: (node: Node) => unknown;
  readonly only?: readonly string[];
}

function readKeys(root: Node, { place, base, toValue, only }: Reading): ParsedConfigFile {
  const servers: RawServer[] = [];
  const settings: Setting[] = [];
  const problems: ConfigProblem[] = [];
  const warnings: string[] = [];
  const known = configKeys();
  const visit = (object: Node, prefix: string) => {
    for (const property of object.children ?? []) {
      const [name, node] = property.children ?? [];
      if (!name || !node) continue;
      const key = prefix + String(name.value);
      const at = place(property.offset);
      if (key === '$schema' || (only && !only.includes(key))) continue;
      if (SERVER_LISTS.includes(key) && node.type === 'object') {
        for (const entry of node.children ?? []) {
          const [entryName, value] = entry.children ?? [];
          if (!entryName || !value) continue;
          servers.push({
            name: String(entryName.value),
            value: toValue(value),
            place: place(entry.offset),
            base,
          });
        }
      } else if (SERVER_LISTS.includes(key)) {
        const message = `found ${shortJson(plainValue(node))}, valid: an object with a server under each name`;
        problems.push({ place: at, key, message });
      } else if (CONFIG_SECTIONS.includes(key)) {
        if (node.type === 'object') visit(node, `${key}.`);
        else
          problems.push({
            place: at,
            key,
            message: `found ${shortJson(plainValue(node))}, valid: an object`,
          });
      } else if (known.has(key)) {
        const value = RECORD_KEYS.has(key) && node.type === 'object' ? flatObject(node) : plainValue(node);
        settings.push({ key, value, place: at });
      } else if (LATER_KEYS.has(key))
        warnings.push(`${at}: "${key}" is not supported by this version yet; ignored`);
      else warnings.push(`${at}: unknown key "${key}"; ignored${suggestion(key, known.keys())}`);
    }
  };
  visit(root, '');
  return { settings, servers, problems, warnings };
}

const TOO_DEEP = 'the file is nested too deeply';
/** An entry of a server has seven levels. What walks a value by recursion runs out of stack at a few thousand. */
const MAX_DEPTH = 200;

function isDeeper(root: Node, most: number): boolean {
  const waiting = [{ node: root, depth: 1 }];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (one.depth > most) return true;
    for (const node of one.node.children ?? []) waiting.push({ node, depth: one.depth + 1 });
  }
  return false;
}

function suggestion(key: string, known: Iterable<string>): string {
  const all = [...known, ...CONFIG_SECTIONS, ...LATER_KEYS];
  const near = nearest(key, all);
  return near ? `; did you mean "${near}"?` : '';
}

/**
 * The value of a leaf. An object is never one, so it stays as a mark that no schema accepts; a list may hold plain values
 * and flat objects.
 */
function plainValue(node: Node): unknown {
  if (node.type === 'object') return {};
  if (node.type !== 'array') return node.value;
  return (node.children ?? []).map((child) => {
    if (child.type === 'object') return flatObject(child);
    return child.type === 'array' ? [] : plainValue(child);
  });
}

function flatObject(node: Node): object {
  const entries = (node.children ?? []).map(({ children: [name, value] = [] }): [string, unknown] => [
    String(name?.value),
    value?.children === undefined ? value?.value : {},
  ]);
  return Object.fromEntries(entries);
}

/** A value as it may stand in a message: JSON, at most 80 characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

/** `CommaExpected` to `comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])([A-Z])/g, ' $1').toLowerCase();
}

function onlyProblem(problem: ConfigProblem): ParsedConfigFile {
  return { settings: [], servers: [], problems: [problem], warnings: [] };
}
