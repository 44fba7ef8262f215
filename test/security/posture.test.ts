import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descendants } from '../../scripts/support/processes.mjs';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { findTools, type Tools } from '../../src/sandbox/wasm/tools.js';
import { verifies } from '../e2e/verifies.js';
import { has, needs } from '../support/capabilities.js';
import { Canaries } from './canaries.js';
import { guestBehind, runtimeFolder } from './walls.js';

/** What a waiting worker looks like from outside, read from /proc. */
const VARIABLES = ['DENO_DIR', 'NO_COLOR', 'OLDPWD', 'PWD', 'SHLVL', '_'];
/** A descriptor may close between the listing and the look. */
const linkOf = (file: string): string => {
  try {
    return readlinkSync(file);
  } catch {
    return 'closed';
  }
};
const NAMESPACES = ['ipc', 'mnt', 'net', 'pid', 'user', 'uts'];

function posture(walls: 'all walls' | 'the walls without bubblewrap'): void {
  let canaries: Canaries;
  let sandbox: Sandbox;
  let deno: number;
  let tools: Tools;
  const proc = (file: string, pid = deno): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const status = (field: string): string | undefined =>
    proc('status').match(new RegExp(`^${field}:\\s+(.*)$`, 'm'))?.[1];

  beforeAll(async () => {
    canaries = await Canaries.set();
    tools = await findTools();
    sandbox = await guestBehind(walls);
    await sandbox.acquire({ principal: 'looked at' });
    deno = descendants(process.pid).find(({ command }) => command === 'deno')?.pid ?? 0;
  }, 180_000);
  afterAll(async () => {
    await canaries[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  test(verifies('WALL-2', 'no process around it holds a variable of the server'), () => {
    const victim = canaries.targets.victim;
    const around = descendants(process.pid).filter(({ pid }) => pid !== victim);
    expect(around.map(({ command }) => command)).toContain('deno');
    for (const { pid } of around) {
      const names = proc('environ', pid)
        .split('\0')
        .filter(Boolean)
        .map((line) => line.split('=')[0] ?? '');
      expect(names.filter((name) => !VARIABLES.includes(name))).toEqual([]);
    }
  });

  test("it holds no open file but its pipes, the kernel's and the runtime", async () => {
    const { folder } = await runtimeFolder();
    const open = readdirSync(`/proc/${deno}/fd`).map((fd) => readlinkSync(`/proc/${deno}/fd/${fd}`));
    const allowed = [/^pipe:/, /^anon_inode:/, /^socket:/, /^\/dev\/(null|u?random)$/, /^\/app\//];
    expect(open.filter((file) => !allowed.some((one) => one.test(file)) && !file.startsWith(folder))).toEqual(
      [],
    );
    const sockets = (pid: number | string): string[] =>
      readdirSync(`/proc/${pid}/fd`)
        .map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
        .filter((file) => file.startsWith('socket:'));
    const ours = new Set(sockets('self'));
    expect(ours.size, 'this process has some to inherit').toBeGreaterThan(0);
    expect(sockets(deno).filter((socket) => ours.has(socket))).toEqual([]);
  });

  test('it leaves no core file and may not allocate without bound', () => {
    expect(proc('limits')).toMatch(/^Max core file size\s+0\s+0/m);
    const data = Number(proc('limits').match(/^Max data size\s+(\d+)/m)?.[1]);
    expect(data).toBeGreaterThan(0);
    expect(data).toBeLessThanOrEqual((256 + 64 + 1_000) * 1024 * 1024);
  });

  test('it can gain no privilege', () => {
    expect([status('NoNewPrivs'), Number(`0x${status('CapEff')}`), Number(`0x${status('CapPrm')}`)]).toEqual([
      '1',
      0,
      0,
    ]);
  });

  if (has('root')) {
    test('it runs under a uid that nobody else has', async () => {
      expect(tools.ownUid).toBe(true);
      const uids = (status('Uid') ?? '').split(/\s+/).map(Number);
      for (const uid of uids) expect(uid >= 61_184 && uid <= 65_519, String(uid)).toBe(true);
      const other = await sandbox.acquire({ principal: 'other' });
      const all = descendants(process.pid).filter(({ command }) => command === 'deno');
      const owners = all.map(({ pid }) => proc('status', pid).match(/^Uid:\s+(\d+)/m)?.[1]);
      expect(new Set(owners).size).toBe(2);
      await other.kill();
    });
  }

  if (walls === 'all walls') {
    test(
      verifies('WALL-3', 'it has namespaces of its own, and the network in them has loopback only'),
      () => {
        const own = NAMESPACES.filter(
          (name) => readlinkSync(`/proc/${deno}/ns/${name}`) !== readlinkSync(`/proc/self/ns/${name}`),
        );
        expect(own).toEqual(NAMESPACES);
        const interfaces = proc('net/dev')
          .split('\n')
          .slice(2)
          .map((line) => line.split(':')[0]?.trim())
          .filter(Boolean);
        expect(interfaces).toEqual(['lo']);
      },
    );

    needs('root').test(
      verifies('WALL-1', 'its root holds the runtime and the C library, mounted read-only, and nothing else'),
      () => {
        const root = `/proc/${deno}/root`;
        expect(
          readdirSync(root)
            .filter((name) => !/^(lib|lib64|usr)$/.test(name))
            .sort(),
        ).toEqual(['app', 'dev', 'proc']);
        expect(readdirSync(`${root}/usr`).filter((name) => !/^lib(64)?$/.test(name))).toEqual([]);
        const writable = proc('mounts')
          .split('\n')
          .filter((line) => line !== '' && !/ ro[ ,]/.test(line))
          .map((line) => line.split(' ')[1] ?? '');
        expect(writable.filter((place) => !/^\/(proc|dev)(\/|$)/.test(place))).toEqual([]);
      },
    );
  }
}

needs('linux', 'bubblewrap').describe('a worker behind all walls', () => posture('all walls'));
needs('linux').describe('a worker behind the walls without bubblewrap', () =>
  posture('the walls without bubblewrap'),
);

describe('the runtime folder', () => {
  test(verifies('WALL-5', 'holds no link, and nothing in it can be written by a worker'), async () => {
    const { folder } = await runtimeFolder();
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    );
    expect(found.length).toBeGreaterThan(20);
    const bad = found.filter((file) => {
      const stats = lstatSync(file);
      return !(stats.isFile() || stats.isDirectory()) || (stats.mode & 0o022) !== 0;
    });
    expect(bad).toEqual([]);
  });
});
