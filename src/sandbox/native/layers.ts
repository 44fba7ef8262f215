import type { Layer } from '../sandbox.js';

/** The layers of the native backend, as `doctor` and `get_execution_stats` show them. */
export function describeNativeLayers(found: {
  landlock: number;
  ownUid: boolean;
  memoryMb: number;
  /** Why there are no control groups; absent: there are. */
  noGroups?: string;
}): Layer[] {
  const layer = (name: string, active: boolean, on: string, off = ''): Layer => ({
    name,
    active,
    detail: active ? on : off,
  });
  return [
    layer(
      'self-test',
      true,
      'at the start code in a fresh jail tried to read a file, connect, start a process, write /proc/sys and take more memory, and failed at each',
    ),
    layer(
      'process',
      true,
      'every fresh run is a process of its own, forked from a parent that reads nothing of it',
    ),
    layer(
      'bubblewrap',
      true,
      'own user, process, network, mount and IPC namespaces; no /proc; read-only system libraries, and nothing else of the host',
    ),
    layer(
      'system-calls',
      true,
      'a list of allowed system calls for the jail, a stricter one for code: no processes, no sockets',
    ),
    layer(
      'landlock',
      found.landlock >= 6,
      `code writes in its workspace and temporary folders only, and signals nobody else (version ${found.landlock})`,
      found.landlock > 0
        ? `version ${found.landlock} confines writing; version 6 (Linux 6.12) confines signals as well`
        : 'this kernel has no Landlock, or has it switched off (boot with lsm=landlock,...)',
    ),
    layer(
      'own-uid',
      found.ownUid,
      'each jail runs under a uid of its own (61184 to 65519)',
      'the server is not root, so jails run under its uid, in a user namespace without rights',
    ),
    layer('memory-cap', true, `the kernel refuses address space beyond ${found.memoryMb} MiB a run`),
    layer('disk-cap', true, 'workspace and temporary folders are file systems in memory with a fixed size'),
    layer(
      'watchdog',
      true,
      'the server watches memory and the number of files, and kills a run above its limit',
    ),
    layer(
      'control-group',
      found.noGroups === undefined,
      'each jail is in a control group with a limit of memory, files included, of processes and threads, and without swap',
      `the limits above hold without it: ${found.noGroups}`,
    ),
    layer('dies-with-server', true, 'the kernel kills jails when the server dies, even by SIGKILL'),
  ];
}
