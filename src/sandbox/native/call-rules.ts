/** What becomes of a system call: it runs, fails with an errno, or ends the process. */
export type Verdict = 'allow' | 'kill' | { readonly errno: number };

/** One look at an argument; the first that matches decides. */
export interface ArgumentTest {
  /** Number of the argument, from 0. */
  readonly argument: number;
  /** The upper 32 bits instead of the lower ones. The kernel takes `int` arguments from the lower half only. */
  readonly high?: true;
  readonly mask?: number;
  /** Equal to this after masking; `any`: any bit is left; `own-pid`: the process that loads the filter. */
  readonly is: number | 'any' | 'own-pid';
  readonly verdict: Verdict;
}

/** Decides by arguments. */
export interface CallRule {
  readonly tests: readonly ArgumentTest[];
  readonly otherwise: Verdict;
}

const ERRNO: Readonly<Record<string, number>> = {
  EPERM: 1,
  ECHILD: 10,
  EINVAL: 22,
  ENOTTY: 25,
  ENOSYS: 38,
  EOPNOTSUPP: 95,
};
const EPERM: Verdict = { errno: 1 };

/** Every flag of clone that makes a namespace. */
const NEW_NAMESPACES = 0x7e020000;
/** CLONE_THREAD, CLONE_SIGHAND, CLONE_VM: the three without which it is a process. */
const THREAD = 0x10900;
/** What fork() of the C library asks for: CLONE_CHILD_CLEARTID, CLONE_CHILD_SETTID, SIGCHLD. */
const LIBC_FORK = 0x01200011;
const SETUID_BITS = 0o6000;
const AF_UNIX = 1;
/** Names of anonymous mappings, which some allocators set. */
const PR_SET_VMA = 0x53564d41;

const threadOnly: readonly ArgumentTest[] = [
  { argument: 0, mask: NEW_NAMESPACES, is: 'any', verdict: EPERM },
  { argument: 0, mask: THREAD, is: THREAD, verdict: 'allow' },
];
const noSetuid = (argument: number): CallRule => ({
  tests: [{ argument, mask: SETUID_BITS, is: 'any', verdict: EPERM }],
  otherwise: 'allow',
});
const oneOf = (argument: number, values: readonly (number | 'own-pid')[], otherwise: Verdict): CallRule => ({
  tests: values.map((is) => ({ argument, is, verdict: 'allow' })),
  otherwise,
});

/** The rules that the table names (data/system-calls.tsv). */
export const CALL_RULES: Readonly<Record<string, CallRule>> = {
  'mode-1': noSetuid(1),
  'mode-2': noSetuid(2),
  'mode-3': noSetuid(3),
  'clone-thread': { tests: threadOnly, otherwise: EPERM },
  'clone-parent': {
    tests: [{ argument: 0, is: LIBC_FORK, verdict: 'allow' }, ...threadOnly],
    otherwise: EPERM,
  },
  'own-pid': oneOf(0, ['own-pid'], EPERM),
  'own-pid-or-0': oneOf(0, [0, 'own-pid'], EPERM),
  'af-unix': oneOf(0, [AF_UNIX], EPERM),
  'no-address': {
    tests: [
      { argument: 4, mask: 0xffffffff, is: 'any', verdict: EPERM },
      { argument: 4, high: true, mask: 0xffffffff, is: 'any', verdict: EPERM },
    ],
    otherwise: 'allow',
  },
  // TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
  ioctl: oneOf(1, [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451], { errno: 25 }),
  // F_DUPFD to F_SETLKW, locks of open file descriptions, F_DUPFD_CLOEXEC, F_GETPIPE_SZ
  fcntl: oneOf(1, [0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032], { errno: 22 }),
  // PDEATHSIG, GET_DUMPABLE, SET_DUMPABLE, SET_NAME, GET_NAME, SET_SECCOMP, SET_NO_NEW_PRIVS, THP_DISABLE
  'prctl-parent': oneOf(0, [1, 3, 4, 15, 16, 22, 38, 41, PR_SET_VMA], { errno: 22 }),
  'prctl-run': oneOf(0, [3, 15, 16, PR_SET_VMA], { errno: 22 }),
};

/** What a cell of the table means. @throws Error for a name that is no verdict and no rule */
export function treatment(cell: string): Verdict | CallRule {
  if (cell === 'allow') return 'allow';
  const errno = ERRNO[cell];
  if (errno !== undefined) return { errno };
  const rule = CALL_RULES[cell];
  if (!rule) throw new Error(`no treatment of system calls is called ${cell}`);
  return rule;
}
