import { spawnSync } from 'node:child_process';

/** Uid of the jail under root: never root itself, so that nothing in it can touch this machine. */
const UID = 65_533;
const FOLDERS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/bin', '/usr/bin'];

/**
 * Runs Python in namespaces like those of the native jail, but without its filters of system calls: for positive controls
 * of probes that must never run outside a jail.
 */
export function inUnfilteredJail(code: string): string {
  const binds = FOLDERS.flatMap((folder) => ['--ro-bind-try', folder, folder]);
  const jail = [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    ...binds,
  ];
  const places = [
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/tmp',
    '--remount-ro',
    '/',
    '--chdir',
    '/tmp',
  ];
  const { stdout, stderr } = spawnSync(
    'bwrap',
    [...jail, ...places, '--', '/usr/bin/python3', '-I', '-c', code],
    {
      cwd: '/',
      env: {},
      timeout: 20_000,
      killSignal: 'SIGKILL',
      ...(process.getuid?.() === 0 ? { uid: UID, gid: UID } : {}),
    },
  );
  return stdout.toString('utf8') + stderr.toString('utf8');
}
