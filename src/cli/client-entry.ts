import type { Node, ParseError } from 'jsonc-parser';
import type { HostEnvironment } from '../config/config.js';
import { CodeExecutionError } from '../core/errors.js';
import type { Client } from './clients.js';
import type { CliContext } from './context.js';

/** Name of the server in a client's list. Claude Code derives tool names from it: `mcp__code-execution__execute_code`. */
export const SERVER_NAME = 'code-execution';

/** What a client needs to start this server. */
export interface ClientEntry {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The entry that starts this very program. Run by npx (whose folders come and go) it names npx; otherwise this Node and
 * this file, since a client started from a desktop does not have the PATH of a terminal.
 */
export function clientEntry(
  client: Client,
  program: CliContext['program'],
  host: HostEnvironment,
): ClientEntry {
  const launch = launchCommand(program, host);
  return client.typed ? { type: 'stdio', ...launch } : launch;
}

function launchCommand(
  program: CliContext['program'],
  host: HostEnvironment,
): { command: string; args: string[] } {
  if (!/[\\/]_npx[\\/]/.test(program.main)) return { command: program.node, args: [program.main] };
  const args = ['-y', 'code-execution-mcp'];
  // npx is a batch file on Windows, which only a shell can start.
  return host.platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...args] }
    : { command: 'npx', args };
}

/**
 * The text of a client's file with the entry merged in: everything else, comments and layout included, stays as it is.
 * Returns the same text when the entry is there already.
 * @throws CodeExecutionError `config_error` when the text is not what the client could read.
 */
export async function mergeEntry(
  text: string,
  path: string,
  client: Client,
  entry: ClientEntry,
): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const source = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false });
  if (errors.length > 0) throw refusal(path, 'is no valid JSON');
  if (root?.type !== 'object') throw refusal(path, 'does not hold a JSON object');
  const servers = findNodeAtLocation(root, [client.file.key]);
  if (!servers) return insertFirst(source, root, client.file.key, { [SERVER_NAME]: entry });
  if (servers.type !== 'object') throw refusal(path, `holds a "${client.file.key}" that is no object`);
  const existing = findNodeAtLocation(servers, [SERVER_NAME]);
  if (!existing) return insertFirst(source, servers, SERVER_NAME, entry);
  return updateEntry(source, existing, [client.file.key, SERVER_NAME], entry);
}

/** Sets our own keys of an entry that is there, and leaves what the user added to it (`env`, `disabled`). */
async function updateEntry(
  text: string,
  existing: Node,
  path: string[],
  entry: ClientEntry,
): Promise<string> {
  const { applyEdits, getNodeValue, modify } = await import('jsonc-parser');
  if (existing.type !== 'object') return applyEdits(text, modify(text, path, entry, {}));
  const old: unknown = getNodeValue(existing);
  let updated = text;
  for (const [key, value] of Object.entries(entry)) {
    const before = Object.entries(old ?? {}).find(([name]) => name === key)?.[1];
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    updated = applyEdits(updated, modify(updated, [...path, key], value, {}));
  }
  return updated;
}

/**
 * Inserts a property before the first one of `object`. The editing function of jsonc-parser lays out the lines around
 * its insertion anew, and a comment after the last property would end up behind ours.
 */
function insertFirst(text: string, object: Node, name: string, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const step = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const write = (indent: string) =>
    `${JSON.stringify(name)}: ${JSON.stringify(value, null, step)}`.replaceAll('\n', eol + indent);
  const first = object.children?.[0];
  if (!first) {
    const close = object.offset + object.length - 1;
    const indent = /^[ \t]*/.exec(lineUpTo(text, object.offset))?.[0] ?? '';
    return `${text.slice(0, close)}${eol}${indent}${step}${write(indent + step)}${eol}${indent}${text.slice(close)}`;
  }
  const before = lineUpTo(text, first.offset);
  const ownLine = before.trim() === '';
  const inserted = ownLine
    ? `${write(before)},${eol}${before}`
    : `${JSON.stringify(name)}: ${JSON.stringify(value)}, `;
  return text.slice(0, first.offset) + inserted + text.slice(first.offset);
}

function lineUpTo(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
}

function refusal(path: string, what: string): CodeExecutionError {
  return new CodeExecutionError(
    'config_error',
    `${path} ${what}; nothing was changed`,
    'correct the file, or add the entry by hand',
  );
}
