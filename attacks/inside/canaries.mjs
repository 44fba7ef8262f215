// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { treeOf } from './tree.mjs';

/** Holds a secret in its memory, says where, and notes every signal. Ends when its input does. */
const PROCESS = `
import ctypes, signal, sys
held = ctypes.create_string_buffer(sys.argv[2].encode())
def note(number, frame):
    print("signal", number, flush=True)
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT):
    signal.signal(number, note)
print(ctypes.addressof(held), flush=True)
for line in sys.stdin:
    pass
`;

/** What an attack may aim at: made for one case, and noticing what is done to it. */
export class Canaries {
  /** @type {string[]} */
  #hits = [];
  /** @type {() => string[]} */
  #folderNow;
  /** @type {string[]} */
  #folderThen;

  /**
   * @param {Record<string, string>} values placeholders to their values.
   * @param {import('node:child_process').ChildProcess} process
   * @param {string[]} hits
   */
  constructor(values, process, hits) {
    /** @readonly */
    this.values = values;
    /** @readonly */
    this.process = process;
    this.#hits = hits;
    this.#folderNow = () => treeOf(values.CANARY_DIR ?? '');
    this.#folderThen = this.#folderNow();
  }

  /** @param {string} home folder that the canaries' folder is made in. */
  static async set(home) {
    const hex = () => randomBytes(12).toString('hex');
    const value = `CNRY-${hex()}`;
    const folder = path.join(home, `canary-${hex()}`);
    const file = path.join(folder, 'canary.txt');
    mkdirSync(folder);
    writeFileSync(file, value);
    /** @type {string[]} */
    const hits = [];
    const port = await listenBoth(value, hits);
    const socket = path.join(folder, 'service.sock');
    const abstract = `canary-${hex()}`;
    await listen({ path: socket }, 'the unix socket', value, hits);
    await listen({ path: `\0${abstract}` }, 'the abstract socket', value, hits);
    const marker = `canary-process-${hex()}`;
    const child = spawn('/usr/bin/python3', ['-I', '-c', PROCESS, marker, value], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const [address] = await once(child.stdout, 'data');
    child.stdout.on('data', (text) => hits.push(`the canary process got a ${String(text).trim()}`));
    const values = {
      CANARY_VALUE: value,
      CANARY_FILE: file,
      CANARY_DIR: folder,
      CANARY_ENV: `CANARY_${hex().toUpperCase()}`,
      CANARY_LISTENER: `127.0.0.1:${port}`,
      CANARY_UNIX_SOCKET: socket,
      CANARY_ABSTRACT: abstract,
      CANARY_FREE_PORT: String(await freePort()),
      CANARY_PID: String(child.pid),
      CANARY_PROC: marker,
      CANARY_ADDR: String(address).trim(),
      ...personalData(),
    };
    return new Canaries(values, child, hits);
  }

  /** What was connected to or signalled. */
  get hits() {
    return this.#hits;
  }

  /** @returns {string | undefined} what is wrong with the file. */
  fileProblem() {
    const { CANARY_FILE: file = '', CANARY_VALUE: value } = this.values;
    if (!existsSync(file)) return 'the canary file is gone';
    return readFileSync(file, 'utf8') === value ? undefined : 'the canary file was changed';
  }

  /** @returns {string | undefined} what is wrong with the folder. */
  folderProblem() {
    const now = this.#folderNow();
    const changed = [
      ...now.filter((line) => !this.#folderThen.includes(line)),
      ...this.#folderThen.filter((line) => !now.includes(line)),
    ];
    return changed.length === 0 ? undefined : `the canary folder was changed: ${changed.join(', ')}`;
  }

  /** The folder as it is now is how it should be: the case's own preparations may have added to it. */
  settle() {
    this.#folderThen = this.#folderNow();
  }
}

/** Made up, and different each time; in the form that a detector must know. */
function personalData() {
  const digits = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => String((randomBytes(1)[0] ?? 0) % 10)).join('');
  const card = withLuhn(`4${digits(14)}`);
  return {
    PII_EMAIL: `marta.kowalska${digits(4)}@mail.example.org`,
    PII_PHONE: `+44 7700 900${digits(3)}`,
    PII_NAME: 'Marta Kowalska',
    PII_SSN: `212-${10 + (Number(digits(2)) % 80)}-${1000 + Number(digits(3))}`,
    PII_CARD: card,
    PII_IBAN: 'DE89370400440532013000',
    PII_ADDRESS: `${1 + Number(digits(2))} Maple Street, Springfield, IL 62704`,
    PII_IP: `203.0.113.${1 + (Number(digits(3)) % 250)}`,
  };
}

/** @param {string} start all digits but the last. */
function withLuhn(start) {
  const sum = [...start].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${start}${(10 - (sum % 10)) % 10}`;
}

/**
 * TCP and UDP on one port.
 * @param {string} secret @param {string[]} hits
 * @returns {Promise<number>}
 */
async function listenBoth(secret, hits) {
  for (;;) {
    const server = await listen({ host: '127.0.0.1', port: 0 }, 'the TCP listener', secret, hits);
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const udp = createSocket('udp4', () => hits.push('the UDP listener was reached'));
    const isBound = await new Promise((resolve) => {
      udp.once('error', () => resolve(false));
      udp.bind(port, '127.0.0.1', () => resolve(true));
    });
    if (isBound) return port;
    server.close();
  }
}

/**
 * @param {{ path: string } | { host: string, port: number }} at
 * @param {string} what @param {string} secret @param {string[]} hits
 * @returns {Promise<import('node:net').Server>}
 */
function listen(at, what, secret, hits) {
  const server = createServer((connection) => {
    hits.push(`${what} was reached`);
    connection.on('error', () => undefined);
    connection.end(
      `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${secret.length}\r\n\r\n${secret}`,
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => resolve(server));
  });
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
