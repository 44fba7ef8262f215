import { ERROR_CODES } from '../core/errors.js';
import type { FileChange, RunError, RunReport, VariableInfo } from '../core/outcome.js';
import type { RunImage } from './images/run-images.js';
import type { PresentedOutput } from './present-output.js';
import { aboutTokens, count, llmTokens, seconds, bytes as size } from './quantities.js';
import type { ShownValue } from './run-value.js';
import { headTail } from './summary/head-tail.js';
import { visibleLine, visibleText } from './visible-text.js';
import { clip } from './visible-value.js';

const MAX_MESSAGE_CHARS = 1500;
const MAX_TRACEBACK_CHARS = 2500;
const MAX_FILES_NAMED = 3;
const MAX_NOTES = 10;
const MAX_VARIABLES = 20;
/** Below this the first line does not boast. */
const TOKENS_WORTH_TELLING = 1000;

/** The parts of an `execute_code` answer, already within their budgets. */
export interface ReportParts {
  readonly report: RunReport;
  readonly value?: ShownValue;
  readonly output: PresentedOutput;
  readonly images: readonly RunImage[];
  readonly keptOutChars: number;
  /** What to do after a failure. */
  readonly next?: string;
}

/** The answer as text: outcome, error or result, output, notes, next step. */
export function reportText(parts: ReportParts): string {
  const { report, value, output, images, keptOutChars, next } = parts;
  const error = errorOf(report);
  const lines = [outcomeLine(report, error, keptOutChars)];
  if (error !== undefined) lines.push(...errorLines(error));
  if (value !== undefined && !isNone(report)) lines.push(value.text);
  if (saysNothing(parts)) lines.push(...noResultLines(report));
  if (output.text !== '') lines.push(output.title, output.text);
  else if (isNone(report) && images.length === 0) lines.push('None');
  lines.push(...imageLines(images));
  for (const note of notesOf(report)) lines.push(`note: ${note}`);
  if (next !== undefined) lines.push(`next: ${visibleLine(next)}`);
  return lines.join('\n');
}

/** How the run failed; undefined when it did not. Text that is not for the model is replaced. */
export function errorOf(report: RunReport): RunError | undefined {
  if (report.outcome.kind === 'value') return undefined;
  const { error } = report.outcome;
  if (ERROR_CODES[error.code].forModel)
    return { ...error, message: clipped(error.message, MAX_MESSAGE_CHARS) };
  return { code: error.code, type: 'InternalError', message: 'the server failed while running the code' };
}

/** The traceback, bounded; undefined without one. */
export function tracebackOf(error: RunError): string | undefined {
  return error.traceback === undefined ? undefined : clipped(error.traceback.trimEnd(), MAX_TRACEBACK_CHARS);
}

/** What the run wants to be known, one line each. */
export function notesOf(report: RunReport): string[] {
  const overwritten = report.filesChanged
    .filter((file) => file.overwroteOther === true)
    .slice(0, MAX_FILES_NAMED);
  return [
    ...report.notes.slice(0, MAX_NOTES).map((note) => visibleLine(clip(note, 500))),
    ...overwritten.map(
      (file) =>
        `${visibleLine(file.path)} was changed by another run meanwhile; this run's version replaced it`,
    ),
  ];
}

function outcomeLine(report: RunReport, error: RunError | undefined, keptOutChars: number): string {
  const time = seconds(report.durationMs);
  const outcome =
    error === undefined
      ? `ok · ${time}`
      : error.code === 'timeout'
        ? `failed · timeout after ${time}`
        : `failed · ${error.code} · ${time}`;
  const tokens = llmTokens(keptOutChars);
  const kept =
    tokens >= TOKENS_WORTH_TELLING ? [`kept ${aboutTokens(tokens)} LLM tokens out of context`] : [];
  return [outcome, ...callParts(report), ...fileParts(report.filesChanged), ...kept].join(' · ');
}

function callParts({ toolCalls = [] }: RunReport): string[] {
  if (toolCalls.length === 0) return [];
  const failed = toolCalls.filter((call) => !call.ok).length;
  const calls = `${count(toolCalls.length)} tool call${toolCalls.length === 1 ? '' : 's'}`;
  return [failed > 0 ? `${calls} (${count(failed)} failed)` : calls];
}

function fileParts(changes: readonly FileChange[]): string[] {
  const written = changes.filter((file) => file.change !== 'deleted');
  const deleted = changes.filter((file) => file.change === 'deleted');
  const total = written.reduce((sum, file) => sum + file.size, 0);
  const named = (files: readonly FileChange[], show: (file: FileChange) => string, all: string) =>
    files.length <= MAX_FILES_NAMED ? files.map(show).join(', ') : all;
  return [
    written.length === 0
      ? ''
      : `wrote ${named(written, (file) => `${visibleLine(file.path)} (${size(file.size)})`, `${count(written.length)} files (${size(total)})`)}`,
    deleted.length === 0
      ? ''
      : `deleted ${named(deleted, (file) => visibleLine(file.path), `${count(deleted.length)} files`)}`,
  ].filter((part) => part !== '');
}

function errorLines(error: RunError): string[] {
  const place = error.line === undefined ? '' : ` at line ${error.line}`;
  const source = error.source === undefined ? '' : `\n    ${visibleLine(clip(error.source.trim(), 300))}`;
  const message = visibleText(error.message);
  const lines = [`${visibleLine(error.type)}${place}${message === '' ? '' : `: ${message}`}${source}`];
  const traceback = tracebackOf(error);
  // One frame says what the line above says; a syntax error's traceback points at the character.
  const frames = traceback?.match(/^\s*File "/gm)?.length ?? 0;
  if (traceback !== undefined && (frames > 1 || error.code === 'syntax_error'))
    lines.push(visibleText(traceback));
  return lines;
}

/** Neither error nor result nor output nor image: the variables are all that the run has to show. */
export function saysNothing({ report: { outcome }, output, images }: ReportParts): boolean {
  return outcome.kind === 'value' && outcome.value === undefined && output.text === '' && images.length === 0;
}

/** The images that come with the answer, in their order, and those that do not. */
function imageLines(images: readonly RunImage[]): string[] {
  const shown = images.flatMap(({ path, shown }) =>
    shown === undefined ? [] : [`${visibleLine(path)} (${shown.width} x ${shown.height})`],
  );
  const others = images.flatMap(({ path, reason }) =>
    reason === undefined
      ? []
      : [`not shown: ${visibleLine(path)}, ${reason}: read_workspace_file ${visibleLine(path)}`],
  );
  return [...(shown.length === 0 ? [] : [`images: ${shown.join(', ')}`]), ...others];
}

function noResultLines(report: RunReport): string[] {
  const shown = report.variables.slice(0, MAX_VARIABLES).map(variableText);
  const more = report.variables.length - shown.length;
  const variables =
    shown.length === 0 ? [] : [`new variables: ${shown.join('; ')}${more > 0 ? `; ... ${more} more` : ''}`];
  return ['no result: set the variable `result`, end with an expression, or print', ...variables];
}

function variableText(variable: VariableInfo): string {
  const length = variable.size === undefined ? '' : ` of ${count(variable.size)}`;
  const preview = variable.preview === undefined ? '' : ` = ${visibleLine(clip(variable.preview, 80))}`;
  return `${visibleLine(variable.name)} ${visibleLine(variable.type)}${length}${preview}`;
}

function isNone(report: RunReport): boolean {
  return report.outcome.kind === 'value' && report.outcome.value?.type === 'NoneType';
}

function clipped(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : headTail(text, maxChars);
}
