import { z } from 'zod';
import { CodeExecutionError } from '../../core/errors.js';
import { MAX_OUTPUT_CHARS, MIN_OUTPUT_CHARS } from '../../core/limits.js';
import type { RunOutput, RunReport, RunValue } from '../../core/outcome.js';
import type { RunRequest } from '../../session/runner.js';
import { type Answer, answer, type Rendered } from '../answer.js';
import { checkCode, checkContext, checkSession } from '../check-run.js';
import { defineTool } from '../define-tool.js';
import { imageBlocks, runImages } from '../images/run-images.js';
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
import { FilteredValue, type ReadValue, readValue } from '../run-value.js';
import type { ServerLimits, ToolContext } from '../server-deps.js';

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
  result_dtypes: z.record(z.string(), z.string()).optional(),
  truncated: z.boolean().optional().describe('result or output is only a summary'),
  resource: z.string().optional().describe('file with the whole result'),
  images: z.array(z.object({ path: z.string(), shown: z.boolean() })).optional(),
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
      'Run Python (standard library; numpy, pandas, matplotlib where installed; no network, no pip) in a sandbox and get a ' +
      'short answer: the value of `result` or of the last expression, printed output, files changed; open figures are shown. Keep data in files or ' +
      'variables and return summaries. Each call starts fresh unless `session` is named. The working directory is the ' +
      'workspace; top-level await works. ' +
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
        answerChars: args.max_output_chars,
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
  const stats = deps.statsOf(principal);
  try {
    const report = await deps.runner.run(principal, request);
    stats.addRun(errorOf(report)?.code ?? 'ok', report.durationMs);
    stats.addToolCalls(report.toolCalls ?? []);
    return report;
  } catch (error) {
    stats.addRun(error instanceof CodeExecutionError ? error.code : 'internal');
    throw error;
  }
}

/** What the egress filter sees: the whole value and the whole report but for the value's JSON text. */
interface Facts {
  readonly report: RunReport;
  readonly value?: { readonly type: string; readonly value: unknown };
  /** Types of the columns of a table: not below `value`, where the filter would take them for values of the columns. */
  readonly dtypes?: readonly string[];
}

/** What the call asked for, beside the code. */
type Asked = RunLimitsAsked & { readonly max_output_chars: number };

function answerOf(report: RunReport, asked: Asked, context: ToolContext): Answer<Output> {
  const encoded = encodedOf(report);
  const read = encoded === undefined ? undefined : readValue(encoded);
  const facts: Facts = {
    report:
      encoded === undefined
        ? report
        : { ...report, outcome: { kind: 'value', value: { ...encoded, json: '' } } },
    ...(read === undefined ? {} : { value: { type: read.type, value: read.value } }),
    ...(read?.table === undefined ? {} : { dtypes: read.table.dtypes }),
  };
  return answer(facts, async (shown) => {
    const output = countedAgain(report.output, shown.report.output);
    return render({ ...shown, report: { ...shown.report, output } }, { report, read }, asked, context);
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
  { report, value, dtypes = [] }: Facts,
  unfiltered: { report: RunReport; read: ReadValue | undefined },
  asked: Asked,
  { deps, principal }: ToolContext,
): Promise<Rendered<Output>> {
  const maxChars = asked.max_output_chars;
  const workspace = () => deps.workspace(principal);
  const overflow = new Overflow(workspace, deps.log);
  const filtered = filteredValue(report, unfiltered.read, value?.value, dtypes);
  const json = filtered?.json(encodedOf(unfiltered.report)?.json ?? '') ?? '';
  const chars = filtered?.isCut ? Number.POSITIVE_INFINITY : json.length;
  const printed = report.output.head.length + report.output.tail.length;
  const outputShare = Math.min(printed, Math.max(maxChars - chars, Math.floor(maxChars / 4)));
  const presented = await filtered?.present(json, maxChars - outputShare, {
    report: unfiltered.report,
    overflow,
    path: `results/run-${report.runId}.json`,
  });
  const images = await runImages(unfiltered.report, workspace);
  const output = await presentOutput(report.output, outputShare, (text) =>
    overflow.keep(`output/run-${report.runId}.txt`, text, 'text/plain'),
  );
  const fromTools = (report.toolCalls ?? []).reduce((sum, call) => sum + call.chars, 0);
  const data =
    json.length + (presented?.file?.size ?? 0) + report.output.bytes + (report.bytesRead ?? 0) + fromTools;
  const keptOutChars = Math.max(0, data - (presented?.text.length ?? 0) - output.text.length);
  const error = errorOf(report);
  const next = error === undefined ? undefined : nextStep(error, asked, deps.limits);
  const parts = {
    report,
    output,
    images,
    keptOutChars,
    ...(presented === undefined ? {} : { value: presented }),
    ...(next === undefined ? {} : { next }),
  };
  return {
    text: reportText(parts),
    structured: structure(parts),
    blocks: [...imageBlocks(images), ...overflow.links],
    failed: report.outcome.kind !== 'value',
    keptOutChars,
  };
}

function encodedOf({ outcome }: RunReport): RunValue | undefined {
  return outcome.kind === 'value' ? outcome.value : undefined;
}

function filteredValue(
  report: RunReport,
  read: ReadValue | undefined,
  value: unknown,
  dtypes: readonly string[],
): FilteredValue | undefined {
  const encoded = encodedOf(report);
  return encoded === undefined || read === undefined
    ? undefined
    : new FilteredValue(encoded, read, value, dtypes);
}

function structure(parts: ReportParts): Output {
  const { report, value, output, images, next } = parts;
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
    ...(value?.dtypes === undefined ? {} : { result_dtypes: value.dtypes }),
    ...(value?.file === undefined ? {} : { resource: value.file.path }),
    ...(images.length === 0
      ? {}
      : { images: images.map(({ path, shown }) => ({ path, shown: shown !== undefined })) }),
    output: output.text,
    ...(output.path === undefined ? {} : { output_resource: output.path }),
    execution_time_ms: Math.round(report.durationMs * 100) / 100,
    files_changed: report.filesChanged
      .slice(0, MAX_FILES)
      .map(({ path, change, size }) => ({ path, change, size })),
    ...(report.filesChanged.length > MAX_FILES ? { files_changed_total: report.filesChanged.length } : {}),
    ...toolCallsOf(report),
    ...(saysNothing(parts) && report.variables.length > 0 ? { variables: [...report.variables] } : {}),
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
  const { type, label } = encodedOf(report) ?? {};
  if (type === undefined || ['dict', 'list', 'str', 'int', 'float', 'bool', 'NoneType'].includes(type))
    return undefined;
  return label === undefined ? type : `${type} ${label}`;
}
