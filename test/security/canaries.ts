import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What an attack may aim at. Everything lies on this machine, was made for the test, and is open to every uid. */
export interface Targets {
  /** A file outside every workspace that holds the secret. */
  readonly file: string;
  /** Its folder, writable for all, with one more file whose name is a secret. */
  readonly folder: string;
  /** A JavaScript module that exports the secret as `secret`. */
  readonly module: string;
  /** A variable of the server's environment that holds the secret. */
  readonly variable: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socket: string;
  /** Name of an abstract unix socket, without its leading NUL; Linux only. Node fills it up to 108 bytes with NULs. */
  readonly abstractSocket: string;
  /** A file that must not appear. */
  readonly marker: string;
  /** A process that must not get a SIGTERM; it survives one. */
  readonly victim: number;
  /** A process that was started with the secret in its environment, as a server is. */
  readonly holder: number;
  /** Two halves of a text that an attack puts together to say "I was let in" where nothing else shows it. */
  readonly proof: readonly [string, string];
}

/** Canaries: they notice what an attack has taken, touched or made. */
export class Canaries implements AsyncDisposable {
  readonly targets: Targets;
  readonly #secrets: readonly string[];
  readonly #hits: string[] = [];
  readonly #close: (() => void)[];
  readonly #victim: ChildProcess;
  readonly #files: ReadonlySet<string>;

  private constructor(
    targets: Targets,
    secrets: readonly string[],
    victim: ChildProcess,
    close: (() => void)[],
    hits: string[],
  ) {
    this.targets = targets;
    this.#secrets = secrets;
    this.#hits = hits;
    this.#close = close;
    this.#victim = victim;
    this.#files = new Set(readdirSync(targets.folder));
  }

  static async set(): Promise<Canaries> {
    const random = () => randomBytes(12).toString('hex');
    const [secret, name, proof] = [`CNRY-${random()}`, `CNRN-${random()}`, `CNRP-${random()}`];
    const folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'canary-'))), 'open');
    mkdirSync(folder);
    chmodSync(path.dirname(folder), 0o755);
    chmodSync(folder, 0o777);
    const at = (file: string) => path.join(folder, file);
    writeFileSync(at('secret.txt'), secret);
    writeFileSync(at(name), '');
    writeFileSync(at('secret.mjs'), `export const secret = ${JSON.stringify(secret)};\n`);
    const variable = `CANARY_${random().toUpperCase()}`;
    process.env[variable] = secret;

    const hits: string[] = [];
    const abstractSocket = `canary-${random()}`;
    const tcp = await listen('TCP', secret, hits, { host: '127.0.0.1', port: 0 });
    const unix = await listen('unix socket', secret, hits, { path: at('socket') });
    chmodSync(at('socket'), 0o777);
    const servers = [tcp, unix];
    if (process.platform === 'linux') {
      servers.push(await listen('abstract socket', secret, hits, { path: `\0${abstractSocket}` }));
    }
    const udp = createSocket('udp4', () => hits.push('UDP was reached'));
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    const victim = await startVictim({ [variable]: secret }, () =>
      hits.push('the victim process was signalled'),
    );
    const address = tcp.address();
    const targets: Targets = {
      file: at('secret.txt'),
      folder,
      module: at('secret.mjs'),
      variable,
      tcpPort: typeof address === 'object' && address ? address.port : 0,
      udpPort: udp.address().port,
      socket: at('socket'),
      abstractSocket,
      marker: at('marker'),
      victim: victim.pid ?? 0,
      holder: victim.pid ?? 0,
      proof: [proof.slice(0, 12), proof.slice(12)],
    };
    const close = [
      ...servers.map((server) => () => void server.close()),
      () => udp.close(),
      () => delete process.env[variable],
      () => rmSync(path.dirname(folder), { recursive: true, force: true }),
    ];
    return new Canaries(targets, [secret, name, proof], victim, close, hits);
  }

  /** Everything that was taken, touched or made since the last call; `text` is all that the attacker got to say. */
  async breaches(text: string): Promise<string[]> {
    await delay(5); // connections that were made arrive in the next turn
    const { folder, file } = this.targets;
    const found = this.#hits.splice(0);
    for (const secret of this.#secrets)
      if (text.includes(secret)) found.push(`${secret.slice(0, 4)} was read`);
    for (const name of readdirSync(folder)) {
      if (this.#files.has(name)) continue;
      found.push(`${name} was made`);
      rmSync(path.join(folder, name), { recursive: true, force: true });
    }
    if (!existsSync(file) || readFileSync(file, 'utf8') !== this.#secrets[0])
      found.push('the secret was changed');
    writeFileSync(file, this.#secrets[0] ?? '');
    return found;
  }

  /** As {@link breaches}, with some time for what takes some: for attacks that are meant to succeed. */
  async breachesWithin(ms: number, text: string): Promise<string[]> {
    for (const start = performance.now(); ; ) {
      const found = await this.breaches(text);
      if (found.length > 0 || performance.now() - start > ms) return found;
      await delay(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#victim.kill('SIGKILL');
    for (const close of this.#close) close();
  }
}

async function startVictim(env: Record<string, string>, onSignal: () => void): Promise<ChildProcess> {
  const code =
    'process.on("SIGTERM", () => console.log("hit")); setTimeout(() => {}, 600000); console.log("up")';
  const victim = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'], env });
  await once(victim.stdout, 'data');
  victim.stdout.on('data', onSignal);
  return victim;
}

function listen(
  what: string,
  secret: string,
  hits: string[],
  where: { path: string } | { host: string; port: number },
): Promise<Server> {
  const server = createServer((connection) => {
    hits.push(`${what} was reached`);
    connection.on('error', () => undefined);
    connection.end(
      `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${secret.length}\r\n\r\n${secret}`,
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve(server));
  });
}
