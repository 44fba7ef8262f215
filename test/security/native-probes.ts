/** One attack on the kernel by a raw system call. */
export interface CallProbe {
  readonly name: string;
  /** Python expression over {@link RAW_CALLS}: a negative number is an errno. */
  readonly code: string;
  /** What the jail answers, as names of errno. */
  readonly refused: readonly string[];
  /** The kernel refuses it to anybody without capabilities or on some machines, filter or not. */
  readonly needsRights?: true;
}

/**
 * `call(x64, arm64, *arguments)`: the result of a system call, or its errno as a negative number. `c`: the C library. Not by
 * way of the runtime's refusals, which are no walls.
 */
export const RAW_CALLS = `
import ctypes, errno, os, platform
c = ctypes.pythonapi
def call(x64, arm64, *arguments):
    number = x64 if platform.machine() == "x86_64" else arm64
    words = [a if isinstance(a, (bytes, ctypes.Array)) else ctypes.c_long(a) for a in arguments]
    function = ctypes.CFUNCTYPE(ctypes.c_long, use_errno=True)(ctypes.cast(c.syscall, ctypes.c_void_p).value)
    result = function(ctypes.c_long(number), *words)
    return -ctypes.get_errno() if result == -1 else result
page = ctypes.create_string_buffer(4096)
`;

const probe = (name: string, code: string, ...refused: string[]): CallProbe => ({ name, code, refused });

/** One that the kernel refuses to anybody without rights, with the filters or without. */
const privileged = (name: string, code: string, ...refused: string[]): CallProbe => ({
  ...probe(name, code, ...refused),
  needsRights: true,
});

/** System calls that have been ways out elsewhere (design/native.md). Each does something without the filters. */
export const CALL_PROBES: readonly CallProbe[] = [
  probe('io_uring', 'call(425, 425, 4, page)', 'EPERM'),
  probe('ptrace', 'call(101, 117, 0, 0, 0, 0)', 'EPERM'),
  probe('keyctl', 'call(250, 219, 0, -3, 0)', 'EPERM'),
  probe('add_key', 'call(248, 217, b"user", b"canary", b"x", 1, -3)', 'EPERM'),
  probe('userfaultfd', 'call(323, 282, 1)', 'EPERM'),
  privileged('bpf', 'call(321, 280, 0, (ctypes.c_uint32 * 18)(2, 4, 4, 1), 72)', 'EPERM'),
  probe('perf_event_open', 'call(298, 241, (ctypes.c_uint32 * 28)(1, 112), 0, -1, -1, 0)', 'EPERM'),
  probe('a nested user namespace', 'call(272, 97, 0x10000000)', 'EPERM'),
  probe('a nested user namespace by clone', 'call(56, 220, 0x10000011, 0, 0, 0, 0)', 'EPERM'),
  probe('clone3', 'call(435, 435, (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17), 64)', 'ENOSYS'),
  probe('fork', 'call(56, 220, 17, 0, 0, 0, 0)', 'EPERM'),
  probe('a file in memory', 'call(319, 279, b"x", 0)', 'EPERM'),
  probe('System V shared memory', 'call(29, 194, 0, 4096, 0o1600)', 'EPERM'),
  probe('a message queue', 'call(68, 186, 0, 0o1600)', 'EPERM'),
  probe(
    'a pipe among the files',
    'call(133 if platform.machine() == "x86_64" else 0, 33, b"fifo", 0o10600, 0)',
    'EPERM',
  ),
  probe('a hard link', '(open("a", "w").close(), call(265, 37, -100, b"a", -100, b"b", 0))[1]', 'EPERM'),
  probe('a symbolic link', 'call(266, 36, b"/etc/passwd", -100, b"link")', 'EPERM'),
  probe('a setuid bit', '(open("a", "w").close(), call(268, 53, -100, b"a", 0o4755))[1]', 'EPERM'),
  probe('a setuid bit at creation', 'call(257, 56, -100, b"new", os.O_CREAT | os.O_WRONLY, 0o4755)', 'EPERM'),
  probe(
    'an extended attribute',
    '(open("a", "w").close(), call(188, 5, b"a", b"user.x", b"y", 1, 0))[1]',
    'ENOTSUP',
  ),
  probe(
    'space without writing',
    'call(285, 47, os.open("a", os.O_CREAT | os.O_RDWR), 0, 0, 4096)',
    'ENOTSUP',
  ),
  privileged('TIOCSTI', 'call(16, 29, os.open("/dev/null", os.O_RDWR), 0x5412, b"x")', 'ENOTTY'),
  probe('a signal to whoever owns a descriptor', '(lambda r: call(72, 25, r, 8, 1))(os.pipe()[0])', 'EINVAL'),
  privileged('mount', 'call(165, 40, b"none", b"/tmp", b"tmpfs", 0, 0)', 'EPERM'),
  privileged('chroot', 'call(161, 51, b"/")', 'EPERM'),
  probe('a handle of a process', 'call(434, 434, os.getpid(), 0)', 'EPERM'),
  probe(
    'memory of another process',
    'call(310, 270, os.getpid(), (ctypes.c_uint64 * 2)(ctypes.addressof(page), 8), 1, (ctypes.c_uint64 * 2)(ctypes.addressof(page), 8), 1, 0)',
    'EPERM',
  ),
  probe('limits of the first process', 'call(302, 261, 1, 7, 0, page)', 'EPERM'),
  probe('a signal to the first process', 'call(62, 129, 1, 0)', 'EPERM'),
  probe('a signal to all', 'call(62, 129, -1, 0)', 'EPERM'),
  probe('a signal to the group', 'call(62, 129, 0, 0)', 'EPERM'),
  probe('a session of its own', 'call(112, 157)', 'EPERM'),
  probe('priority', 'call(141, 140, 0, 0, 5)', 'EPERM'),
  probe('a filter of its own', 'call(317, 277, 2, 0, (ctypes.c_uint32 * 1)(0x7fff0000))', 'EPERM'),
  probe('a TCP socket', 'call(41, 198, 2, 1, 0)', 'EPERM'),
  probe('a netlink socket', 'call(41, 198, 16, 3, 0)', 'EPERM'),
  privileged('a packet socket', 'call(41, 198, 17, 3, 0)', 'EPERM'),
  probe('a unix socket', 'call(41, 198, 1, 1, 0)', 'EPERM'),
  probe('watching files', 'call(294, 26, 0)', 'EPERM'),
];

/** Files of /proc through which processes have been read, changed or left elsewhere. In the jail there is none of them. */
export const PROC_PROBES: readonly CallProbe[] = [
  'self/mem',
  'self/environ',
  'self/exe',
  'self/fd',
  'self/cwd',
  'self/uid_map',
  '1/maps',
  '1/exe',
  'mounts',
  'net/tcp',
  'sys/kernel/core_pattern',
  'sys/kernel/random/boot_id',
].map((file) => probe(`/proc/${file}`, `call(257, 56, -100, b"/proc/${file}", os.O_RDONLY, 0)`, 'ENOENT'));

/** Runs every probe in a process of its own, for some cannot be undone, and prints a line for each. */
export function eachInControl(probes: readonly CallProbe[]): string {
  return `${RAW_CALLS}
for code in ${JSON.stringify(probes.map(({ code }) => code))}:
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        try: number = eval(code)
        except OSError as error: number = -error.errno
        os.write(w, (errno.errorcode.get(-number, "done") if number < 0 else "done").encode())
        os._exit(0)
    os.waitpid(pid, 0)
    print(os.read(r, 100).decode() or "died")
`;
}
