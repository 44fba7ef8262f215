import { readFileSync } from 'node:fs';
import { CodeExecutionError } from '../../core/errors.js';
import { findBubblewrap, MACHINE, type MachinePlaces } from './bubblewrap.js';
import { findControlGroup } from './control-group.js';
import { findPython } from './find-python.js';
import { requireRoom } from './room.js';

/** A thing that the native backend needs, for `doctor`. */
export interface NativePart {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** How to get it, when it is missing. */
  readonly next?: string;
  /** The backend works without it, with a layer less. */
  readonly optional?: true;
}

/** What of the configuration decides whether the backend can be used. */
export interface NativeNeeds {
  readonly python?: string;
  readonly workspaceMb: number;
}

/** What the native backend needs of this machine, found without starting a jail of ours. Never throws. */
export async function nativeParts(
  { python, workspaceMb }: NativeNeeds,
  machine: MachinePlaces = MACHINE,
): Promise<NativePart[]> {
  if (process.platform !== 'linux')
    return [{ name: 'native', ok: false, detail: 'the native sandbox is for Linux', next: 'use "wasm"' }];
  return [
    await part('bubblewrap', async () => {
      const { path, version } = await findBubblewrap(machine);
      return `${version}, ${path}`;
    }),
    await part('seccomp', async () => requireSeccomp(machine)),
    await part('python', async () => {
      const { version, executable } = await findPython(python);
      return `${version}, ${executable}`;
    }),
    await part('memory', async () => requireRoom(workspaceMb)),
    controlGroupPart(),
  ];
}

/** @throws CodeExecutionError `backend_unavailable` */
export function requireSeccomp({ proc }: MachinePlaces = MACHINE): string {
  let actions: string[] = [];
  try {
    actions = readFileSync(`${proc}/sys/kernel/seccomp/actions_avail`, 'utf8').trim().split(' ');
  } catch {
    // No such file: no filters.
  }
  if (['kill_process', 'errno', 'allow'].every((action) => actions.includes(action)))
    return 'the kernel takes filters of system calls';
  throw new CodeExecutionError(
    'backend_unavailable',
    'the kernel has no filters of system calls (CONFIG_SECCOMP_FILTER, Linux 4.14)',
    'use another kernel, or set sandbox.backend to "wasm"',
  );
}

async function part(name: string, look: () => Promise<string>): Promise<NativePart> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    if (!(error instanceof CodeExecutionError)) throw error;
    const next = error.hint === undefined ? {} : { next: error.hint };
    return { name, ok: false, detail: error.message, ...next };
  }
}

function controlGroupPart(): NativePart {
  const name = 'control groups';
  const found = findControlGroup();
  if ('folder' in found) return { name, ok: true, detail: found.folder };
  return { name, ok: false, detail: found.problem, next: found.next, optional: true };
}
