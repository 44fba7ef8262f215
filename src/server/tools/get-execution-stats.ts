import { z } from 'zod';
import { CodeExecutionError } from '../../core/errors.js';
import { PRIVACY_MODES } from '../../core/pii.js';
import type { SkillAccess } from '../../session/skill-access.js';
import { answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { aboutTokens, count, seconds, bytes as size } from '../quantities.js';
import type { ServerDeps } from '../server-deps.js';
import { visibleLine } from '../visible-text.js';

const output = z.object({
  uptime_seconds: z.number(),
  backend: z.object({
    name: z.string().optional(),
    python: z.string().optional(),
    isolation: z.string().optional(),
    layers: z.array(z.object({ name: z.string(), active: z.boolean(), detail: z.string() })).optional(),
    problem: z.string().optional(),
  }),
  limits: z.record(z.string(), z.number()),
  runs: z.object({
    total: z.number(),
    by_outcome: z.record(z.string(), z.number()),
    p50_ms: z.number().optional(),
    p95_ms: z.number().optional(),
  }),
  catalogue: z
    .object({ servers: z.number(), categories: z.number(), tools: z.number() })
    .optional()
    .describe('known so far'),
  tool_calls: z.object({ total: z.number(), failed: z.number() }).optional(),
  tokens: z
    .object({ returned: z.number(), kept_out: z.number(), saved_percent: z.number().optional() })
    .describe('LLM tokens, estimated'),
  workspace: z.object({
    bytes: z.number(),
    files: z.number(),
    limit_bytes: z.number(),
    limit_files: z.number(),
  }),
  skills: z.object({ total: z.number() }).optional(),
  privacy: z.object({
    mode: z.enum(PRIVACY_MODES),
    tokens: z.record(z.string(), z.number()).optional(),
    restored: z.number().optional(),
    refused: z.number().optional(),
  }),
  pool: z.object({ ready: z.number(), starting: z.number(), active: z.number(), target: z.number() }),
});
type Output = z.infer<typeof output>;

/** Tells what this server is, how it is confined, and what it has done. */
export const getExecutionStats = defineTool({
  name: 'get_execution_stats',
  title: 'Server statistics',
  description: 'Sandbox and its protection layers, limits, runs, LLM tokens saved, workspace use.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output,
  async handle(_args, { deps, principal }) {
    const { uptimeMs, runs, toolCalls, tokens } = deps.statsOf(principal).snapshot();
    const usage = await (await deps.workspace(principal)).usage();
    const { limits } = deps;
    const facts: Output = {
      uptime_seconds: Math.round(uptimeMs / 1000),
      backend: await backend(deps),
      limits: {
        timeout_seconds: limits.timeoutSeconds,
        max_timeout_seconds: limits.maxTimeoutSeconds,
        memory_mb: limits.memoryMb,
        max_memory_mb: limits.maxMemoryMb,
        max_output_chars: limits.maxOutputChars,
      },
      runs: {
        total: runs.total,
        by_outcome: { ...runs.byOutcome },
        ...(runs.p50Ms === undefined ? {} : { p50_ms: runs.p50Ms }),
        ...(runs.p95Ms === undefined ? {} : { p95_ms: runs.p95Ms }),
      },
      ...(deps.hasTools ? { catalogue: await deps.catalog.counts(), tool_calls: { ...toolCalls } } : {}),
      tokens: {
        returned: tokens.returned,
        kept_out: tokens.keptOut,
        ...(tokens.savedPercent === undefined ? {} : { saved_percent: tokens.savedPercent }),
      },
      workspace: {
        bytes: usage.bytes,
        files: usage.files,
        limit_bytes: usage.limitBytes,
        limit_files: usage.limitFiles,
      },
      ...(deps.skills ? { skills: { total: await skillCount(deps.skills, principal) } } : {}),
      privacy: await privacy(deps, principal),
      pool: { ...deps.sandbox.pool() },
    };
    return answer(facts, (shown) => ({ text: textOf(shown), structured: shown }));
  },
});

async function skillCount(skills: SkillAccess, principal: string): Promise<number> {
  return (await skills.find(principal, undefined, { limit: 1, offset: 0 })).total;
}

async function privacy({ privacy }: ServerDeps, principal: string): Promise<Output['privacy']> {
  if (!privacy) return { mode: 'off' };
  const { mode, tokens, restored, refused } = await privacy.counts(principal);
  return { mode, tokens: { ...tokens }, restored, refused };
}

/** A sandbox that cannot start is a fact to tell, not a failure of this tool. */
async function backend(deps: ServerDeps): Promise<Output['backend']> {
  try {
    const { name, python, isolation, layers } = await deps.sandbox.info();
    return { name, python, isolation, layers: layers.map((layer) => ({ ...layer })) };
  } catch (error) {
    if (!(error instanceof CodeExecutionError) || error.code !== 'backend_unavailable') throw error;
    return { problem: error.hint === undefined ? error.message : `${error.message}; ${error.hint}` };
  }
}

function textOf(shown: Output): string {
  const { uptime_seconds, backend, limits, runs, tokens, workspace, pool } = shown;
  const layers = backend.layers ?? [];
  const off = layers.filter((layer) => !layer.active);
  const outcomes = Object.entries(runs.by_outcome).map(([code, n]) => `${code} ${count(n)}`);
  const times = runs.p50_ms === undefined ? '' : ` · p50 ${runs.p50_ms} ms, p95 ${runs.p95_ms} ms`;
  const saved = tokens.saved_percent === undefined ? '' : ` (${tokens.saved_percent} %)`;
  const sandbox =
    backend.problem === undefined
      ? `sandbox: ${backend.name} · Python ${backend.python} · ${visibleLine(backend.isolation ?? '')}`
      : `sandbox: unavailable: ${visibleLine(backend.problem)}`;
  return [
    `ok · up ${seconds(uptime_seconds * 1000)}`,
    sandbox,
    ...(layers.length === 0
      ? []
      : [
          `layers: ${layers
            .filter((layer) => layer.active)
            .map((layer) => layer.name)
            .join(', ')}`,
        ]),
    ...off.map((layer) => `layer off: ${layer.name}: ${visibleLine(layer.detail)}`),
    `limits: ${Object.entries(limits)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    `runs: ${count(runs.total)}${outcomes.length === 0 ? '' : ` (${outcomes.join(', ')})`}${times}`,
    ...toolLines(shown),
    `LLM tokens: returned ${aboutTokens(tokens.returned)}, kept out of context ${aboutTokens(tokens.kept_out)}${saved}`,
    `workspace: ${size(workspace.bytes)} of ${size(workspace.limit_bytes)}, ${count(workspace.files)} of ${count(workspace.limit_files)} files`,
    ...(shown.skills === undefined ? [] : [`skills: ${count(shown.skills.total)}`]),
    privacyLine(shown.privacy),
    `workers: ${pool.ready} ready, ${pool.starting} starting, ${pool.active} active`,
  ].join('\n');
}

function privacyLine({ mode, tokens = {}, restored = 0, refused = 0 }: Output['privacy']): string {
  if (mode === 'off') return 'privacy: off';
  const types = Object.entries(tokens).map(([type, n]) => `${type} ${count(n)}`);
  const values = types.length === 0 ? 'no tokens yet' : `tokens: ${types.join(', ')}`;
  return `privacy: ${mode} · ${values} · restored ${count(restored)}, refused ${count(refused)}`;
}

function toolLines({ catalogue, tool_calls }: Output): string[] {
  const lines: string[] = [];
  if (catalogue !== undefined) {
    const { servers, categories, tools } = catalogue;
    lines.push(
      `tools known so far: ${count(tools)} (servers ${count(servers)}, categories ${count(categories)})`,
    );
  }
  if (tool_calls !== undefined)
    lines.push(`tool calls: ${count(tool_calls.total)}, ${count(tool_calls.failed)} failed`);
  return lines;
}
