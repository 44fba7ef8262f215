import type { ConfigFlags } from '../config/config.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';
import { readInput } from './read-input.js';
import { UsageError } from './usage-error.js';

/**
 * Prints a text with true values in place of tokens, for the person at this machine. Values are kept encrypted by the
 * server (`privacy.keep`); the key is a file that only this user can read.
 */
export async function privacyRestore(context: CliContext, file: string, flags: ConfigFlags): Promise<number> {
  const text =
    file === '-' ? await readInput(context.streams.in, MAX_TEXT_BYTES) : await context.files.read(file);
  if (text === undefined)
    throw new UsageError(`there is no file ${file}`, 'name a text file, or - for standard input');
  const { app, loaded } = await openApp(context, flags, 'error');
  try {
    if (loaded.config.privacy.mode === 'off') throw privacyIsOff();
    const { text: restored, notRestored } = await app.restoreText(text);
    context.streams.out.write(restored);
    for (const { token, reason } of notRestored) context.streams.err.write(`${token}: ${REASONS[reason]}\n`);
    return notRestored.length === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    await app.close();
  }
}

/** Erases all values that are kept: every token given out so far means nothing any more. */
export async function privacyForget(context: CliContext, flags: ConfigFlags): Promise<number> {
  const { app } = await openApp(context, flags, 'error');
  try {
    await app.forgetValues();
    context.streams.out.write('erased: all tokens given out so far have lost their values\n');
    return EXIT.ok;
  } finally {
    await app.close();
  }
}

const MAX_TEXT_BYTES = 256 * 1024 * 1024;

const REASONS = {
  unknown: 'not a token of this server and user, or its value was erased',
  expired: 'its value was erased after its time (privacy.keepDays, privacy.maxValues)',
  refused: 'refused',
} as const;

function privacyIsOff(): UsageError {
  return new UsageError('privacy is off in the configuration, so nothing has tokens', 'set privacy.mode');
}
