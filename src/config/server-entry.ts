import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { DownstreamServer, Launch } from '../core/downstream-server.js';
import { nearest } from '../core/nearest.js';
import { NO_SERVER_PRIVACY, type ServerPrivacy } from '../core/pii.js';
import { NO_RULES } from '../core/policy.js';
import { baseEnvironment } from './base-environment.js';
import type { HostEnvironment } from './config.js';
import { shortJson } from './config-file.js';
import { deepFrozen } from './deep-frozen.js';
import { expandEntry } from './expand-entry.js';
import { atHome } from './home-path.js';
import { maskedEntry, secretsOf } from './mask-entry.js';
import {
  LATER_SERVER_KEYS,
  SERVER_KEYS,
  SERVER_NAME,
  type ServerEntry,
  serverEntrySchema,
} from './server-schema.js';

/** An entry as it stands in a file. */
export interface RawServer {
  readonly name: string;
  readonly value: unknown;
  /** `FILE:LINE` */
  readonly place: string;
  /** Folder at which relative paths start. */
  readonly base: string;
}

/** What an entry came to. */
export interface ResolvedServer {
  /** Absent when the entry is disabled. One that is wrong has the launch `refused`. */
  readonly server?: DownstreamServer;
  /** One sentence each, with the place. */
  readonly warnings: readonly string[];
  /** JSON for people, secrets masked. */
  readonly shown: string;
}

/** Expands and checks one entry. Nothing in it is an error: what is wrong costs this server only, and is warned about. */
export function resolveServer(raw: RawServer, host: HostEnvironment): ResolvedServer {
  const { name, value, place } = raw;
  const warn = (message: string) => `${place}: server "${name}": ${message}`;
  const refuse = (message: string, detail = message): ResolvedServer => ({
    server: refused(name, message),
    warnings: [warn(`left out: ${detail}`)],
    shown: '"left out"',
  });
  if (!SERVER_NAME.test(name))
    return refuse('has a name that is not made of letters, digits, "-", "_" and "."');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(WRONG, 'the entry is no object');
  if ('disabled' in value && value.disabled === true) return { warnings: [], shown: '"disabled"' };
  const warnings = unknownKeys(value).map(warn);
  const expanded = expandEntry(value as Record<string, unknown>, host.env);
  const problem = expanded.problems[0];
  if (problem) return refuse(`is not usable: ${problem}`, problem);
  const parsed = serverEntrySchema.safeParse(expanded.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const key = issue?.path.join('.') ?? '';
    const found = shortJson(valueAt(value, issue?.path ?? []));
    const hidden = /^(env|headers|url|args)\b/.test(key) ? '' : `, found ${found}`;
    return refuse(WRONG, `"${key}": ${issue?.message ?? 'is wrong'}${hidden}`);
  }
  const launch = launchOf(parsed.data, raw, host);
  if (typeof launch === 'string') return refuse(WRONG, launch);
  const shown = maskedEntry(parsed.data, expanded.shown);
  const { category = name, timeout, tools, privacy } = parsed.data;
  const server: DownstreamServer = {
    name,
    category,
    launch,
    timeoutMs: timeout,
    rules: tools,
    privacy: serverPrivacy(privacy),
    fingerprint: fingerprint(shown),
    secrets: secretsOf(parsed.data),
  };
  return { server: deepFrozen(server), warnings, shown: JSON.stringify(shown) };
}

/** For the model, which can neither see nor mend the file. */
const WRONG = 'has a wrong entry in the configuration, which only the operator can correct';

function refused(name: string, message: string): DownstreamServer {
  return deepFrozen({
    name: SERVER_NAME.test(name) ? name : JSON.stringify(name).slice(0, 100),
    category: name,
    launch: { kind: 'refused', message },
    timeoutMs: 0,
    rules: NO_RULES,
    privacy: NO_SERVER_PRIVACY,
    fingerprint: '',
    secrets: [],
  });
}

function launchOf(entry: ServerEntry, { base }: RawServer, host: HostEnvironment): Launch | string {
  const { command, url } = entry;
  const type = entry.type ?? (command === undefined && url !== undefined ? 'http' : 'stdio');
  if (type === 'stdio') {
    if (command === undefined) return 'it needs a "command" or a "url"';
    if (url !== undefined)
      return 'it has a "command" and a "url"; one of them, or a "type", says which is meant';
    return {
      kind: 'stdio',
      command: atHome(command, host.home),
      args: entry.args,
      env: { ...baseEnvironment(host), ...entry.env },
      cwd: entry.cwd === undefined ? host.cwd : resolve(base, atHome(entry.cwd, host.home)),
      protocol: entry.protocol ?? 'legacy',
    };
  }
  if (url === undefined) return `a server of type "${type}" needs a "url"`;
  const { headers } = entry;
  try {
    new Headers(headers);
  } catch {
    return '"headers": a name or a value is not allowed in HTTP';
  }
  if (type === 'sse') return { kind: 'sse', url, headers };
  return { kind: 'http', url, headers, protocol: entry.protocol ?? 'auto' };
}

/** The short form names the mode only. */
function serverPrivacy(entry: ServerEntry['privacy']): ServerPrivacy {
  if (typeof entry === 'string') return { mode: entry, ...NO_SERVER_PRIVACY };
  const { mode, detect, restore } = entry;
  return { ...(mode === undefined ? {} : { mode }), ...(detect === undefined ? {} : { detect }), restore };
}

function unknownKeys(value: object): string[] {
  return Object.keys(value)
    .filter((key) => !SERVER_KEYS.includes(key))
    .map((key) => {
      if (LATER_SERVER_KEYS.has(key)) return `"${key}" is not supported by this version yet; ignored`;
      const near = nearest(key, SERVER_KEYS);
      return `unknown key "${key}"; ignored${near ? `; did you mean "${near}"?` : ''}`;
    });
}

/** Of what people may see, so that no secret is in it. */
function fingerprint(shown: Readonly<Record<string, unknown>>): string {
  const { type, command, args, env, cwd, url, headers } = shown;
  const started = JSON.stringify([type, command, args, env, cwd, url, headers]);
  return createHash('sha256').update(started).digest('hex').slice(0, 16);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
