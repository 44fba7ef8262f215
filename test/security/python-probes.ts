import type { Targets } from './canaries.js';
import type { Goal, Probe } from './probe.js';

const python = (goal: Goal, name: string, code: (t: Targets) => string): Probe => ({
  name,
  goal,
  control: 'cpython',
  code,
});

/** Attacks in plain Python: what works on any CPython. */
export const PYTHON_PROBES: readonly Probe[] = [
  python('file', 'open', (t) => `print(open("${t.file}").read())`),
  python('file', 'open by a path that climbs', (t) => `print(open("../" * 30 + "${t.file}").read())`),
  python('file', 'os.open', (t) => `import os\nprint(os.read(os.open("${t.file}", os.O_RDONLY), 100))`),
  python('file', 'os.listdir', (t) => `import os\nprint(os.listdir("${t.folder}"))`),
  python(
    'file',
    'shutil.copy into the workspace',
    (t) => `
import shutil
shutil.copy("${t.file}", "stolen.txt")
print(open("stolen.txt").read())`,
  ),
  python(
    'file',
    'a symbolic link',
    (t) => `
import os
if os.path.lexists("link"): os.remove("link")
os.symlink("${t.file}", "link")
print(open("link").read())`,
  ),
  python(
    'file',
    'a symbolic link to a folder',
    (t) => `
import os
if os.path.lexists("folder-link"): os.remove("folder-link")
os.symlink("${t.folder}", "folder-link")
print(open("folder-link/secret.txt").read())`,
  ),
  python(
    'file',
    'a file: address',
    (t) => `import urllib.request\nprint(urllib.request.urlopen("file://${t.file}").read())`,
  ),
  python(
    'file',
    'the file loader of import',
    (t) => `
import importlib.machinery
print(importlib.machinery.SourceFileLoader("x", "${t.file}").get_data("${t.file}"))`,
  ),
  python('file', 'linecache', (t) => `import linecache\nprint(linecache.getlines("${t.file}"))`),
  python('file', 'fileinput', (t) => `import fileinput\nprint(list(fileinput.input(["${t.file}"])))`),
  python('file', '/proc of the server', (t) => `print(open("/proc/${t.holder}/root${t.file}").read())`),
  python(
    'file',
    'libc by ctypes',
    (t) => `
import _ctypes, ctypes
libc = _ctypes.dlopen(None, 0)
find = lambda name, *types: ctypes.CFUNCTYPE(ctypes.c_int, *types)(_ctypes.dlsym(libc, name))
fd = find("open", ctypes.c_char_p, ctypes.c_int)(b"${t.file}", 0)
buffer = ctypes.create_string_buffer(100)
find("read", ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)(fd, buffer, 100)
print(buffer.raw)`,
  ),
  python('write', 'open for writing', (t) => `open("${t.marker}", "w").write("x")`),
  python('write', 'mkdir', (t) => `import os\nos.mkdir("${t.marker}")`),
  python(
    'write',
    'rename out of the workspace',
    (t) => `
import os
open("mine", "w").write("x")
os.rename("mine", "${t.marker}")`,
  ),
  python('write', 'a hard link to the outside', (t) => `import os\nos.link("${t.file}", "${t.marker}")`),
  python('write', 'changing the secret', (t) => `open("${t.file}", "w").write("changed")`),
  python(
    'write',
    'a database',
    (t) => `
import sqlite3
sqlite3.connect("${t.marker}").execute("create table t (x)")`,
  ),
  python('environment', 'os.environ', () => 'import os\nprint(dict(os.environ))'),
  python(
    'environment',
    'getenv of libc',
    (t) => `
import _ctypes, ctypes
libc = _ctypes.dlopen(None, 0)
print(ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_char_p)(_ctypes.dlsym(libc, "getenv"))(b"${t.variable}"))`,
  ),
  python('environment', '/proc/self', () => 'print(open("/proc/self/environ", "rb").read())'),
  python('environment', '/proc of a server', (t) => `print(open("/proc/${t.holder}/environ", "rb").read())`),
  python(
    'network',
    'a TCP socket',
    (t) => `
import socket
connection = socket.create_connection(("127.0.0.1", ${t.tcpPort}), timeout=2)
connection.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
print(connection.recv(500))`,
  ),
  python(
    'network',
    'a TCP socket of _socket',
    (t) => `
import _socket
connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
connection.connect(("127.0.0.1", ${t.tcpPort}))
print(connection.recv(500))`,
  ),
  python(
    'network',
    'a UDP socket',
    (t) => `
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", ${t.udpPort}))`,
  ),
  python(
    'network',
    'a unix socket',
    (t) => `
import socket
socket.socket(socket.AF_UNIX).connect("${t.socket}")`,
  ),
  python(
    'network',
    'an abstract unix socket',
    (t) => `
import socket
socket.socket(socket.AF_UNIX).connect("\\0${t.abstractSocket}".ljust(108, "\\0"))`,
  ),
  python(
    'network',
    'urllib',
    (t) => `
import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:${t.tcpPort}/", timeout=2).read())`,
  ),
  python(
    'network',
    'http.client',
    (t) => `
import http.client
http.client.HTTPConnection("127.0.0.1", ${t.tcpPort}, timeout=2).request("GET", "/")`,
  ),
  python(
    'network',
    'asyncio streams',
    (t) => `
import asyncio
async def main():
    reader, _ = await asyncio.open_connection("127.0.0.1", ${t.tcpPort})
    print(await reader.read(500))
asyncio.run(asyncio.wait_for(main(), 2))`,
  ),
  python(
    'process',
    'subprocess',
    (t) => `import subprocess\nsubprocess.run(["touch", "${t.marker}"], timeout=5)`,
  ),
  python('process', 'os.system', (t) => `import os\nos.system("touch ${t.marker}")`),
  python('process', 'os.popen', (t) => `import os\nos.popen("touch ${t.marker}").read()`),
  python(
    'process',
    'os.posix_spawn',
    (t) => `
import os
os.waitpid(os.posix_spawn("/usr/bin/touch", ["touch", "${t.marker}"], {}), 0)`,
  ),
  python(
    'process',
    '_posixsubprocess',
    (t) => `
import _posixsubprocess, os
r, w = os.pipe()
pid = _posixsubprocess.fork_exec([b"touch", b"${t.marker}"], [b"/usr/bin/touch", b"/bin/touch"], True, (w,), None, None,
    -1, -1, -1, -1, -1, -1, r, w, False, False, -1, None, None, None, -1, None, *([False] if __import__("sys").version_info < (3, 14) else []))
os.waitpid(pid, 0)`,
  ),
  python(
    'process',
    'os.fork',
    (t) => `
import os
pid = os.fork()
if pid == 0:
    open("${t.marker}", "w").close()
    os._exit(0)
os.waitpid(pid, 0)`,
  ),
  python(
    'process',
    'multiprocessing',
    (t) => `
import multiprocessing
process = multiprocessing.get_context("fork").Process(target=open, args=("${t.marker}", "w"))
process.start()
process.join(5)`,
  ),
  python('process', 'os.kill', (t) => `import os\nos.kill(${t.victim}, 15)`),
  python(
    'process',
    'kill of libc',
    (t) => `
import _ctypes, ctypes
libc = _ctypes.dlopen(None, 0)
ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int)(_ctypes.dlsym(libc, "kill"))(${t.victim}, 15)`,
  ),
];
