import { existsSync } from 'node:fs';
import path from 'node:path';
import { MIB } from '../../core/limits.js';
import type { PythonPlaces } from './find-python.js';
import { FONTS } from './runtime-copy.js';

/** Everything that is the same for all jails of a server. */
export interface JailPlan {
  readonly bubblewrap: string;
  readonly python: PythonPlaces;
  /** Copy of our Python runtime (runtime-copy.ts). */
  readonly runtime: string;
  readonly workspaceMb: number;
}

/** Where the one file is that the jail's parent connects to. */
export const SOCKET = '/ce/socket';
/** Descriptors that bubblewrap gets beside the usual three. */
export const CONTROL_FD = 3;
export const FILTER_FD = 4;

const VIRTUAL_PROGRAM = '/ce/venv/bin/python3';
const SHARED_MEMORY_BYTES = 8 * MIB;
/** Open to every uid on any machine; the loader, the C library, extension modules and what they need. */
const SYSTEM_FOLDERS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'];
/** Debian finds BLAS by way of alternatives; matplotlib wants fonts and its data. */
const SYSTEM_EXTRAS = [
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/matplotlibrc',
  '/etc/mime.types',
  '/usr/share/fontconfig',
  '/usr/share/fonts',
  '/usr/share/matplotlib',
  '/usr/share/mime',
  '/usr/share/zoneinfo',
];
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];
const ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: '/workspace',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
  MPLBACKEND: 'Agg',
  // Not in the home folder, which is the workspace.
  MPLCONFIGDIR: '/tmp/.matplotlib',
  XDG_CACHE_HOME: '/tmp/.cache',
  XDG_CONFIG_HOME: '/tmp/.config',
  // Each arena of glibc reserves 64 MB of address space, which counts against the limit of a run.
  MALLOC_ARENA_MAX: '2',
};

/**
 * The program of a jail and its arguments. All destinations are fixed and lie on the root that bubblewrap makes; nothing
 * is made below a folder that code can write to, which is what CVE-2026-87766 needs.
 * @param sealed the filter that the parent loads first, as hexadecimal text.
 * @param socket the file of the server's socket for this jail.
 */
export function jailCommand(plan: JailPlan, sealed: string, socket: string): string[] {
  const { bubblewrap, python, runtime } = plan;
  return [
    bubblewrap,
    ...['--unshare-all', '--die-with-parent', '--new-session', '--as-pid-1'],
    ...['--cap-drop', 'ALL', '--hostname', 'sandbox', '--clearenv'],
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
    ...readOnlyPlaces(python).flatMap((place) => ['--ro-bind-try', place, place]),
    ...virtualPlaces(python),
    ...['ce_native', 'ce_runtime', 'tzdata.zip', FONTS].flatMap((name) => [
      '--ro-bind',
      path.join(runtime, name),
      `/ce/${name}`,
    ]),
    ...['--ro-bind', socket, SOCKET],
    ...['--tmpfs', '/dev', ...DEVICES.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`])],
    ...['--dir', '/dev/shm', '--remount-ro', '/dev'],
    ...tmpfs('/dev/shm', SHARED_MEMORY_BYTES),
    ...tmpfs('/tmp', plan.workspaceMb * MIB),
    ...tmpfs('/workspace', plan.workspaceMb * MIB),
    ...['--remount-ro', '/', '--chdir', '/', '--seccomp', String(FILTER_FD), '--'],
    ...[isVirtual(python) ? VIRTUAL_PROGRAM : python.binary, '-I', '-B', '/ce/ce_native', sealed],
  ];
}

/** What the jail shows of this machine, each once and under its own name. */
export function readOnlyPlaces(python: PythonPlaces): string[] {
  const inVirtual = (place: string): boolean => isVirtual(python) && place.startsWith(`${python.prefix}/`);
  const wanted = [
    ...SYSTEM_FOLDERS,
    ...SYSTEM_EXTRAS,
    ...python.libraries,
    ...python.path,
    python.binary,
    ...(python.shared === null ? [] : [python.shared]),
  ].filter((place) => !inVirtual(place));
  const places: string[] = [];
  for (const place of [...new Set(wanted)].sort()) {
    if (existsSync(place) && !places.some((outer) => place.startsWith(`${outer}/`))) places.push(place);
  }
  return places;
}

/** Places of a Python that would lie under what the jail mounts for itself. */
export function hiddenPlaces(python: PythonPlaces): string[] {
  return readOnlyPlaces(python).filter((place) => /^\/(?:ce|dev|proc|tmp|workspace)(?:\/|$)/.test(place));
}

/**
 * A virtual environment, put together at a place of its own: it is found by the place of its program, which is the
 * interpreter itself here, since the links that lead to it do not all exist in the jail.
 */
function virtualPlaces(python: PythonPlaces): string[] {
  if (!isVirtual(python)) return [];
  return [
    ...['--ro-bind', python.binary, VIRTUAL_PROGRAM],
    ...['--ro-bind', path.join(python.prefix, 'pyvenv.cfg'), '/ce/venv/pyvenv.cfg'],
    ...['--ro-bind', path.join(python.prefix, 'lib'), '/ce/venv/lib'],
  ];
}

function isVirtual(python: PythonPlaces): boolean {
  return python.prefix !== python.basePrefix;
}

function tmpfs(place: string, bytes: number): string[] {
  return ['--size', String(bytes), '--tmpfs', place];
}
