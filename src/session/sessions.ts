import { CodeExecutionError } from '../core/errors.js';
import type { RunReport } from '../core/outcome.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Workspace, WorkspaceView } from '../workspace/workspace.js';
import { Admission, type Slot } from './admission.js';
import { capacityOf } from './capacity.js';
import { type DriveResult, driveRun } from './drive-run.js';
import { EarlierNames } from './earlier-names.js';
import type { RunPrivacy } from './run-privacy.js';
import type { Runner, RunRequest } from './runner.js';
import { ENDED, type Session, SessionTable } from './session-table.js';
import type { SkillAccess } from './skill-access.js';
import type { ToolAccess } from './tool-access.js';
import type { CallBudget } from './tool-calls.js';

export interface SessionsOptions {
  readonly sandbox: Pick<Sandbox, 'acquire'>;
  readonly workspace: (principal: string) => Promise<Workspace>;
  readonly builtins: 'restricted' | 'strict';
  /** Most that a run may have, in MiB. */
  readonly memoryMb: number;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  /** Absent: no downstream tools are configured. */
  readonly tools?: {
    readonly access: ToolAccess;
    readonly budget: CallBudget;
  };
  /** Absent: privacy is off. */
  readonly privacy?: RunPrivacy;
  /** Absent: no skills are kept. */
  readonly skills?: SkillAccess;
}

/** A run that holds no place of its own, for it was started by one that does. */
const NO_SLOT: Slot = { begin: () => undefined, release: () => undefined };

/** The runner: fresh interpreters and named sessions, one run at a time in each. */
export class Sessions implements Runner, AsyncDisposable {
  readonly #options: SessionsOptions;
  readonly #table: SessionTable;
  readonly #admission: Admission;
  readonly #earlier = new EarlierNames();
  /** Sessions whose first worker is on its way: a second call must not start another. */
  readonly #opening = new Set<string>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#admission = new Admission(capacityOf(options.memoryMb));
    this.#table = new SessionTable({ maxSessions: options.maxSessions, idleMs: options.sessionIdleMs });
  }

  get openSessions(): number {
    return this.#table.size;
  }

  async run(principal: string, request: RunRequest): Promise<RunReport> {
    const { session, nested } = request;
    const lane = session === undefined ? {} : { lane: session };
    const slot = nested ? NO_SLOT : await this.#admission.take({ principal, ...lane, ...signalOf(request) });
    try {
      return session === undefined
        ? await this.#runFresh(principal, request, slot)
        : await this.#runInSession(principal, session, request, slot);
    } finally {
      slot.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#table.closeAll();
  }

  async #runFresh(principal: string, request: RunRequest, slot: Slot): Promise<RunReport> {
    const workspace = await this.#options.workspace(principal);
    const worker = await this.#options.sandbox.acquire({ principal, ...signalOf(request) });
    try {
      slot.begin(() => worker.lowerPriority(true));
      const view = await workspace.openView();
      const { report, names } = await this.#drive(view, async () =>
        driveRun({
          worker,
          view,
          request,
          usage: await workspace.usage(),
          principal,
          builtins: this.#options.builtins,
          ...this.#reach(),
          earlierNames: this.#earlier.of(principal),
          manifest: view.entries,
        }),
      );
      this.#earlier.add(principal, names);
      return report;
    } finally {
      // The answer does not wait for the end of the process (about 20 ms); the pool counts it until it is gone.
      void worker.kill();
    }
  }

  async #runInSession(principal: string, name: string, request: RunRequest, slot: Slot): Promise<RunReport> {
    const workspace = await this.#options.workspace(principal);
    const session = this.#table.find(principal, name) ?? (await this.#open(principal, name, request));
    session.busy = true;
    session.usedAt = Date.now();
    // Why the session ends after this run, for its next caller; a report tells it to the caller of this run.
    let lost: string | undefined = 'the server failed in the middle of a run';
    let alive = false;
    try {
      slot.begin(() => session.worker.lowerPriority(false));
      const view = await workspace.openView();
      const seen = fingerprint(view);
      const result = await this.#drive(view, async () =>
        driveRun({
          worker: session.worker,
          view,
          request,
          usage: await workspace.usage(),
          principal,
          builtins: this.#options.builtins,
          ...this.#reach(),
          earlierNames: [],
          ...(seen === session.seenWorkspace ? {} : { manifest: view.entries }),
        }),
      );
      alive = result.workerAlive;
      // Nobody reads the answer to a call that was cancelled.
      lost = result.report.outcome.kind === 'cancelled' ? 'the run in it was cancelled' : undefined;
      // After its own changes the worker and the disk agree on names but not on versions: it gets a new list next time.
      session.seenWorkspace = result.report.filesChanged.length > 0 ? '' : seen;
      return result.report;
    } finally {
      session.busy = false;
      session.usedAt = Date.now();
      session.worker.restorePriority();
      session.worker.rest();
      if (!alive) await this.#table.close(session, lost);
      // It answered, and then it went: this run's caller was not told.
      else if (session.ended) await this.#table.close(session, ENDED);
      // Between runs a worker has nothing to say: one that speaks is not ours any more.
      else
        session.worker.onFrame(
          () => void this.#table.close(session, 'it broke the protocol between two runs'),
        );
    }
  }

  async #open(principal: string, name: string, request: RunRequest): Promise<Session> {
    const key = JSON.stringify([principal, name]);
    if (this.#opening.has(key)) {
      throw new CodeExecutionError(
        'busy',
        `session "${name}" is being started by another call`,
        'wait for that answer',
      );
    }
    this.#opening.add(key);
    try {
      await this.#table.makeRoom(principal);
      const worker = await this.#options.sandbox.acquire({ principal, ...signalOf(request) });
      const session: Session = {
        principal,
        name,
        worker,
        busy: true,
        ended: false,
        usedAt: Date.now(),
        seenWorkspace: '',
      };
      this.#table.add(session);
      return session;
    } finally {
      this.#opening.delete(key);
    }
  }

  /** What a run can reach outside. */
  #reach(): Pick<SessionsOptions, 'tools' | 'skills' | 'privacy'> {
    const { tools, skills, privacy } = this.#options;
    return { ...(tools ? { tools } : {}), ...(skills ? { skills } : {}), ...(privacy ? { privacy } : {}) };
  }

  /** A view that no run came to commit must be discarded, or it would hold old files for ever. */
  async #drive(view: WorkspaceView, run: () => Promise<DriveResult>): Promise<DriveResult> {
    try {
      return await run();
    } catch (error) {
      await view.discard();
      throw error;
    }
  }
}

function signalOf(request: RunRequest): { signal?: AbortSignal } {
  return request.signal ? { signal: request.signal } : {};
}

function fingerprint(view: WorkspaceView): string {
  return (
    view.entries.map((entry) => `${entry.path}\n${entry.kind}\n${entry.version}`).join('\n\n') || 'empty'
  );
}
