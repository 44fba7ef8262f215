import { randomBytes } from 'node:crypto';
import { INTERRUPT_GRACE_MS, MAX_OUTPUT_BYTES, MAX_RESULT_BYTES } from '../core/limits.js';
import type { Outcome, RunReport, VariableInfo } from '../core/outcome.js';
import type { Worker, WorkerExit } from '../sandbox/sandbox.js';
import type { WorkerFrame } from '../wire/frames.js';
import type { ManifestEntry, RunPayload, WorkerMessage } from '../wire/messages.js';
import type { WorkspaceUsage, WorkspaceView } from '../workspace/workspace.js';
import { FileTraffic } from './file-traffic.js';
import { endedByWorker, outcomeOf, stopped } from './outcomes.js';
import { RunClock } from './run-clock.js';
import { OutputLog } from './run-output.js';
import type { RunPrivacy } from './run-privacy.js';
import type { RunRequest } from './runner.js';
import type { SkillAccess } from './skill-access.js';
import { isSkillCall, SkillCalls } from './skill-calls.js';
import { isTextCall, TextCalls } from './text-calls.js';
import type { ToolAccess } from './tool-access.js';
import { type CallBudget, ToolCalls } from './tool-calls.js';

export interface DriveOptions {
  readonly worker: Worker;
  readonly view: WorkspaceView;
  readonly usage: WorkspaceUsage;
  readonly request: RunRequest;
  readonly builtins: 'restricted' | 'strict';
  readonly earlierNames: readonly string[];
  /** Absent: the worker has seen this state of the workspace. */
  readonly manifest?: readonly ManifestEntry[];
  /** Absent: no downstream tools are configured. */
  readonly tools?: {
    readonly access: ToolAccess;
    readonly budget: CallBudget;
  };
  /** Absent: privacy is off. */
  readonly privacy?: RunPrivacy;
  /** Absent: no skills are kept. */
  readonly skills?: SkillAccess;
  readonly principal: string;
}

export interface DriveResult {
  readonly report: RunReport;
  /** Top-level names that the code defined. */
  readonly names: readonly string[];
  /** False when the worker had to be killed or died. */
  readonly workerAlive: boolean;
}

type DoneMessage = Extract<WorkerMessage, { type: 'done' }>;
type End =
  | { readonly by: 'done'; readonly message: DoneMessage; readonly json: Uint8Array }
  | { readonly by: 'exit'; readonly exit: WorkerExit }
  | { readonly by: 'host'; readonly outcome: Outcome };

/**
 * Output may run over its limit by this much before the worker is killed: the runtime stops the code itself at the
 * limit, which keeps a session alive.
 */
const OUTPUT_SLACK_BYTES = 256 * 1024;

/** One run from the `run` frame to its report. The workspace view is committed whatever the end, so nothing done is lost. */
export async function driveRun(options: DriveOptions): Promise<DriveResult> {
  const { worker, view, request, usage } = options;
  const runId = randomBytes(4).toString('hex');
  const output = new OutputLog(MAX_OUTPUT_BYTES + OUTPUT_SLACK_BYTES);
  const files = new FileTraffic(worker, view);
  const started = performance.now();
  const { principal, skills: access, privacy } = options;
  const texts = new TextCalls({ privacy, worker, principal });
  let calls: ToolCalls | undefined;
  const skills = access && new SkillCalls({ access, worker, principal, runId });
  const end = await new Promise<End>((resolve) => {
    const finish = (value: End): void => {
      clock.stop();
      request.signal?.removeEventListener('abort', onAbort);
      resolve(value);
    };
    const onAbort = (): void => finish({ by: 'host', outcome: stopped('cancelled', request) });
    const onDeadline = (): void => {
      calls?.expire();
      skills?.expire();
      // Unwinding in time keeps the session: not behind others.
      worker.restorePriority();
      // From here on the clock is the code's time to unwind.
      clock = new RunClock(INTERRUPT_GRACE_MS, () =>
        finish({ by: 'host', outcome: stopped('timeout', request) }),
      );
    };
    let clock = new RunClock(request.timeoutMs, onDeadline);
    if (options.tools) {
      calls = new ToolCalls({
        ...options.tools,
        ...(access ? { skills: access } : {}),
        ...(privacy ? { privacy } : {}),
        worker,
        principal,
        runId,
        clock,
        approve: request.approve,
        onProgress: (message) => request.onProgress?.({ message }),
      });
    }
    request.signal?.addEventListener('abort', onAbort, { once: true });
    worker.onFrame((frame) => {
      const { message } = frame;
      if (message.type === 'done') {
        if (message.id === runId) finish({ by: 'done', message, json: frame.payload });
      } else if (message.type === 'out') {
        if (!output.add(frame.payload)) finish({ by: 'host', outcome: stopped('output_limit', request) });
        reportPrinted(frame, request);
      } else if (message.type === 'progress') request.onProgress?.(withoutUndefined(message));
      else if (message.type === 'call') {
        const taker = isTextCall(message) ? texts : isSkillCall(message) ? skills : calls;
        taker?.handle({ ...frame, message });
      } else if (message.type !== 'ready') files.handle(frame);
    });
    void worker.exited.then((exit) => finish({ by: 'exit', exit }));
    worker.limitMemory(request.memoryMb);
    if (request.signal?.aborted) onAbort();
    else sendRun(options, runId, usage);
  });
  calls?.close();
  skills?.close();
  texts.close();
  const durationMs = performance.now() - started;
  // What a killed run had written may only come now (the native backend fetches it); anything else is too late.
  worker.onFrame((frame) => {
    if (end.by === 'host' && isChange(frame)) files.handle(frame);
  });
  if (end.by === 'host') await worker.kill();
  worker.onFrame(() => undefined);
  await files.settled();
  const filesChanged = await files.commit();
  const done = end.by === 'done' ? end.message : undefined;
  const outcome = outcomeWithFiles(end, request, files);
  const report: RunReport = {
    runId,
    outcome,
    output: output.result('error' in outcome && outcome.error.code === 'output_limit'),
    durationMs,
    filesChanged,
    ...(calls ? { toolCalls: calls.summaries } : {}),
    notes: [
      ...(done?.notes ?? []),
      ...(calls?.notes ?? []),
      ...(skills?.notes ?? []),
      ...files.problems.map(({ error }) => `not saved: ${error.message}`),
    ],
    variables: (done?.variables ?? []).map((variable) => withoutUndefined(variable) as VariableInfo),
    ...(done?.images === undefined ? {} : { images: done.images }),
    bytesRead: files.bytesRead,
  };
  return { report, names: done?.names ?? [], workerAlive: end.by === 'done' };
}

function isChange({ message: { type } }: WorkerFrame): boolean {
  return type === 'file' || type === 'folder' || type === 'remove';
}

function sendRun(options: DriveOptions, id: string, usage: WorkspaceUsage): void {
  const { request } = options;
  const payload: RunPayload = {
    code: request.code,
    context: request.context,
    earlierNames: [...options.earlierNames],
  };
  options.worker.send({
    message: {
      type: 'run',
      id,
      timeoutMs: request.timeoutMs,
      memoryMb: request.memoryMb,
      outputBytes: MAX_OUTPUT_BYTES,
      resultBytes: MAX_RESULT_BYTES,
      ...(request.answerChars === undefined ? {} : { answerChars: request.answerChars }),
      diskBytes: Math.max(0, usage.limitBytes - usage.bytes),
      diskFiles: Math.max(0, usage.limitFiles - usage.files),
      builtins: options.builtins,
      keepState: request.session !== undefined,
      tools: options.tools !== undefined,
      skills: options.skills !== undefined,
      ...(options.manifest ? { manifest: [...options.manifest] } : {}),
    },
    payload: new TextEncoder().encode(JSON.stringify(payload)),
  });
}

/**
 * A file that could not be saved turns success into failure: the answer must not claim more than is on disk. Not so for files
 * that the runtime adds of itself; an answer shows them only if they are there.
 */
function outcomeWithFiles(end: End, request: RunRequest, files: FileTraffic): Outcome {
  const outcome =
    end.by === 'host'
      ? end.outcome
      : end.by === 'exit'
        ? endedByWorker(end.exit, request)
        : outcomeOf(end.message, end.json);
  const added =
    end.by === 'done' ? new Set([...(end.message.images ?? []), end.message.value?.file]) : undefined;
  const problem = files.problems.find(({ path }) => path === undefined || !added?.has(path))?.error;
  if (outcome.kind !== 'value' || !problem) return outcome;
  const error = {
    code: problem.code,
    type: problem.code === 'disk_limit' ? 'OSError' : 'FileError',
    message: problem.message,
    hint: problem.hint ?? 'delete files or write less, then run again',
  };
  return problem.code === 'disk_limit' ? { kind: 'limited', error } : { kind: 'raised', error };
}

function reportPrinted(frame: WorkerFrame, request: RunRequest): void {
  if (!request.onProgress) return;
  const text = new TextDecoder().decode(frame.payload.subarray(-500)).trimEnd();
  const line = text.slice(text.lastIndexOf('\n') + 1);
  if (line !== '') request.onProgress({ message: line });
}

/** Drops keys whose value is undefined, which exact optional types do not accept. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
