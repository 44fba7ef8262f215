// @ts-check
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { noAnswer } from '../answer.mjs';
import { processes } from './processes.mjs';

/** @typedef {import('../answer.mjs').Answer} Answer */

const STATUS = '/proc/self/status';
const SLEEP_S = 2;

/**
 * A guest without /proc cannot read its own status; the host can. The code of the case is given the status of every
 * process of the jail in turn, while code runs in it.
 * @param {{ call: (action: string, input: Record<string, any>, session: string) => Promise<Answer> }} subject
 * @param {string} code
 * @param {Answer} answer what the code came to inside.
 * @returns {Promise<Answer[] | undefined>} undefined: it could read its status, or did not want to.
 */
export async function hostPosture(subject, code, answer) {
  if (!code.includes(STATUS) || !answer.isError || !answer.all.includes(STATUS)) return undefined;
  const running = subject.call('execute_code', { code: `import time\ntime.sleep(${SLEEP_S})` }, 'A');
  await delay((SLEEP_S * 1000) / 2);
  const guests = processes().filter(({ command }) => /^\S*python\S* .*\/ce\/ce_native/.test(command));
  const answers = guests.map(({ pid }) => {
    const asked = code.replaceAll(STATUS, `/proc/${pid}/status`);
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-I', '-c', asked], { encoding: 'utf8' });
    const all = stdout + stderr;
    return {
      ...noAnswer(all, answer.ms),
      outcomes: [stderr === '' ? 'ok' : 'error'],
      stdout,
      stderr,
      isError: stderr !== '',
    };
  });
  await running;
  return answers.length > 0 ? answers : undefined;
}
