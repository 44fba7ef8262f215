import { z } from 'zod';
import { CodeExecutionError } from '../../core/errors.js';
import { MAX_OUTPUT_CHARS, MIN_OUTPUT_CHARS } from '../../core/limits.js';
import type { RunOutput, RunReport, RunValue } from '../../core/outcome.js';
import type { RunRequest } from '../../session/runner.js';
import { type Answer, answer, type Rendered } from '../answer.js';
import { checkCode, checkContext, checkSession } from '../check-run.js';
import { defineTool } from '../define-tool.js';
import { nextStep, type RunLimitsAsked } from '../next-step.js';
import { Overflow } from '../overflow.js';
import { presentOutput } from '../present-output.js';
import {
  errorOf,
  notesOf,
  type ReportParts,
  reportText,
  saysNothing,
  tracebackOf,
} from '../render-report.js';
import type { ServerLimits, ToolContext } from '../server-deps.js';
import { parseValue } from '../summary/parse-value.js';
import { presentValue } from '../summary/present-value.js';

/** Files named one by one in the structured answer. */
const MAX_FILES = 50;
/** Tool calls listed one by one in the structured answer. */
const MAX_TOOL_CALLS = 10;

const output = z.object({
  success: z.boolean(),
  error: z
    .object({
      code: z.string(),
      type: z.string().optional(),
      message: z.string(),
      line: z.number().int().optional(),
      hint: z.string().optional(),
    })
    .optional(),
  traceback: z.string().optional(),
  result: z.unknown().optional(),
  result_type: z.string().optional().describe('Python type, if JSON does not tell it'),
  truncated: z.boolean().optional().describe('result or output is only a summary'),
  resource: z.string().optional().describe('file with the whole result'),
  output: z.string().optional(),
  output_resource: z.string().optional().describe('file with the whole output'),
  execution_time_ms: z.number().optional(),
  files_changed: z
    .array(
      z.object({ path: z.string(), change: z.enum(['created', 'modified', 'deleted']), size: z.number() }),
    )
    .optional(),
  files_changed_total: z.number().optional(),
  tool_calls: z
    .array(z.object({ tool: z.string(), ms: z.number(), ok: z.boolean(), chars: z.number() }))
    .optional(),
  tool_calls_total: z.number().optional(),
  variables: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        size: z.number().optional(),
        preview: z.string().optional(),
      }),
    )
    .optional(),
  notes: z.array(z.string()).optional(),
});
type Output = z.infer<typeof output>;

/** Runs Python. `limits` go into the schema, so that it states the defaults and maxima that hold here. */
export const executeCode = (limits: ServerLimits) =>
  defineTool({
    name: 'execute_code',
    title: 'Run Python',
    description:
      'Run Python (standard library; no network, no pip) in a sandbox and get a short answer: the value of `result` or of ' +
      'the last expression, printed output, files changed. Keep data in files or variables and return summaries. ' +
      'Each call starts fresh unless `session` is named. The working directory is the workspace; top-level await works. ' +
      'Example: rows = json.load(open("sales.json")); sum(r["total"] for r in rows)',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    meta: { 'anthropic/alwaysLoad': true },
    input: z.strictObject({
      code: z.string().describe('Python source'),
      context_vars: z.record(z.string(), z.unknown()).default({}).describe('JSON values bound as variables'),
      timeout_seconds: z
        .number()
        .min(0.1)
        .max(limits.maxTimeoutSeconds)
        .default(limits.timeoutSeconds)
        .describe('Wall-clock limit'),
      memory_mb: z
        .number()
        .int()
        .min(64)
        .max(limits.maxMemoryMb)
        .default(limits.memoryMb)
        .describe('Memory limit'),
      session: z
        .string()
        .optional()
        .describe('Keeps variables and imports between calls of the same name, made on first use'),
      max_output_chars: z
        .number()
        .int()
        .min(MIN_OUTPUT_CHARS)
        .max(MAX_OUTPUT_CHARS)
        .default(limits.maxOutputChars)
        .describe('Result and output beyond it are summarised and kept as files'),
    }),
    output,
    async handle(args, context): Promise<Answer<Output>> {
      checkCode(args.code);
      checkContext(args.context_vars);
      if (args.session !== undefined) checkSession(args.session);
      const request: RunRequest = {
        code: args.code,
        context: args.context_vars,
        timeoutMs: Math.round(args.timeout_seconds * 1000),
        memoryMb: args.memory_mb,
        signal: context.signal,
        onProgress: context.progress,
        ...(context.approve === undefined ? {} : { approve: context.approve }),
        ...(args.session === undefined ? {} : { session: args.session }),
      };
      const report = await runCounted(request, context);
      return answerOf(report, args, context);
    },
  });

/** A run that never began, because it was refused or cancelled while it waited, counts as well. */
async function runCounted(request: RunRequest, { deps, principal }: ToolContext): Promise<RunReport> {
  try {
    const report = await deps.runner.run(principal, request);
    deps.stats.addRun(errorOf(report)?.code ?? 'ok', report.durationMs);
    deps.stats.addToolCalls(report.toolCalls ?? []);
    return report;
  } catch (error) {
    deps.stats.addRun(error instanceof CodeExecutionError ? error.code : 'internal');
    throw error;
  }
}

/** What the egress filter sees: the whole value and the whole report but for the value's JSON text. */
interface Facts {
  readonly report: RunReport;
  readonly value?: { readonly type: string; readonly value: unknown };
}

/** What the call asked for, beside the code. */
type Asked = RunLimitsAsked & { readonly max_output_chars: number };

function answerOf(report: RunReport, asked: Asked, context: ToolContext): Answer<Output> {
  const encoded = report.outcome.kind === 'value' ? report.outcome.value : undefined;
  const parsed = encoded === undefined ? undefined : { type: encoded.type, value: parseValue(encoded.json) };
  const facts: Facts = {
    report:
      encoded === undefined
        ? report
        : { ...report, outcome: { kind: 'value', value: { ...encoded, json: '' } } },
    ...(parsed === undefined ? {} : { value: parsed }),
  };
  return answer(facts, async (shown) => {
    // An unfiltered value is written to its file as the sandbox encoded it; re-encoding 16 MiB costs 100 ms.
    const json =
      shown.value?.value === parsed?.value ? (encoded?.json ?? '') : JSON.stringify(shown.value?.value);
    const output = countedAgain(report.output, shown.report.output);
    return render({ ...shown, report: { ...shown.report, output } }, json, asked, context);
  });
}

/** The filter changes lengths: what it took away must not count as left out. */
function countedAgain(printed: RunOutput, shown: RunOutput): RunOutput {
  if (printed.head === shown.head && printed.tail === shown.tail) return shown;
  const size = ({ head, tail }: RunOutput) => Buffer.byteLength(head) + Buffer.byteLength(tail);
  const lines = ({ head, tail }: RunOutput) => head.split('\n').length + tail.split('\n').length;
  return {
    ...shown,
    bytes: printed.bytes + size(shown) - size(printed),
    lines: Math.max(0, printed.lines + lines(shown) - lines(printed)),
  };
}

async function render(
  { report, value }: Facts,
  json: string,
  asked: Asked,
  { deps, principal }: ToolContext,
): Promise<Rendered<Output>> {
  const maxChars = asked.max_output_chars;
  const overflow = new Overflow(() => deps.workspace(principal), deps.log);
  const printed = report.output.head.length + report.output.tail.length;
  const outputShare = Math.min(printed, Math.max(maxChars - json.length, Math.floor(maxChars / 4)));
  const valueFile = { path: undefined as string | undefined };
  const presented =
    value === undefined
      ? undefined
      : await presentValue({ ...value, chars: json.length }, maxChars - outputShare, async () => {
          const kept = await overflow.keep(`results/run-${report.runId}.json`, json, 'application/json');
          valueFile.path = kept.path;
          return `whole value: ${kept.words}`;
        });
  const output = await presentOutput(report.output, outputShare, (text) =>
    overflow.keep(`output/run-${report.runId}.txt`, text, 'text/plain'),
  );
  const fromTools = (report.toolCalls ?? []).reduce((sum, call) => sum + call.chars, 0);
  const data = json.length + report.output.bytes + (report.bytesRead ?? 0) + fromTools;
  const keptOutChars = Math.max(0, data - (presented?.text.length ?? 0) - output.text.length);
  const error = errorOf(report);
  const next = error === undefined ? undefined : nextStep(error, asked, deps.limits);
  const parts = {
    report,
    output,
    keptOutChars,
    ...(presented === undefined ? {} : { value: presented }),
    ...(next === undefined ? {} : { next }),
  };
  return {
    text: reportText(parts),
    structured: structure(parts, valueFile.path),
    blocks: overflow.links,
    failed: report.outcome.kind !== 'value',
    keptOutChars,
  };
}

function structure({ report, value, output, next }: ReportParts, resource: string | undefined): Output {
  const error = errorOf(report);
  const traceback = error === undefined ? undefined : tracebackOf(error);
  const type = typeOf(report);
  const notes = notesOf(report);
  return {
    success: error === undefined,
    ...(error === undefined
      ? {}
      : {
          error: {
            code: error.code,
            type: error.type,
            message: error.message,
            ...(error.line === undefined ? {} : { line: error.line }),
            ...(next === undefined ? {} : { hint: next }),
          },
        }),
    ...(traceback === undefined ? {} : { traceback }),
    ...(value === undefined ? {} : { result: value.structured }),
    ...(type === undefined ? {} : { result_type: type }),
    ...(value?.whole === false || !output.whole ? { truncated: true } : {}),
    ...(resource === undefined ? {} : { resource }),
    output: output.text,
    ...(output.path === undefined ? {} : { output_resource: output.path }),
    execution_time_ms: Math.round(report.durationMs * 100) / 100,
    files_changed: report.filesChanged
      .slice(0, MAX_FILES)
      .map(({ path, change, size }) => ({ path, change, size })),
    ...(report.filesChanged.length > MAX_FILES ? { files_changed_total: report.filesChanged.length } : {}),
    ...toolCallsOf(report),
    ...(saysNothing(report, output) && report.variables.length > 0
      ? { variables: [...report.variables] }
      : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** The first ones, and how many there were: a hundred lines would cost more LLM tokens than they tell. */
function toolCallsOf(report: RunReport): Pick<Output, 'tool_calls' | 'tool_calls_total'> {
  const calls = report.toolCalls ?? [];
  if (calls.length === 0) return {};
  const shown = calls.slice(0, MAX_TOOL_CALLS).map(({ tool, ms, ok, chars }) => ({ tool, ms, ok, chars }));
  return { tool_calls: shown, ...(calls.length > shown.length ? { tool_calls_total: calls.length } : {}) };
}

function typeOf(report: RunReport): RunValue['type'] | undefined {
  const type = report.outcome.kind === 'value' ? report.outcome.value?.type : undefined;
  return type === undefined || ['dict', 'list', 'str', 'int', 'float', 'bool', 'NoneType'].includes(type)
    ? undefined
    : type;
}
