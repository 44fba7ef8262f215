import { expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { driveRun } from '../../../src/session/drive-run.js';
import type { WorkerFrame } from '../../../src/wire/frames.js';
import type { WorkspaceView } from '../../../src/workspace/workspace.js';
import { FakeWorker } from './fake-worker.js';

type Done = Partial<Extract<WorkerFrame['message'], { type: 'done' }>>;

const VALUE = {
  type: 'DataFrame',
  truncated: true,
  form: 'table',
  label: '9 x 1',
  file: 'result-1.csv',
} as const;

/** The report of a run that writes `paths`, none of which the workspace takes, and then says `done`. */
async function reportOf(paths: readonly string[], done: Done) {
  const view: WorkspaceView = {
    entries: [],
    read: async () => new Uint8Array(),
    stage: async () => {
      throw new CodeExecutionError('disk_limit', 'the workspace is full');
    },
    stageFolder: async () => undefined,
    stageRemoval: async () => undefined,
    commit: async () => [],
    discard: async () => undefined,
  };
  class Writer extends FakeWorker {
    #receive: (frame: WorkerFrame) => void = () => undefined;
    override onFrame(receiver: (frame: WorkerFrame) => void): void {
      this.#receive = receiver;
    }
    override send({ message }: Parameters<FakeWorker['send']>[0]): void {
      if (message.type !== 'run') return;
      const payload = new Uint8Array();
      for (const path of paths)
        this.#receive({ message: { type: 'file', path, offset: 0, last: true }, payload });
      const lists = { notes: [], variables: [], names: [] };
      const end: WorkerFrame['message'] = { ...lists, ...done, type: 'done', id: message.id };
      this.#receive({ message: end, payload: Buffer.from('{}') });
    }
  }
  const { report } = await driveRun({
    worker: new Writer(() => undefined),
    view,
    usage: { bytes: 0, files: 0, limitBytes: 1_000, limitFiles: 10 },
    request: { code: '1', context: {}, timeoutMs: 5_000, memoryMb: 64 },
    builtins: 'restricted',
    earlierNames: [],
    principal: 'me',
  });
  return report;
}

test('a file that the runtime adds and that finds no room is a note: the run itself went well', async () => {
  const report = await reportOf(['result-1.csv', 'figure-1.png'], { value: VALUE, images: ['figure-1.png'] });
  expect(report.outcome).toEqual({ kind: 'value', value: { ...VALUE, json: '{}' } });
  expect(report.notes).toEqual(['not saved: the workspace is full', 'not saved: the workspace is full']);
  expect(report.images).toEqual(['figure-1.png']);
});

test('a file of the code that finds no room fails the run, whatever else the runtime adds', async () => {
  const report = await reportOf(['result-1.csv', 'own.csv'], { value: VALUE });
  expect(report.outcome).toMatchObject({ kind: 'limited', error: { code: 'disk_limit' } });
});

test('a name that the run does not claim as its own is a file of the code', async () => {
  const report = await reportOf(['result-2.csv'], { value: VALUE });
  expect(report.outcome).toMatchObject({ kind: 'limited' });
});
