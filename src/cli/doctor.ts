import type { ConfigFlags } from '../config/config.js';
import { CodeExecutionError } from '../core/errors.js';
import type { Layer } from '../sandbox/sandbox.js';
import type { App } from './app-contract.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';
import { numberOfTools } from './tools-list.js';

/** The longest name of a layer or part, and room. */
const NAME_WIDTH = 18;

/** Tells what works on this machine, by trying it: the parts, a start, a run, and which layers of protection hold. */
export async function doctor(
  context: CliContext,
  flags: ConfigFlags & { readonly posture?: boolean },
): Promise<number> {
  const print = (mark: string, name: string, detail: string) => {
    context.streams.out.write(`${mark.padEnd(5)} ${name.padEnd(NAME_WIDTH)} ${detail}\n`);
  };
  const { node, nodeVersion } = context.program;
  print('ok', 'node', `${nodeVersion}, ${node}`);
  print('ok', 'package', `code-execution-mcp ${context.version}`);
  const { app, loaded } = await openApp(context, flags, 'error');
  try {
    const { config, sources, warnings } = loaded;
    print('ok', 'configuration', sources.map(({ path }) => path).join(', ') || 'no file, defaults apply');
    for (const warning of warnings) print('note', '', warning);
    print('ok', 'data', config.dataDir);
    print('ok', 'cache', config.cacheDir);
    for (const part of await app.sandboxParts()) {
      print(
        part.ok ? 'ok' : part.optional ? 'off' : 'FAIL',
        part.name,
        part.ok || !part.next ? part.detail : `${part.detail}; next: ${part.next}`,
      );
      if (part.pending) print('', '', 'preparing the sandbox runtime (once, a few seconds) ...');
    }
    const works = await trySandbox(app, print);
    if (works && flags.posture) await printPosture(app, print);
    const answer = await tryServers(app, print);
    return works && answer ? EXIT.ok : EXIT.failed;
  } finally {
    await app.close();
  }
}

type Print = (mark: string, name: string, detail: string) => void;

async function trySandbox(app: App, print: Print): Promise<boolean> {
  const begin = performance.now();
  try {
    const info = await app.sandboxInfo();
    const ready = performance.now();
    const answer = await app.runOnce('1 + 1', {});
    const done = performance.now();
    const works = answer.exit === 'ok';
    print('ok', 'sandbox', `${info.name}, Python ${info.python}, ready in ${Math.round(ready - begin)} ms`);
    const time = `in ${Math.round(done - ready)} ms`;
    print(
      works ? 'ok' : 'FAIL',
      'run',
      works ? `1 + 1 answered ${time}` : `1 + 1 failed ${time}: ${firstLine(answer.text)}`,
    );
    print('', 'isolation', info.isolation);
    for (const layer of info.layers) printLayer(layer, print);
    return works;
  } catch (error) {
    if (!(error instanceof CodeExecutionError)) throw error;
    print('FAIL', 'sandbox', `${error.message} (${error.code})${error.hint ? `; next: ${error.hint}` : ''}`);
    return false;
  }
}

/** What a worker may do, as the kernel shows it. */
async function printPosture(app: App, print: Print): Promise<void> {
  const rows = await app.posture();
  if (rows.length === 0)
    print('note', 'posture', 'only the native backend tells it; the layers above are what there is');
  for (const { name, detail } of rows) print('', name, detail);
}

/** Starts or reaches every downstream server and asks for its tools. */
async function tryServers(app: App, print: Print): Promise<boolean> {
  const servers = (await app.servers()).filter(({ isRegistry }) => !isRegistry);
  for (const state of servers) {
    const { name, problem } = state;
    print(problem === undefined ? 'ok' : 'FAIL', `server ${name}`, problem ?? numberOfTools(state));
  }
  return servers.every(({ problem }) => problem === undefined);
}

function printLayer(layer: Layer, print: Print): void {
  print(layer.active ? 'on' : 'off', layer.name, layer.detail);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
