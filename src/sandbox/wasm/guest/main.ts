import { boot } from './boot.js';
import { forgetReplies, readCallReply, readFrame, writeFrame } from './channel.js';
import { armDeadline, disarmDeadline, extendDeadline, remainingSeconds } from './interrupt.js';
import { lastWords } from './last-words.js';
import { limitMemory } from './memory.js';
import { memoryFiles } from './memory-files.js';
import { Quota } from './quota.js';
import { WorkspaceFiles } from './workspace-files.js';

/**
 * Entry point of a worker: restores the interpreter, says `ready`, then runs one `run` frame after the other. All that
 * is here belongs to whoever the code's author is as soon as the first run starts; the host relies on none of it.
 */
const MIB = 1024 * 1024;
const OUT_OF_MEMORY = {
  type: 'done',
  error: {
    code: 'memory_limit',
    type: 'MemoryError',
    message: 'the code filled the memory it may have to the last byte',
    hint: 'work through the data in parts (read line by line, aggregate as you go) instead of holding all of it',
  },
  notes: [],
  variables: [],
  names: [],
};
const folder = Deno.args[0] ?? '';
// The interpreter itself takes about 30 MiB; the limits count what comes on top.
const maximumBytes = (Number(Deno.args[1]) + 32) * MIB;
const { pyodide, module } = await boot(folder, { snapshot: true, maximumBytes });
const baseBytes = module.HEAP8.length;

const print = (stream: 'stdout' | 'stderr') => (line: string) =>
  writeFrame(`{"type":"out","stream":"${stream}"}`, new TextEncoder().encode(`${line}\n`));
module.API.initializeStreams(() => undefined, lastWords(print('stdout')), lastWords(print('stderr')));
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
  scratchIsFull: () => scratch.refusedAt > workspace.refusedAt,
  flushFiles: () => workspace.flush(),
  /** Header and payload of the next reply to a call. */
  receive(): [string, Uint8Array] {
    const { header, payload } = readCallReply();
    if (header.extendMs) extendDeadline(header.extendMs);
    return [JSON.stringify(header), payload];
  },
};
const runtime = pyodide.pyimport('ce_runtime.wasm') as {
  start(host: object): (header: string, payload: Uint8Array) => void;
};
// The whole way twice, answers muted: what is compiled and touched for the first time here is not in the first run.
// The Python worker that practised is thrown away.
if (Deno.args[2] === 'practise') {
  const practised = runtime.start(host);
  for (let round = 0; round < 2; round++) practise(practised);
}
const run = runtime.start(host);
if (pyodide.runPython('1+1') !== 2) throw new Error('the interpreter cannot add');
muted = false;
writeFrame(JSON.stringify({ type: 'ready', python: module.API.pyVersionTuple.join('.') }));

function practise(run: (header: string, payload: Uint8Array) => void): void {
  const header = {
    type: 'run',
    id: 'practice',
    timeoutMs: 60_000,
    memoryMb: 512,
    outputBytes: 1_000,
    resultBytes: 1_000,
  };
  const body = { code: 'print(1)\n1+1', context: {}, earlierNames: [] };
  workspace.begin(1_000, 10, []);
  armDeadline(module, header.timeoutMs);
  const text = JSON.stringify({ ...header, builtins: 'restricted', keepState: false, tools: false });
  run(text, new TextEncoder().encode(JSON.stringify(body)));
  disarmDeadline(module);
}

for (;;) {
  const { header, payload } = readFrame();
  if (header.type !== 'run') continue;
  const { manifest, ...rest } = header;
  limitMemory(baseBytes + header.memoryMb * MIB);
  scratch.reset(header.diskBytes, header.diskFiles);
  workspace.begin(header.diskBytes, header.diskFiles, manifest);
  forgetReplies();
  armDeadline(module, header.timeoutMs);
  try {
    run(JSON.stringify(rest), payload);
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'MemoryError') throw error;
    // Not even the report of the run found room; what fills the memory belongs to the interpreter, so this ends both.
    workspace.flush();
    writeFrame(JSON.stringify({ ...OUT_OF_MEMORY, id: header.id }));
    Deno.exit(0);
  } finally {
    disarmDeadline(module);
  }
}
