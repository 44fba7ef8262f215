import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** Where groups can be made: a part of the tree of control groups (version 2) that was given to this process. */
export interface ControlGroupPlace {
  readonly folder: string;
  /** The server lies in {@link folder} itself and has to move into a group of its own first: only leaves may hold processes. */
  readonly move: boolean;
}

/** Why there is no such place. */
export interface NoControlGroup {
  readonly problem: string;
  readonly next: string;
}

export interface ControlGroupLimits {
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly tasks: number;
}

const CONTROLLERS = ['memory', 'pids'];
const PREFIX = 'code-execution-';
const OWN = `${PREFIX}server`;
const DELEGATE =
  'have a part of the tree delegated (systemd: Delegate=yes in the unit of the server), or start it with systemd-run --user --scope -p Delegate=yes';

/**
 * Looks for a place, changes nothing. `root`: the root of this machine's files; tests have one of their own.
 * Groups are a layer more: without one all limits hold by the other means.
 */
export function findControlGroup(root = '/'): ControlGroupPlace | NoControlGroup {
  const mount = mountOf(root);
  if (!mount)
    return {
      problem: 'no control groups of version 2 are mounted',
      next: 'boot with systemd.unified_cgroup_hierarchy=1',
    };
  const own = /^0::(.*)$/m.exec(read(path.join(root, 'proc/self/cgroup')))?.[1];
  if (own === undefined || own.startsWith('/..'))
    return { problem: 'the server is in no control group of version 2', next: DELEGATE };
  const folder = path.join(root, mount.place, path.relative(mount.root, own));
  const missing = CONTROLLERS.filter((name) => !wordsOf(folder, 'cgroup.controllers').includes(name));
  if (missing.length > 0)
    return { problem: `the controllers ${missing.join(' and ')} are not given to ${folder}`, next: DELEGATE };
  for (const place of [folder, path.dirname(folder)]) {
    const controls = wordsOf(place, 'cgroup.subtree_control');
    if (CONTROLLERS.every((name) => controls.includes(name)) && isWritable(place))
      return { folder: place, move: false };
  }
  if (!isWritable(folder) || !isWritable(path.join(folder, 'cgroup.subtree_control')))
    return { problem: `${folder} is not writable`, next: DELEGATE };
  const others = wordsOf(folder, 'cgroup.procs').filter((pid) => !isOurs(root, Number(pid)));
  if (others.length > 0)
    return {
      problem: `${folder} holds ${others.length} processes that are not the server's`,
      next: DELEGATE,
    };
  return { folder, move: true };
}

/** Groups of jails below one place. */
export class ControlGroups {
  readonly #folder: string;
  #made = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the place ready, and removes what killed servers have left. @throws Error when the kernel refuses */
  static open({ folder, move }: ControlGroupPlace): ControlGroups {
    if (move) {
      const own = path.join(folder, OWN);
      mkdirSync(own, { recursive: true });
      for (const pid of wordsOf(folder, 'cgroup.procs')) writeFileSync(path.join(own, 'cgroup.procs'), pid);
      writeFileSync(
        path.join(folder, 'cgroup.subtree_control'),
        CONTROLLERS.map((name) => `+${name}`).join(' '),
      );
    }
    for (const name of readdirSync(folder))
      if (name.startsWith(PREFIX) && name !== OWN) remove(path.join(folder, name));
    return new ControlGroups(folder);
  }

  /** @throws Error when the kernel refuses */
  make(limits: ControlGroupLimits): ControlGroup {
    const folder = path.join(this.#folder, `${PREFIX}${process.pid}-${++this.#made}`);
    mkdirSync(folder);
    return new ControlGroup(folder, limits);
  }
}

/** The group of one jail. */
export class ControlGroup {
  readonly #folder: string;
  #kills: number;

  constructor(folder: string, { memoryBytes, tasks }: ControlGroupLimits) {
    this.#folder = folder;
    writeFileSync(path.join(folder, 'memory.max'), String(memoryBytes));
    writeFileSync(path.join(folder, 'pids.max'), String(tasks));
    try {
      writeFileSync(path.join(folder, 'memory.swap.max'), '0');
    } catch {
      // A kernel without swap has no such file.
    }
    this.#kills = this.#killsSoFar();
  }

  /** Moves a process; what it forks from now on follows. */
  add(pid: number): void {
    writeFileSync(path.join(this.#folder, 'cgroup.procs'), String(pid));
  }

  /** True if the kernel has killed something for want of memory since the last question. */
  ranOut(): boolean {
    const before = this.#kills;
    this.#kills = this.#killsSoFar();
    return this.#kills > before;
  }

  /** When its processes are gone; the kernel may need a moment to let go of them. */
  close(attempts = 20): void {
    if (remove(this.#folder) || attempts === 0) return;
    setTimeout(() => this.close(attempts - 1), 100).unref();
  }

  #killsSoFar(): number {
    return Number(/^oom_kill (\d+)$/m.exec(read(path.join(this.#folder, 'memory.events')))?.[1] ?? 0);
  }
}

/** `place`: where the tree is mounted. `root`: which of its groups lies there. */
function mountOf(root: string): { place: string; root: string } | undefined {
  for (const line of read(path.join(root, 'proc/self/mountinfo')).split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    if (!after.startsWith('cgroup2 ')) continue;
    const [, , , inside = '/', place = ''] = before.split(' ');
    return { place, root: inside };
  }
  return undefined;
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    accessSync(place.endsWith('subtree_control') ? place : path.join(place, 'cgroup.procs'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The server itself or one that it has started, however far down. */
function isOurs(root: string, pid: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === process.pid) return true;
    at = Number(/^PPid:\s+(\d+)$/m.exec(read(path.join(root, `proc/${at}/status`)))?.[1] ?? 0);
  }
  return false;
}

function wordsOf(folder: string, file: string): string[] {
  return read(path.join(folder, file)).split(/\s+/).filter(Boolean);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function remove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
