// @ts-check
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { answerOfMessage } from '../answer.mjs';
import { HttpClient } from './http-client.mjs';

/** @typedef {import('../case-format.mjs').Case} Case */
/** @typedef {import('./run-case.mjs').Stage} Stage */

/** An agent reads an answer before it asks again, in milliseconds. */
const THINK_MS = 400;
/** The interpreter of each caller, kept between calls. */
const SESSION = 'own';
/** Sessions are closed after 10 idle seconds, and looked for as often. */
const SESSIONS_END_MS = 40_000;
/** A client that is told to come back does so until this, in milliseconds. */
const BUSY_MS = 20_000;

/** What a hostile neighbour runs, by kind. @type {Readonly<Record<string, string>>} */
export const HOSTILE = {
  'cpu-time': 'while True:\n    pass\n',
  memory: 'keep = []\nwhile True:\n    keep.append(bytearray(b"z") * (16 << 20))\n',
  'output-flood': 'while True:\n    print("0123456789" * 100)\n',
  'crash-recursion': 'import os\nos.kill(os.getpid(), 9)\n',
  'process-escape':
    'import threading, time, os\nthreading.Thread(target=lambda: time.sleep(30), daemon=True).start()\ntry:\n    os.fork()\nexcept BaseException:\n    pass\n',
  'disk-quota': 'n = 0\nwhile True:\n    open("f%d" % n, "wb").write(bytes(1 << 20))\n    n += 1\n',
  'rpc-forgery':
    'import os\nfor fd in range(3, 20):\n    try:\n        os.write(fd, b"FORGED" * 100)\n    except OSError:\n        pass\n',
  'output-encoding': 'import os\nos.write(1, bytes(range(128, 256)) * 1000)\n',
  'harness-tamper': 'import builtins\nbuiltins.print = builtins.compile = builtins.len = None\n',
};

/**
 * Sessions side by side, each of a principal of its own, some of them hostile.
 * @param {Stage} stage @param {Case} each
 */
export async function load({ subject, notes }, { input, expect }) {
  const hostiles = Math.round((input.sessions * (input.hostilePercent ?? 0)) / 100);
  const kinds = input.hostileKinds ?? Object.keys(HOSTILE);
  const wanted = reference(input.benign);
  const end = performance.now() + input.seconds * 1000;
  const tally = {
    right: 0,
    wrong: /** @type {string[]} */ ([]),
    ms: /** @type {number[]} */ ([]),
    attacks: 0,
  };

  const hostile = async (/** @type {number} */ index) => {
    for (let n = 0; performance.now() < end; n++) {
      const code = HOSTILE[kinds[(index + n) % kinds.length]] ?? HOSTILE['cpu-time'];
      await subject.call('execute_code', { code, session: SESSION }, `s${index}`);
      tally.attacks++;
      await delay(50);
    }
  };
  const benign = async (/** @type {number} */ index) => {
    // Not all at once.
    await delay((THINK_MS * index) / input.sessions);
    while (performance.now() < end) {
      const started = performance.now();
      const call = { code: input.benign, session: SESSION };
      const answer = await patiently(() => subject.call('execute_code', call, `s${index}`));
      tally.ms.push(performance.now() - started);
      if (answer.stdout.trim() === wanted) tally.right++;
      else tally.wrong.push(answer.all.slice(0, 300));
      await delay(THINK_MS);
    }
  };
  await Promise.all(
    Array.from({ length: input.sessions }, (_, index) => (index < hostiles ? hostile(index) : benign(index))),
  );
  await subject.atRest(SESSIONS_END_MS);
  return summary(tally, expect, notes);
}

/**
 * Connections that come, run something and go, one after the other.
 * @param {Stage} stage @param {Case} each
 */
export async function churn({ subject, notes }, { input, expect }) {
  const tally = {
    right: 0,
    wrong: /** @type {string[]} */ ([]),
    ms: /** @type {number[]} */ ([]),
    attacks: 0,
  };
  for (let n = 0; n < input.cycles; n++) {
    /** @type {HttpClient | undefined} */
    let client;
    for (const step of input.each) {
      if (step === 'create_session') {
        client = new HttpClient(subject.port, subject.tokenOf('A'));
        await client.initialize();
      } else if (step === 'close_session') await client?.close();
      else {
        const code = step.slice('execute:'.length);
        const call = { name: 'execute_code', arguments: { code } };
        const reply = await client?.request('tools/call', call, 60_000);
        const answer = reply && answerOfMessage(reply.wire, reply.ms);
        tally.ms.push(reply?.ms ?? 0);
        if (answer?.stdout.trim() === reference(code)) tally.right++;
        else tally.wrong.push(answer?.all.slice(0, 300) ?? 'no answer');
      }
    }
  }
  return summary(tally, expect, notes);
}

/**
 * @param {{ right: number, wrong: string[], ms: number[], attacks: number }} tally
 * @param {Record<string, any>} expect @param {string[]} notes
 */
function summary({ right, wrong, ms, attacks }, { benignCorrect, benignP95Ms }, notes) {
  const failures = [];
  const share = right / Math.max(1, right + wrong.length);
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ part) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  notes.push(
    `${right} of ${right + wrong.length} benign answers right, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${attacks} attacks`,
  );
  if (right + wrong.length === 0) failures.push('no benign call was made');
  if (benignCorrect !== undefined && share < benignCorrect)
    failures.push(
      `benign answers right: expected ${benignCorrect}, got ${share.toFixed(3)}; the first: ${wrong[0]}`,
    );
  if (benignP95Ms !== undefined && at(0.95) > benignP95Ms)
    failures.push(`benign answers, 95th percentile: expected at most ${benignP95Ms} ms, got ${at(0.95)} ms`);
  return { answers: [{ ...EMPTY, ms: 0 }], failures };
}

const EMPTY = {
  ...{ outcomes: ['ok'], all: '', said: '', wire: '', bytes: 0, stdout: '', stderr: '' },
  ...{ validUtf8: true, isError: false, truncated: false },
};

/** @param {() => Promise<import('../answer.mjs').Answer>} call */
async function patiently(call) {
  for (const started = performance.now(); ; await delay(500)) {
    const answer = await call();
    if (answer.code !== 'busy' || performance.now() - started > BUSY_MS) return answer;
  }
}

/** @type {Map<string, string>} */
const references = new Map();

/** What plain CPython prints. @param {string} code */
function reference(code) {
  const known = references.get(code);
  if (known !== undefined) return known;
  const { stdout } = spawnSync('/usr/bin/python3', ['-I', '-c', code], { encoding: 'utf8' });
  references.set(code, stdout.trim());
  return stdout.trim();
}
