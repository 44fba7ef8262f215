import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { PostureRow } from '../sandbox.js';
import { systemCalls } from './system-calls.js';

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
    { name: 'system calls', detail: callCounts() },
    { name: 'filters', detail: `${field('Seccomp_filters')} in force, mode ${field('Seccomp')}` },
    {
      name: 'capabilities',
      detail: capabilities.every((set) => /^0+$/.test(set)) ? 'none, in any set' : capabilities.join(' '),
    },
    { name: 'no new privileges', detail: field('NoNewPrivs') === '1' ? 'yes' : 'no' },
    { name: 'uid', detail: field('Uid').split(/\s+/).join(' ') },
    { name: 'own namespaces', detail: NAMESPACES.filter(isOwn).join(' ') },
    { name: 'network', detail: interfacesIn(proc('net/dev')) },
    ...mountsIn(proc('mounts')),
    { name: 'environment', detail: namesIn(proc('environ')) },
    { name: 'open descriptors', detail: descriptorsOf(pid) },
    {
      name: 'limits',
      detail: `address space ${limit('address space')}, file ${limit('file size')}, open files ${limit('open files')}, processes and threads ${limit('processes')}, core ${limit('core file size')}`,
    },
  ];
}

function callCounts(): string {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const calls = systemCalls().filter(({ numbers }) => numbers[arch] !== undefined);
  const isRefused = (cell: string): boolean => /^E[A-Z]+$/.test(cell);
  const allowed = calls.filter(({ jail }) => !isRefused(jail));
  const inRun = allowed.filter(({ run }) => run === undefined || !isRefused(run));
  return `${allowed.length} of the kernel's in the jail, ${inRun.length} in a run; all others are refused`;
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
