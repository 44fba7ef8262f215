import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import type { ContentBlock } from '@modelcontextprotocol/server';
import { ToolCatalog } from '../../../src/catalog/tool-catalog.js';
import type { Outcome, RunError, RunReport } from '../../../src/core/outcome.js';
import type { ToolDefinition } from '../../../src/core/tool.js';
import type { Privacy } from '../../../src/privacy/privacy.js';
import { serveStdio } from '../../../src/server/serve-stdio.js';
import type { ServerDeps } from '../../../src/server/server-deps.js';
import { StdioTransport } from '../../../src/server/stdio-transport.js';
import type { RunRequest } from '../../../src/session/runner.js';
import type { SkillAccess } from '../../../src/session/skill-access.js';
import { PrincipalStats } from '../../../src/stats/principal-stats.js';
import { QUIET } from '../../support/quiet-logger.js';
import { MemoryWorkspace } from './memory-workspace.js';

export type Run = (request: RunRequest, principal: string) => RunReport | Promise<RunReport>;

/** A report of a run that returned `value`. */
export function returned(
  value: unknown,
  more: Partial<RunReport> & { type?: string; json?: string } = {},
): RunReport {
  const { type = typeName(value), json = JSON.stringify(value), ...rest } = more;
  return report({ kind: 'value', value: { json, type, truncated: false } }, rest);
}

/** A report of a run that failed. */
export function raised(
  error: Partial<RunError>,
  kind: Exclude<Outcome['kind'], 'value'> = 'raised',
  more: Partial<RunReport> = {},
): RunReport {
  return report(
    { kind, error: { code: 'python_error', type: 'ValueError', message: 'bad', ...error } },
    more,
  );
}

export function report(outcome: Outcome, more: Partial<RunReport> = {}): RunReport {
  return {
    runId: '7f3a',
    outcome,
    output: printed(''),
    durationMs: 840,
    filesChanged: [],
    notes: [],
    variables: [],
    ...more,
  };
}

export function printed(text: string, tail = '', bytes = Buffer.byteLength(text + tail)) {
  const lines = (text + tail).split('\n').length - ((text + tail).endsWith('\n') || text === '' ? 1 : 0);
  return { head: text, tail, bytes, lines };
}

function typeName(value: unknown): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  return (
    { string: 'str', boolean: 'bool', object: 'dict' }[typeof value as string] ??
    (Number.isInteger(value) ? 'int' : 'float')
  );
}

export interface Answered {
  text: string;
  content: ContentBlock[];
  structured: Record<string, unknown>;
  isError: boolean;
  code: string | undefined;
}

/** Finds nothing and knows nothing. */
const NO_PRIVACY: Privacy = {
  filter: async (_principal, facts) => facts,
  noteSent: async () => undefined,
  hiddenIn: async () => [],
  sanitise: async (_principal, text) => ({ text, types: {} }),
  restore: async (_principal, text) => ({ text, restored: 0, notRestored: [] }),
  findPersonal: async () => [],
  counts: async () => ({ mode: 'egress', tokens: {}, restored: 0, refused: 0 }),
};

/** A server over in-memory pipes and a real MCP client connected to it. */
export async function connect(
  options: {
    run?: Run;
    era?: 'legacy' | 'modern';
    /** What it leaves out does nothing. Absent: privacy is off. */
    privacy?: Partial<Privacy>;
    /** Downstream servers, their tools all of category "code". */
    servers?: Readonly<Record<string, readonly ToolDefinition[]>>;
    /** Absent: no skills are kept. */
    skills?: SkillAccess;
    /** Called when the server says that its resources have changed. */
    onResources?: () => void;
  } = {},
) {
  const { servers = {} } = options;
  const catalog = new ToolCatalog({
    listings: {
      servers: Object.keys(servers),
      discover: async () => [],
      onTools: (listener) => {
        for (const [server, tools] of Object.entries(servers))
          listener({ source: { server, kind: 'server', category: 'code' }, tools });
      },
    },
    registry: [],
    lock: { read: async () => undefined, write: async () => undefined },
    log: QUIET,
    discoverMs: 0,
  });
  const workspace = new MemoryWorkspace();
  const requests: RunRequest[] = [];
  const logged: { fields: object; message: string }[] = [];
  const log = (fields: object, message: string) => void logged.push({ fields, message });
  const stats = new PrincipalStats(() => 0);
  const deps: ServerDeps = {
    version: '9.9.9',
    runner: {
      run: async (principal, request) => {
        requests.push(request);
        return (options.run ?? (() => returned(42)))(request, principal);
      },
    },
    workspace: async () => workspace,
    sandbox: {
      info: async () => ({
        name: 'wasm',
        python: '3.14.2',
        isolation: 'a process without permissions',
        layers: [
          { name: 'permissions', active: true, detail: 'no rights' },
          { name: 'bubblewrap', active: false, detail: 'not installed: install bubblewrap' },
        ],
      }),
      pool: () => ({ ready: 1, starting: 0, active: 2, target: 2 }),
    },
    statsOf: (principal) => stats.of(principal),
    catalog,
    hasTools: Object.keys(servers).length > 0,
    ...(options.skills === undefined ? {} : { skills: options.skills }),
    decide: () => ({ verdict: 'allow', reason: '', howToAllow: '' }),
    limits: {
      timeoutSeconds: 30,
      maxTimeoutSeconds: 600,
      memoryMb: 512,
      maxMemoryMb: 2048,
      maxOutputChars: 8000,
    },
    matchesGlob: (pattern, path) =>
      new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(path),
    log: { warn: log, error: log },
    ...(options.privacy === undefined ? {} : { privacy: { ...NO_PRIVACY, ...options.privacy } }),
  };
  const up = new PassThrough();
  const down = new PassThrough();
  const connection = serveStdio(deps, up, down);
  const mode = options.era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const { onResources: onChanged } = options;
  const listChanged = { resources: { onChanged: () => onChanged?.(), autoRefresh: false, debounceMs: 0 } };
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, ...(onChanged ? { listChanged } : {}) },
  );
  await client.connect(new StdioTransport(down, up));
  const call = async (name: string, args: Record<string, unknown> = {}, extra = {}): Promise<Answered> => {
    const result = await client.callTool({ name, arguments: args }, extra);
    const structured = (result.structuredContent ?? {}) as Record<string, unknown>;
    const content = result.content as ContentBlock[];
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const code = (structured.error as { code?: string } | undefined)?.code;
    return { text, content, structured, isError: result.isError === true, code };
  };
  return { client, call, workspace, requests, logged, deps, connection, up, down };
}
