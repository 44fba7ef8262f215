import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { CodeExecutionError } from '../../core/errors.js';
import { readOrMakeSecret } from '../../fs/secret-file.js';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes of the file with a principal's wrapped key. */
export const WRAPPED_BYTES = NONCE_BYTES + TAG_BYTES + KEY_BYTES;

/** Everything that the tokens of one principal depend on. Erasing them is erasing what was sealed and tagged. */
export class PrincipalKeys {
  readonly tag: Buffer;
  readonly number: Buffer;
  readonly frame: Buffer;
  /** Names the keys without telling them. */
  readonly id: string;

  constructor(root: Uint8Array) {
    const derived = (purpose: string) => createHmac('sha256', root).update(purpose).digest();
    this.tag = derived('tag of a token');
    this.number = derived('number token');
    this.frame = derived('frame on disk');
    this.id = derived('id').toString('hex').slice(0, 16);
    root.fill(0);
  }

  erase(): void {
    for (const key of [this.tag, this.number, this.frame]) key.fill(0);
  }
}

export function randomKeys(): PrincipalKeys {
  return new PrincipalKeys(randomBytes(KEY_BYTES));
}

/**
 * The keys of a principal from its file, made at the first use: random, and encrypted with the master key, so that the
 * file is of no use without that, and the principal is erased by erasing the file.
 *
 * @throws CodeExecutionError `config_error` when the master key is another one than when the file was made.
 */
export function keysInFile(file: string, masterKey: Uint8Array, principal: string): PrincipalKeys {
  const wrapped = readOrMakeSecret(file, WRAPPED_BYTES, () => wrap(masterKey, principal));
  const decipher = createDecipheriv('aes-256-gcm', masterKey, wrapped.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(principal));
  decipher.setAuthTag(wrapped.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const root = Buffer.concat([
      decipher.update(wrapped.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
    return new PrincipalKeys(root);
  } catch (cause) {
    throw new CodeExecutionError(
      'config_error',
      'The kept tokens were encrypted with another key than the one that is there now.',
      'Put back the key file from a backup, or give up the kept values with "code-execution-mcp privacy forget".',
      { cause },
    );
  }
}

function wrap(masterKey: Uint8Array, principal: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce);
  cipher.setAAD(Buffer.from(principal));
  const sealed = Buffer.concat([cipher.update(randomBytes(KEY_BYTES)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}
