import { join } from 'node:path';
import { nearest } from '../core/nearest.js';
import { clientEntry, mergeEntry, SERVER_NAME } from './client-entry.js';
import { CLIENTS, type Client } from './clients.js';
import { type CliContext, EXIT } from './context.js';
import { UsageError } from './usage-error.js';

/** Options of `init` as the command line gives them. */
export interface InitFlags {
  readonly write?: boolean;
  readonly project?: boolean;
}

/** Prints the entry that makes a client start this server, or merges it into the client's file. */
export async function init(context: CliContext, clientName: string, flags: InitFlags): Promise<number> {
  const client = findClient(clientName);
  const path = targetFile(client, context, flags.project === true);
  const entry = clientEntry(client, context.program, context.host);
  const print = (text: string) => context.streams.out.write(`${text}\n`);
  const next = () => {
    if (flags.project && entry.command === context.program.node) {
      print('The entry names files of this machine: keep it out of version control.');
    }
    print(`Then: ${client.afterwards}.`);
    return EXIT.ok;
  };
  if (!flags.write) {
    print(`${client.title} reads ${path}. Add this to it, or run the command again with --write:\n`);
    print(JSON.stringify({ [client.file.key]: { [SERVER_NAME]: entry } }, null, 2));
    print('');
    return next();
  }
  const before = await context.files.read(path);
  const after = await mergeEntry(before ?? '', path, client, entry);
  if (after === before) {
    print(`${path} has the entry already; nothing was changed.`);
    return EXIT.ok;
  }
  const backup = await context.files.replace(path, after, before);
  print(`${path}: added "${SERVER_NAME}" to "${client.file.key}".`);
  if (backup) print(`The file as it was: ${backup}`);
  return next();
}

function findClient(name: string): Client {
  const names = CLIENTS.map((client) => client.name);
  const client = CLIENTS.find((candidate) => candidate.name === name);
  if (client) return client;
  const near = nearest(name, names);
  throw new UsageError(
    `unknown client "${name}"${near ? `; did you mean ${near}?` : ''}`,
    `one of: ${names.join(', ')}`,
  );
}

function targetFile(client: Client, context: CliContext, project: boolean): string {
  if (!project) return client.file.path(context.host);
  if (client.projectFile) return join(context.host.cwd, client.projectFile);
  throw new UsageError(`${client.title} has no file per project`, 'leave out --project');
}
