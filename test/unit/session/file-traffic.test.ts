import { expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { FileTraffic } from '../../../src/session/file-traffic.js';
import type { WorkerFrame } from '../../../src/wire/frames.js';
import type { WorkspaceEntry, WorkspaceView } from '../../../src/workspace/workspace.js';
import { FakeWorker } from '../sandbox/fake-worker.js';

const MIB = 1024 * 1024;
const entry = (path: string, size: number): WorkspaceEntry => ({
  path,
  kind: 'file',
  size,
  mtimeMs: 0,
  version: '1',
});

/** A view in memory that notes every call; `hold` keeps all of them waiting. */
class NotedView implements WorkspaceView {
  readonly calls: string[] = [];
  readonly entries: readonly WorkspaceEntry[];
  hold: Promise<void> = Promise.resolve();

  constructor(private readonly files: Record<string, Uint8Array>) {
    this.entries = Object.entries(files).map(([path, bytes]) => entry(path, bytes.length));
  }

  async read(path: string): Promise<Uint8Array> {
    await this.#note(`read ${path}`);
    const bytes = this.files[path];
    if (!bytes) throw new CodeExecutionError('not_found', 'no such file');
    return bytes;
  }

  async stage(path: string, part: { offset: number; bytes: Uint8Array; last: boolean }): Promise<void> {
    await this.#note(`stage ${path} ${part.offset}+${part.bytes.length}${part.last ? '.' : ''}`);
    if (path === 'full') throw new CodeExecutionError('disk_limit', 'the workspace is full');
  }

  async stageFolder(path: string): Promise<void> {
    await this.#note(`folder ${path}`);
  }

  async stageRemoval(path: string): Promise<void> {
    await this.#note(`remove ${path}`);
  }

  async commit() {
    return [];
  }

  async discard(): Promise<void> {
    return undefined;
  }

  async #note(call: string): Promise<void> {
    await this.hold;
    this.calls.push(call);
  }
}

function traffic(files: Record<string, Uint8Array> = {}) {
  const worker = new FakeWorker();
  const view = new NotedView(files);
  return { worker, view, files: new FileTraffic(worker, view) };
}
const frame = (message: WorkerFrame['message'], payload = new Uint8Array(0)): WorkerFrame => ({
  message,
  payload,
});
const read = (path: string, ahead: string[] = []) => frame({ type: 'read', id: 7, path, ahead });
const sentBy = (worker: FakeWorker) =>
  worker.sent.map(({ message, payload }) => [
    message.type,
    'path' in message ? message.path : 'id' in message ? message.id : '',
    payload.length,
  ]);

test('changes reach the view in the order in which they came', async () => {
  const { view, files } = traffic();
  files.handle(frame({ type: 'remove', path: 'a' }));
  files.handle(frame({ type: 'folder', path: 'b' }));
  files.handle(frame({ type: 'file', path: 'b/c', offset: 0, last: false }, new Uint8Array(3)));
  files.handle(frame({ type: 'file', path: 'b/c', offset: 3, last: true }, new Uint8Array(2)));
  await files.settled();
  expect(view.calls).toEqual(['remove a', 'folder b', 'stage b/c 0+3', 'stage b/c 3+2.']);
});

test('a change that fails is a problem of the run, and those after it are made', async () => {
  const { view, files } = traffic();
  files.handle(frame({ type: 'file', path: 'full', offset: 0, last: true }));
  files.handle(frame({ type: 'folder', path: 'after' }));
  await files.settled();
  expect(files.problems).toMatchObject([{ path: 'full', error: { code: 'disk_limit' } }]);
  expect(view.calls).toEqual(['stage full 0+0.', 'folder after']);
});

test('ten problems are kept of a thousand', async () => {
  const { files } = traffic();
  for (let n = 0; n < 1_000; n++) files.handle(frame({ type: 'file', path: 'full', offset: 0, last: true }));
  await files.settled();
  expect(files.problems).toHaveLength(10);
});

test('a read is answered by the content in parts, then by a reply', async () => {
  const { worker, files } = traffic({ big: new Uint8Array(9 * MIB) });
  files.handle(read('big'));
  await expect.poll(() => worker.sent.length).toBe(4);
  expect(sentBy(worker)).toEqual([
    ['content', 'big', 4 * MIB],
    ['content', 'big', 4 * MIB],
    ['content', 'big', 1 * MIB],
    ['reply', 7, 0],
  ]);
  expect(
    worker.sent.map(({ message }) =>
      'offset' in message ? [message.offset, message.size, message.last] : message,
    ),
  ).toEqual([
    [0, 9 * MIB, false],
    [4 * MIB, 9 * MIB, false],
    [8 * MIB, 9 * MIB, true],
    { type: 'reply', id: 7, ok: true },
  ]);
  expect(files.bytesRead).toBe(9 * MIB);
});

test('a file that cannot be read is answered by its code', async () => {
  const { worker, files } = traffic();
  files.handle(read('absent'));
  await expect
    .poll(() => worker.sent)
    .toMatchObject([{ message: { type: 'reply', id: 7, ok: false, code: 'not_found' } }]);
});

test('files ahead come once each, as far as they fit, and only those of the workspace', async () => {
  const small = new Uint8Array(10);
  const { worker, view, files } = traffic({ a: small, b: small, c: small, huge: new Uint8Array(5 * MIB) });
  files.handle(read('a', ['b', 'b', 'absent', 'c', 'huge', 'b']));
  await expect.poll(() => worker.sent.at(-1)?.message.type).toBe('reply');
  expect(view.calls).toEqual(['read a', 'read b', 'read c']);
  expect(sentBy(worker)).toEqual([
    ['content', 'a', 10],
    ['content', 'b', 10],
    ['content', 'c', 10],
    ['reply', 7, 0],
  ]);
});

test('a worker that takes no answers gets two parts of them, and holds nobody up at the end', async () => {
  const { worker, files } = traffic({ big: new Uint8Array(20 * MIB) });
  worker.stopReading();
  for (let n = 0; n < 100; n++) files.handle(read('big'));
  files.handle(frame({ type: 'file', path: 'kept', offset: 0, last: true }));
  await expect.poll(() => worker.sent.length).toBe(2);
  await files.settled();
  expect(worker.sent.length).toBeLessThanOrEqual(3);
});

test('after the end no read is answered, and every change is still made', async () => {
  const { worker, view, files } = traffic({ a: new Uint8Array(1) });
  let go = (): void => undefined;
  view.hold = new Promise((resolve) => {
    go = resolve;
  });
  files.handle(frame({ type: 'folder', path: 'first' }));
  files.handle(read('a'));
  files.handle(frame({ type: 'folder', path: 'last' }));
  const end = files.settled();
  go();
  await end;
  expect(view.calls).toEqual(['folder first', 'folder last']);
  expect(worker.sent).toEqual([]);
});

test.each<[string, WorkerFrame, number]>([
  ['large parts', frame({ type: 'file', path: 'a', offset: 0, last: true }, new Uint8Array(4 * MIB)), 9],
  ['frames without payload', frame({ type: 'remove', path: 'a' }), 2_100],
])('a flood of %s stops the reading until the disk has caught up', async (_what, flood, enough) => {
  const { worker, view, files } = traffic();
  let go = (): void => undefined;
  view.hold = new Promise((resolve) => {
    go = resolve;
  });
  for (let n = 0; n < enough; n++) files.handle(flood);
  expect(worker.calls).toContain('pause');
  expect(worker.calls).not.toContain('resume');
  go();
  await files.settled();
  expect(worker.calls.at(-1)).toBe('resume');
});
