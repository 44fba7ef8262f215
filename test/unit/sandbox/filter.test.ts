import { describe, expect, test } from 'vitest';
import { assembleFilter, type FilterStage, type SeccompFilter } from '../../../src/sandbox/native/filter.js';
import { type Architecture, systemCalls } from '../../../src/sandbox/native/system-calls.js';
import { simulateFilter } from '../../support/bpf-simulator.js';

const CALLS = systemCalls();
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const PID = 4711;
const [EPERM, ECHILD, EINVAL, ENOTTY, ENOSYS, EOPNOTSUPP] = [1, 10, 22, 25, 38, 95];
const ARCHITECTURES: Architecture[] = ['x64', 'arm64'];

/** As a process would meet both: what either refuses is refused. */
function ask(architecture: Architecture, stage: FilterStage, name: string, ...args: number[]): unknown {
  const number = CALLS.find((call) => call.name === name)?.numbers[architecture];
  if (number === undefined) throw new Error(`${name} has no number on ${architecture}`);
  const filter = assembleFilter(CALLS, architecture, stage);
  return simulateFilter(withPid(filter), { audit: AUDIT[architecture], number, arguments: args });
}

function withPid(filter: SeccompFilter): Uint8Array {
  const bytes = Buffer.from(filter.bytes);
  for (const offset of filter.pidOffsets) bytes.writeUInt32LE(PID, offset);
  return bytes;
}

describe('the table of system calls', () => {
  test('has each call once, a number for at least one processor, and a reason', () => {
    expect(new Set(CALLS.map(({ name }) => name)).size).toBe(CALLS.length);
    for (const architecture of ARCHITECTURES) {
      const numbers = CALLS.map((call) => call.numbers[architecture]).filter(
        (number) => number !== undefined,
      );
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 500)).toBe(true);
    }
    for (const { name, numbers, reason } of CALLS) {
      expect(numbers.x64 ?? numbers.arm64, name).toBeDefined();
      expect(reason.length, name).toBeGreaterThan(4);
    }
  });

  test('allows as many calls as the documentation says', () => {
    const allowed = (architecture: Architecture): number =>
      CALLS.filter(({ jail, numbers }) => numbers[architecture] !== undefined && !/^E[A-Z]+$/.test(jail))
        .length;
    expect([allowed('x64'), allowed('arm64')]).toEqual([152, 127]);
  });
});

describe.each(ARCHITECTURES)('the filters on %s', (architecture) => {
  test.each<[string, number[], unknown, unknown]>([
    ['read', [0], 'allow', 'allow'],
    ['openat', [0, 0, 0o100, 0o644], 'allow', 'allow'],
    ['openat', [0, 0, 0o100, 0o4755], EPERM, 'allow'],
    ['fchmod', [3, 0o2755], EPERM, 'allow'],
    ['clone', [0x01200011], 'allow', EPERM],
    ['clone', [0x3d0f00], 'allow', 'allow'],
    ['clone', [0x3d0f00 + 0x10000000], EPERM, EPERM],
    ['clone', [17], EPERM, EPERM],
    ['execve', [], 'allow', EPERM],
    ['execveat', [], EPERM, 'allow'],
    ['kill', [PID, 9], 'allow', 'allow'],
    ['kill', [1, 9], 'allow', EPERM],
    ['kill', [-1, 9], 'allow', EPERM],
    ['tgkill', [1, 1, 9], 'allow', EPERM],
    ['tkill', [1, 9], EPERM, 'allow'],
    ['prlimit64', [0, 7, 0, 0], 'allow', 'allow'],
    ['prlimit64', [1, 7, 0, 0], 'allow', EPERM],
    ['wait4', [-1], 'allow', ECHILD],
    ['prctl', [15], 'allow', 'allow'],
    ['prctl', [4, 1], 'allow', EINVAL],
    ['prctl', [24], EINVAL, EINVAL],
    ['seccomp', [1], 'allow', EPERM],
    ['ioctl', [0, 0x5401], 'allow', 'allow'],
    ['ioctl', [0, 0x5412], ENOTTY, 'allow'],
    ['ioctl', [0, 0x541c], ENOTTY, 'allow'],
    ['fcntl', [0, 3], 'allow', 'allow'],
    ['fcntl', [0, 8], EINVAL, 'allow'],
    ['fcntl', [0, 10], EINVAL, 'allow'],
    ['socket', [1, 1], 'allow', EPERM],
    ['socket', [2, 1], EPERM, EPERM],
    ['connect', [3], 'allow', EPERM],
    ['socketpair', [1, 1], 'allow', 'allow'],
    ['socketpair', [16, 1], EPERM, 'allow'],
    ['sendto', [3, 1, 1, 0, 0, 0], 'allow', 'allow'],
    ['sendto', [3, 1, 1, 0, 64, 16], EPERM, 'allow'],
    ['sendto', [3, 1, 1, 0, 2 ** 40, 16], EPERM, 'allow'],
    ['symlinkat', [], EPERM, 'allow'],
    ['setxattr', [], EOPNOTSUPP, 'allow'],
    ['fallocate', [], EOPNOTSUPP, 'allow'],
    ['io_uring_setup', [], EPERM, 'allow'],
    ['ptrace', [], EPERM, 'allow'],
    ['bpf', [], EPERM, 'allow'],
    ['userfaultfd', [], EPERM, 'allow'],
    ['keyctl', [], EPERM, 'allow'],
    ['unshare', [0x10000000], EPERM, 'allow'],
    ['mount', [], EPERM, 'allow'],
  ])('%s%j: jail %s, run %s', (name, args, jail, run) => {
    expect(ask(architecture, 'jail', name, ...args)).toBe(jail);
    expect(ask(architecture, 'run', name, ...args)).toBe(run);
  });

  test('a call that is not in the table does not exist in the jail', () => {
    const filter = assembleFilter(CALLS, architecture, 'jail');
    expect(simulateFilter(filter.bytes, { audit: AUDIT[architecture], number: 435 })).toBe(ENOSYS);
    expect(simulateFilter(filter.bytes, { audit: AUDIT[architecture], number: 9_999 })).toBe(ENOSYS);
  });

  test('a call by the convention of another processor ends the process at every stage', () => {
    const other = architecture === 'x64' ? AUDIT.arm64 : AUDIT.x64;
    for (const stage of ['jail', 'sealed', 'run'] as const) {
      const { bytes } = assembleFilter(CALLS, architecture, stage);
      expect(simulateFilter(bytes, { audit: other, number: 0 })).toBe('kill');
    }
  });

  test('the sealed stage refuses programs and nothing else', () => {
    expect(ask(architecture, 'sealed', 'execve')).toBe(EPERM);
    expect(ask(architecture, 'sealed', 'execveat')).toBe(EPERM);
    expect(ask(architecture, 'sealed', 'clone', 0x01200011)).toBe('allow');
  });

  test('a filter fits into what the kernel takes', () => {
    for (const stage of ['jail', 'sealed', 'run'] as const) {
      expect(assembleFilter(CALLS, architecture, stage).bytes.length).toBeLessThanOrEqual(4_096 * 8);
    }
  });
});

test('x32 calls end the process on x64', () => {
  const { bytes } = assembleFilter(CALLS, 'x64', 'jail');
  expect(simulateFilter(bytes, { audit: AUDIT.x64, number: 0x40000000 })).toBe('kill');
});
