import type { CatalogEntry } from '../../../src/catalog/catalog.js';
import { CodeExecutionError } from '../../../src/core/errors.js';
import type { ToolContent, ToolResult } from '../../../src/core/tool.js';
import { RunClock } from '../../../src/session/run-clock.js';
import type { CallOptions, CallRecord, ToolAccess, ToolDecision } from '../../../src/session/tool-access.js';
import { type CallBudget, ToolCalls, type ToolCallsOptions } from '../../../src/session/tool-calls.js';
import type { HostFrame } from '../../../src/wire/frames.js';
import type { WorkerMessage } from '../../../src/wire/messages.js';
import { FakeWorker } from './fake-worker.js';

/** Verdicts by the name of the tool; what is not here is allowed. */
const DECISIONS: ReadonlyMap<string, ToolDecision> = new Map([
  ['s.ask', { verdict: 'ask', reason: 'the configuration lists it under ask', howToAllow: 'allow it' }],
  ['s.deny', { verdict: 'deny', reason: 'the configuration denies it', howToAllow: 'use another' }],
]);

type Result = Partial<ToolResult> & { text?: string };
export type Tool = (
  args: Record<string, unknown>,
  signal: AbortSignal,
  onProgress: CallOptions['onProgress'],
) => Result | Promise<Result>;

/** One reply that the worker got. */
export interface Reply {
  readonly id: number;
  readonly ok: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly tool?: string;
  readonly retryable?: boolean;
  readonly extendMs?: number;
  /** The payload as text. */
  readonly text: string;
}

export interface GateOptions {
  readonly tools?: Readonly<Record<string, Tool>>;
  readonly approve?: ToolCallsOptions['approve'];
  readonly budget?: Partial<CallBudget>;
  readonly timeoutMs?: number;
  readonly skills?: ToolCallsOptions['skills'];
}

/** The gate over tools of the test, named `s.NAME`, and everything that comes out of it. */
export function gate({ tools = {}, approve, budget, timeoutMs = 60_000, skills }: GateOptions = {}) {
  const replies: Reply[] = [];
  const records: CallRecord[] = [];
  const learned: unknown[] = [];
  const searches: unknown[] = [];
  const progress: string[] = [];
  const byId = new Map(Object.entries(tools).map(([name, tool]) => [`s.${name}`, tool]));
  const access: ToolAccess = {
    resolve: async (name) => (byId.has(name) ? entryNamed(name) : undefined),
    nearest: async () => ['s.near'],
    decide: ({ id }) => DECISIONS.get(id) ?? { verdict: 'allow', reason: '', howToAllow: '' },
    bind: (_entry, positional, keyword) => {
      if ('wrong' in keyword)
        throw new CodeExecutionError('bad_arguments', "f() got an unexpected keyword argument 'wrong'");
      return positional.length === 0 ? { ...keyword } : { positional, ...keyword };
    },
    call: async ({ id }, args, { signal, onProgress }) => {
      const { text, ...result } = (await byId.get(id)?.(args, signal, onProgress)) ?? {};
      const content: ToolContent[] = text === undefined ? [] : [{ type: 'text', text }];
      return { isError: false, content, ...result };
    },
    learn: (_entry, value) => void learned.push(value),
    search: async (...asked) => {
      searches.push(asked);
      return [];
    },
    describe: async (name) => (byId.has(name) ? `about ${name}` : undefined),
    names: async (server) => (server === '' ? ['s'] : undefined),
    record: (line) => void records.push(line),
  };
  const worker = new FakeWorker(() => undefined);
  worker.send = ({ message, payload }: HostFrame) => {
    if (message.type !== 'reply') throw new Error(`a ${message.type} frame`);
    const { type: _, ...reply } = message;
    replies.push({ ...reply, text: Buffer.from(payload).toString() });
  };
  let ended = 0;
  const clock = new RunClock(timeoutMs, () => ended++);
  const calls = new ToolCalls({
    access,
    ...(skills ? { skills } : {}),
    worker,
    principal: 'local',
    runId: 'run1',
    budget: { calls: 100, parallel: 8, resultBytes: 1_000_000, totalBytes: 10_000_000, ...budget },
    clock,
    approve,
    onProgress: (line) => void progress.push(line),
  });
  /** Sends what code claims; a body that is neither text nor bytes is made JSON. */
  const send = (name: string, body: unknown = { positional: [], keyword: {} }, id = 1, op: Op = 'tool') =>
    calls.handle({
      message: { type: 'call', id, op, name },
      payload:
        body instanceof Uint8Array
          ? body
          : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });
  return { calls, send, replies, records, learned, searches, progress, clock, ended: () => ended };
}

type Op = Extract<WorkerMessage, { type: 'call' }>['op'];

function entryNamed(id: string): CatalogEntry {
  const name = id.slice(2);
  return {
    id,
    pythonServer: 's',
    pythonName: name,
    remoteName: name,
    source: { server: 's', kind: 'server', category: 's' },
    definition: { name, inputSchema: { type: 'object' } },
    hash: '',
    review: 'accepted',
    summary: '',
    signature: `${id}()`,
  };
}
