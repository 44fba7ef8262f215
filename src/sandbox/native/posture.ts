import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { PostureRow } from '../sandbox.js';
import { type SystemCall, systemCalls } from './system-calls.js';

const NAMESPACES = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'];

/** What a process that waits for code looks like from outside: read from the running jail, not from what we meant it to be. */
export function postureOf(pid: number): PostureRow[] {
  const proc = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const status = proc('status');
  const field = (name: string): string =>
    new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1]?.trim() ?? 'not told';
  const capabilities = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(field);
  const isOwn = (name: string): boolean =>
    readlinkSync(`/proc/${pid}/ns/${name}`) !== readlinkSync(`/proc/self/ns/${name}`);
  const limits = proc('limits');
  const limit = (name: string): string =>
    new RegExp(`^Max ${name}\\s+(\\S+)`, 'm').exec(limits)?.[1] ?? 'not told';
  return [
    ...callRows(),
    { name: 'filters', detail: `${field('Seccomp_filters')} in force, mode ${field('Seccomp')}` },
    {
      name: 'capabilities',
      detail: capabilities.every((set) => /^0+$/.test(set)) ? 'none, in any set' : capabilities.join(' '),
    },
    { name: 'no new privileges', detail: field('NoNewPrivs') === '1' ? 'yes' : 'no' },
    { name: 'uid', detail: field('Uid').split(/\s+/).join(' ') },
    { name: 'own namespaces', detail: told(() => NAMESPACES.filter(isOwn).join(' ')) },
    { name: 'network', detail: told(() => interfacesIn(proc('net/dev'))) },
    ...mountsIn(proc('mounts')),
    { name: 'environment', detail: told(() => namesIn(proc('environ'))) },
    { name: 'open descriptors', detail: told(() => descriptorsOf(pid)) },
    {
      name: 'limits',
      detail: `address space ${limit('address space')}, file ${limit('file size')}, open files ${limit('open files')}, processes and threads ${limit('processes')}, core ${limit('core file size')}`,
    },
  ];
}

/** From the table that the filters are made of: the kernel does not show them. */
function callRows(): PostureRow[] {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const calls = systemCalls().filter(({ numbers }) => numbers[arch] !== undefined);
  const isRefused = (cell: string): boolean => /^E[A-Z]+$/.test(cell);
  const allowed = calls.filter(({ jail }) => !isRefused(jail));
  const inRun = allowed.filter(({ run }) => run === undefined || !isRefused(run));
  const isPlain = ({ jail, run = 'allow' }: SystemCall): boolean => jail === 'allow' && run === 'allow';
  const names = (wanted: readonly SystemCall[]): string =>
    wanted
      .map(({ name }) => name)
      .sort()
      .join(' ');
  return [
    {
      name: 'system calls',
      detail: `${allowed.length} of the kernel's in the jail, ${inRun.length} in a run; all others are refused`,
    },
    { name: 'allowed in a run', detail: names(inRun.filter(isPlain)) },
    { name: 'by arguments', detail: names(inRun.filter((call) => !isPlain(call))) },
  ];
}

/** The kernel shows some of an undumpable process to root only. */
function told(look: () => string): string {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return 'told to root only';
    throw error;
  }
}

function interfacesIn(text: string): string {
  const names = text
    .split('\n')
    .slice(2)
    .flatMap((line) => line.split(':')[0]?.trim() || []);
  return names.length === 1 && names[0] === 'lo' ? 'loopback only, without sockets' : names.join(' ');
}

function mountsIn(text: string): PostureRow[] {
  const mounts = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  const isReadOnly = (options = ''): boolean => options.split(',').includes('ro');
  const places = (wanted: readonly string[][]): string => wanted.map(([, place]) => place).join(' ');
  const writable = mounts.filter(([, , , options]) => !isReadOnly(options));
  const size = (place = '', options = ''): string =>
    (/^\/dev\/(?!shm$)/.test(place) ? undefined : /size=(\w+)/.exec(options)?.[1]) ?? 'device';
  return [
    { name: 'read-only mounts', detail: places(mounts.filter(([, , , options]) => isReadOnly(options))) },
    {
      name: 'writable mounts',
      detail: writable.map(([, place, , options]) => `${place} (${size(place, options)})`).join(' '),
    },
  ];
}

function namesIn(environ: string): string {
  return environ
    .split('\0')
    .flatMap((entry) => entry.split('=')[0] || [])
    .join(' ');
}

function descriptorsOf(pid: number): string {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/:\[\d+\]$/, ''))
    .join(' ');
}
