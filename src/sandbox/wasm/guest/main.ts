import { boot } from './boot.js';
import { readFrame, writeFrame } from './channel.js';
import { armDeadline, disarmDeadline, remainingSeconds } from './interrupt.js';
import { limitMemory } from './memory.js';
import { memoryFiles } from './memory-files.js';
import { Quota } from './quota.js';
import { WorkspaceFiles } from './workspace-files.js';

/**
 * Entry point of a worker: restores the interpreter, says `ready`, then runs one `run` frame after the other. All that
 * is here belongs to whoever the code's author is as soon as the first run starts; the host relies on none of it.
 */
const MIB = 1024 * 1024;
const folder = Deno.args[0] ?? '';
// The interpreter itself takes about 30 MiB; the limits count what comes on top.
const maximumBytes = (Number(Deno.args[1]) + 32) * MIB;
const { pyodide, module } = await boot(folder, { snapshot: true, maximumBytes });
const baseBytes = module.HEAP8.length;

const print = (stream: 'stdout' | 'stderr') => (line: string) =>
  writeFrame(`{"type":"out","stream":"${stream}"}`, new TextEncoder().encode(`${line}\n`));
module.API.initializeStreams(() => undefined, print('stdout'), print('stderr'));
const scratch = new Quota(0, 0);
const scratchFiles = memoryFiles(pyodide.FS, scratch, {
  load: () => undefined,
  touched: () => undefined,
  closed: () => undefined,
});
pyodide.FS.mount(scratchFiles, {}, '/tmp');
const workspace = new WorkspaceFiles(pyodide.FS);

let muted = true;
const host = {
  send(header: string, payload?: Uint8Array): void {
    if (!muted) writeFrame(header, payload);
  },
  remaining: remainingSeconds,
  flushFiles: () => workspace.flush(),
};
const runtime = pyodide.pyimport('ce_runtime.wasm') as {
  start(host: object): (header: string, payload: Uint8Array) => void;
};
const run = runtime.start(host);
if (pyodide.runPython('1+1') !== 2) throw new Error('the interpreter cannot add');
muted = false;
writeFrame(JSON.stringify({ type: 'ready', python: module.API.pyVersionTuple.join('.') }));

for (;;) {
  const { header, payload } = readFrame();
  if (header.type !== 'run') continue;
  const { manifest, ...rest } = header;
  limitMemory(baseBytes + header.memoryMb * MIB);
  scratch.reset(header.diskBytes, header.diskFiles);
  workspace.begin(header.diskBytes, header.diskFiles, manifest);
  armDeadline(module, header.timeoutMs);
  try {
    run(JSON.stringify(rest), payload);
  } finally {
    disarmDeadline(module);
  }
}
