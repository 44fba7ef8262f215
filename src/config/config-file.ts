import type { Node, ParseError } from 'jsonc-parser';
import { nearest } from '../core/nearest.js';
import type { ConfigProblem } from './config.js';
import { CONFIG_SECTIONS, configKeys, LATER_KEYS } from './schema.js';

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
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

/**
 * Takes a configuration file apart: JSON, with comments and trailing commas allowed. Unknown keys and keys of later
 * versions are warnings; what is no JSON, or an object where none belongs, is a problem. Values are not judged here.
 */
export async function parseConfigFile(text: string, path: string): Promise<ParsedConfigFile> {
  // Loaded here because most starts have no configuration file.
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch {
    return onlyProblem({ place: path, message: 'the file is nested too deeply' });
  }
  const place = (offset: number) => `${path}:${lineOf(text, offset)}`;
  const first = errors[0];
  if (first) {
    const reason = words(printParseErrorCode(first.error));
    return onlyProblem({ place: place(first.offset), message: `the file is no valid JSON: ${reason}` });
  }
  if (root?.type !== 'object')
    return onlyProblem({ place: path, message: 'the file must hold one JSON object' });
  return readKeys(root, place);
}

function readKeys(root: Node, place: (offset: number) => string): ParsedConfigFile {
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
      if (key === '$schema') continue;
      if (CONFIG_SECTIONS.includes(key)) {
        if (node.type === 'object') visit(node, `${key}.`);
        else
          problems.push({
            place: at,
            key,
            message: `found ${shortJson(plainValue(node))}, valid: an object`,
          });
      } else if (known.has(key)) settings.push({ key, value: plainValue(node), place: at });
      else if (LATER_KEYS.has(key))
        warnings.push(`${at}: "${key}" is not supported by this version yet; ignored`);
      else warnings.push(`${at}: unknown key "${key}"; ignored${suggestion(key, known.keys())}`);
    }
  };
  visit(root, '');
  return { settings, problems, warnings };
}

function suggestion(key: string, known: Iterable<string>): string {
  const all = [...known, ...CONFIG_SECTIONS, ...LATER_KEYS];
  const near = nearest(key, all);
  return near ? `; did you mean "${near}"?` : '';
}

/** The value of a leaf. Objects and lists are never valid leaves, so they stay as marks that no schema accepts. */
function plainValue(node: Node): unknown {
  if (node.type === 'object') return {};
  if (node.type === 'array') return [];
  return node.value;
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
  return { settings: [], problems: [problem], warnings: [] };
}
