import type { ConfigFlags } from '../config/config.js';
import { nearest } from '../core/nearest.js';
import type { ListedTool, ServerState } from './app-contract.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';
import { UsageError } from './usage-error.js';

/** Prints the tools of all servers, or of one, with what becomes of a call. Fails if a server that was asked for has a problem. */
export async function toolsList(
  context: CliContext,
  server: string | undefined,
  flags: ConfigFlags,
): Promise<number> {
  const { app } = await openApp(context, flags, 'error');
  try {
    const all = await app.servers();
    const shown = server === undefined ? all : all.filter(({ name }) => name === server);
    if (server !== undefined && shown.length === 0) throw unknownServer(server, all);
    if (all.length === 0)
      context.streams.out.write('no servers and no registry are configured\nnext: add mcpServers\n');
    for (const state of shown) context.streams.out.write(`${linesOf(state).join('\n')}\n`);
    return shown.some(({ problem }) => problem !== undefined) ? EXIT.failed : EXIT.ok;
  } finally {
    await app.close();
  }
}

/** `3 tools`. */
export function numberOfTools({ tools }: Pick<ServerState, 'tools'>): string {
  return tools.length === 1 ? '1 tool' : `${tools.length} tools`;
}

function linesOf(state: ServerState): string[] {
  const { name, category, problem, isRegistry, tools } = state;
  const what = isRegistry ? 'known from a registry, not callable' : `category ${category}`;
  return [
    `${name}: ${numberOfTools(state)}, ${what}${problem === undefined ? '' : `; the server ${problem}`}`,
    ...tools.map((tool) => `  ${tool.signature}${isRegistry ? '' : policyOf(tool)}`),
  ];
}

function policyOf({ verdict, reason }: ListedTool): string {
  return verdict === 'allow' ? '' : `  [${verdict}: ${reason}]`;
}

function unknownServer(server: string, all: readonly ServerState[]): UsageError {
  const names = all.map(({ name }) => name);
  const near = nearest(server, names);
  return new UsageError(
    `there is no server "${server}"${near === undefined ? '' : `; did you mean ${near}?`}`,
    names.length === 0 ? 'no servers are configured: add mcpServers' : `one of: ${names.join(', ')}`,
  );
}
