// @ts-check
/** What C code in the native jail prints, and how its process ends: src/sandbox/native/native-worker.ts over streams without a process. */
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { NativeWorker } from '../../dist/sandbox/native/native-worker.js';
import { Watchdog } from '../../dist/sandbox/watchdog.js';
import { frameBytes, workerMessages } from '../support/frame-corpus.mjs';
import { cuts, edited, hostileText, inPieces } from '../support/hostile.mjs';
import { insist } from '../support/oracle.mjs';

/** @typedef {{ printed: string, cuts: readonly number[], frames: readonly string[] }} Ended */

/** @returns {Promise<import('../support/campaign.mjs').Target<Ended>>} */
export async function open() {
  const watchdog = new Watchdog();
  return {
    promise:
      'whatever is printed past Python arrives as it was, but for the dump of a dying interpreter, and frames beside it keep their order',
    runs: 150,
    input,
    async check(ended) {
      await check(ended, watchdog);
    },
  };
}

/** @param {Ended} ended @param {Watchdog} watchdog */
async function check({ printed, cuts: places, frames }, watchdog) {
  const [data, text] = [new PassThrough(), new PassThrough()];
  let end = (/** @type {import('../../dist/sandbox/native/jail.js').RunEnd} */ _end) => {};
  const ended = new Promise((/** @type {typeof end} */ resolve) => {
    end = resolve;
  });
  const close = async () => end({ code: null, signal: 'SIGKILL' });
  const jail = { endRun: close, close, parentPid: undefined, lastWords: '' };
  const guest = { data, text, pid: 1, ended };
  const worker = new NativeWorker(
    /** @type {import('../../dist/sandbox/native/jail.js').Jail} */ (/** @type {unknown} */ (jail)),
    /** @type {import('../../dist/sandbox/native/jail.js').Guest} */ (/** @type {unknown} */ (guest)),
    watchdog,
  );
  /** @type {Buffer[]} */
  const shown = [];
  const types = /** @type {string[]} */ ([]);
  worker.onFrame(({ message, payload }) => {
    if (message.type === 'out' && message.stream === 'stderr') shown.push(Buffer.from(payload));
    else types.push(message.type);
  });
  for (const piece of inPieces(Buffer.from(printed), places)) text.write(piece);
  for (const frame of frames) data.write(frameBytes(Buffer.from(frame), new Uint8Array(1)));
  data.end();
  text.end();
  await turn();
  end({ code: 0, signal: null });
  const exit = await worker.exited;
  insist(exit.reason === 'exited' || exit.reason === 'protocol', () => `an end by ${exit.reason}`);
  insist(
    types.join() ===
      frames
        .map((one) => JSON.parse(one).type)
        .slice(0, types.length)
        .join(),
    'frames in another order',
  );
  insist(exit.reason === 'protocol' || types.length === frames.length, 'a frame is missing');
  const all = Buffer.concat(shown).toString();
  const sent = Buffer.from(printed).toString();
  if (!MARKS.test(printed)) insist(all === sent, () => `other text: ${JSON.stringify(all)}`);
  insist(all.length <= sent.length + 200, 'more text than was printed');
}

/** Words of a dump. */
const MARKS = /Fatal Python error|most recent call first/;
const line = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'Fatal Python error: Segmentation fault\n',
      'Current thread 0x00007f (most recent call first):\n  File "<code>", line 3 in f\n',
      'Stack (most recent call first):\n',
      'Extension modules: a, b (total: 2)\n',
      'x'.repeat(70_000),
    ),
  },
);
const messages = workerMessages('another')
  .filter((message) => message.type !== 'out')
  .map((message) => JSON.stringify(message));
/** @type {fc.Arbitrary<Ended>} */
const input = fc.record({
  printed: fc.oneof(
    fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n')),
    edited(line),
  ),
  cuts,
  frames: fc.array(messages, { maxLength: 3 }),
});
