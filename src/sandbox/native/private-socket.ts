import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { CodeExecutionError } from '../../core/errors.js';

/** A path of a socket may have 107 characters, so no folder of a configuration. */
const FOLDER = '/tmp/code-execution-jail-';
const TOKEN = /^[0-9a-f]{32}\n/;
const TOKEN_BYTES = 33;
/** A connection that has not said who it is by then is closed, in milliseconds. */
const TOKEN_MS = 5_000;

/**
 * A unix socket for one jail, in a folder that only the jail's uid may enter. Whoever connects says a token of 128 random
 * bits that was given to the parent in the jail; it counts once.
 */
export class PrivateSocket {
  readonly folder: string;
  readonly #server: Server;
  readonly #expected = new Map<string, (socket: Socket) => void>();

  private constructor(folder: string) {
    this.folder = folder;
    this.#server = createServer((socket) => this.#identify(socket));
  }

  /**
   * @param uid owner of folder and socket; absent: this process's.
   * @throws CodeExecutionError `backend_unavailable` where no folder can be made
   */
  static async open(uid?: number): Promise<PrivateSocket> {
    const opened = new PrivateSocket(makeFolder());
    await new Promise<void>((resolve, reject) => {
      opened.#server.once('error', reject);
      opened.#server.listen(opened.file, resolve);
    });
    chmodSync(opened.file, 0o600);
    if (uid !== undefined) for (const place of [opened.file, opened.folder]) chownSync(place, uid, uid);
    return opened;
  }

  get file(): string {
    return path.join(this.folder, 'socket');
  }

  /** The connection that will say `token`; never, if none does. */
  expect(token: string): Promise<Socket> {
    return new Promise((resolve) => this.#expected.set(token, resolve));
  }

  close(): void {
    this.#expected.clear();
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #identify(socket: Socket): void {
    socket.on('error', () => undefined);
    const timer = setTimeout(() => socket.destroy(), TOKEN_MS);
    let said = Buffer.alloc(0);
    const listen = (chunk: Buffer): void => {
      said = Buffer.concat([said, chunk]);
      if (said.length < TOKEN_BYTES) return;
      clearTimeout(timer);
      socket.off('data', listen);
      socket.pause();
      const token = said.subarray(0, TOKEN_BYTES).toString('latin1');
      const resolve = TOKEN.test(token) ? this.#expected.get(token.trimEnd()) : undefined;
      this.#expected.delete(token.trimEnd());
      if (!resolve) return void socket.destroy();
      if (said.length > TOKEN_BYTES) socket.unshift(said.subarray(TOKEN_BYTES));
      resolve(socket);
    };
    socket.on('data', listen);
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(FOLDER);
  } catch (cause) {
    throw new CodeExecutionError(
      'backend_unavailable',
      'no folder for the socket of a jail can be made in /tmp',
      'give the server a writable /tmp',
      { cause },
    );
  }
}
