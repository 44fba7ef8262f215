import { MIB } from '../../core/limits.js';
import type { WorkerFrame } from '../../wire/frames.js';
import type { Worker } from '../sandbox.js';

const DEADLINE_MS = 20_000;
const RESULT_BYTES = 8 * MIB;

/**
 * Runs code of our own as a run of its own: the value of its last expression.
 * @throws Error when it does not end well within 20 s
 */
export async function runTrusted(
  worker: Worker,
  code: string,
  {
    context = {},
    memoryMb,
  }: { readonly context?: Readonly<Record<string, unknown>>; readonly memoryMb: number },
): Promise<unknown> {
  const done = new Promise<WorkerFrame>((resolve) => {
    worker.onFrame((frame) => {
      if (frame.message.type === 'done') resolve(frame);
    });
  });
  worker.send({
    message: {
      type: 'run',
      id: 'trusted',
      timeoutMs: DEADLINE_MS,
      memoryMb,
      outputBytes: MIB,
      resultBytes: RESULT_BYTES,
      diskBytes: MIB,
      diskFiles: 10,
      builtins: 'restricted',
      keepState: false,
      tools: false,
      skills: false,
      manifest: [],
    },
    payload: Buffer.from(JSON.stringify({ code, context, earlierNames: [] })),
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS + 2_000);
  });
  const end = await Promise.race([done, worker.exited, late]);
  clearTimeout(timer);
  if (!end || !('message' in end) || end.message.type !== 'done' || end.message.error)
    throw new Error('code of the server did not run to its end', { cause: end });
  return JSON.parse(Buffer.from(end.payload).toString('utf8') || 'null');
}
