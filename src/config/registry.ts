import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CodeExecutionError } from '../core/errors.js';
import { readDefinition } from '../core/read-definition.js';
import type { ToolDefinition, ToolSource } from '../core/tool.js';
import { textFiles } from './text-file.js';

/** Files read from one folder. */
const MAX_FILES = 10_000;
/** Files that are told one by one. */
const TOLD = 10;

/** The tools of one category of a registry folder. */
export interface RegistryTools {
  readonly source: ToolSource;
  readonly tools: readonly ToolDefinition[];
}

/**
 * Reads static definitions from folders, one JSON file for each tool: `<category>/<tool>.json`. A file without a name in it
 * is named by itself. What is wrong costs the file and is a warning; links are not followed.
 */
export async function readRegistry(
  folders: readonly string[],
): Promise<{ tools: RegistryTools[]; warnings: string[] }> {
  const categories = new Map<string, Map<string, ToolDefinition>>();
  const warnings: string[] = [];
  for (const folder of folders) {
    const { files, faults } = await findFiles(folder);
    for (const { category, path } of files) {
      const known = categories.get(category) ?? new Map<string, ToolDefinition>();
      const read = await readFile(path);
      if (typeof read === 'string') faults.push(`${path}: ${read}`);
      else if (known.has(read.name)) faults.push(`${path}: the category has a tool of that name already`);
      else categories.set(category, known.set(read.name, read));
    }
    warnings.push(...faults.slice(0, TOLD).map((fault) => `registry: ${fault}`));
    if (faults.length > TOLD)
      warnings.push(`registry: ${folder}: ${faults.length - TOLD} more files are left out`);
  }
  const tools = [...categories].map(([category, definitions]) => ({
    source: { server: category, kind: 'registry' as const, category },
    tools: [...definitions.values()],
  }));
  return { tools, warnings };
}

interface FoundFiles {
  readonly files: { readonly category: string; readonly path: string }[];
  readonly faults: string[];
}

async function findFiles(folder: string): Promise<FoundFiles> {
  const files: FoundFiles['files'] = [];
  const faults: string[] = [];
  const list = async (path: string): Promise<Dirent[]> => {
    try {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error;
      faults.push(`${path}: ${code === 'ENOENT' ? 'there is no such folder' : `cannot be read (${code})`}`);
      return [];
    }
  };
  const categories = (await list(folder)).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
  );
  for (const { name: category } of categories) {
    for (const entry of await list(join(folder, category))) {
      if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
      if (files.length === MAX_FILES) {
        faults.push(`${folder}: only the first ${MAX_FILES} files are read`);
        return { files, faults };
      }
      files.push({ category, path: join(folder, category, entry.name) });
    }
  }
  return { files, faults };
}

/** The definition, or what is wrong with the file. */
async function readFile(path: string): Promise<ToolDefinition | string> {
  let value: unknown;
  try {
    value = JSON.parse((await textFiles.read(path)) ?? '');
  } catch (error) {
    return error instanceof CodeExecutionError ? error.message : 'it is no JSON';
  }
  const read = readDefinition({ name: basename(path, '.json'), ...Object(value) });
  return 'fault' in read ? read.fault : read.definition;
}
