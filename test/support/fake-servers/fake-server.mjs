// @ts-check
/**
 * A downstream MCP server of the 2025 era, written out so that it can misbehave in any way:
 * `node fake-server.mjs BEHAVIOUR`. Without one it is an ordinary server.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const behaviour = process.argv[2] ?? 'ordinary';
const MB = 1_000_000;

/** @param {unknown} message */
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** @typedef {{ name: unknown, inputSchema?: unknown, outputSchema?: unknown, description?: string, annotations?: object }} Tool */
/** @type {Tool[]} */
let tools = [
  { name: 'echo', description: 'gives back its arguments', inputSchema: { type: 'object' } },
  {
    name: 'drop',
    annotations: { destructiveHint: true, title: 'Drop it', extra: 1 },
    inputSchema: { type: 'object' },
  },
];

if (process.env.FAKE_STARTS) appendFileSync(process.env.FAKE_STARTS, `${process.pid}\n`);

if (behaviour === 'exit') {
  process.stderr.write('the password is hunter22\n');
  process.exit(3);
}
if (behaviour === 'noise') {
  process.stdout.write('Welcome!\n\n[1,2]\n{"level":"info"}\n{ not json\n');
  process.stdout.write(`${'long noise '.repeat(200_000)}\n`);
}
if (behaviour === 'flood') {
  const line = Buffer.from(`${'x'.repeat(999)}\n`.repeat(1_000));
  const write = () => {
    while (process.stdout.write(line));
  };
  process.stdout.on('drain', write);
  write();
}
if (behaviour === 'stubborn') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}
if (behaviour === 'many')
  tools = Array.from({ length: 5_050 }, (_, i) => ({ name: `tool_${i}`, inputSchema: {} }));
if (behaviour === 'wide') {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [`property_${i}`, { type: 'string' }]),
  );
  tools = [{ name: 'wide', inputSchema: { type: 'object', properties } }];
}
if (behaviour === 'odd') {
  const deep = JSON.parse(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`);
  tools = [
    ...['class', '__proto__', '__class__', '../../etc/passwd', 'a b'].map((name) => ({
      name,
      inputSchema: {},
    })),
    { name: 'x'.repeat(MB), inputSchema: {} },
    { name: 7 },
    { name: 'class' },
    { name: 'deep', inputSchema: deep },
    { name: 'no-schema' },
    { name: 'bad-output', inputSchema: true, outputSchema: { type: 'no such type', pattern: '(' } },
  ];
}

const pages = { many: 1_000, loop: 1 };
const pageSize = behaviour === 'many' || behaviour === 'loop' ? pages[behaviour] : 1_000_000;

/**
 * What the tool `echo` does by its argument `do`.
 * @param {unknown} id
 * @param {Record<string, any>} args
 * @param {unknown} token
 */
function call(id, args, token) {
  /** @param {unknown} result */
  const answer = (result) => send({ jsonrpc: '2.0', id, result });
  const raw = (/** @type {string} */ result) =>
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
  switch (args.do) {
    case 'crash':
      process.exit(9);
      break;
    case 'hang':
      break;
    case 'text':
      raw(text(args.mb));
      break;
    case 'rows': {
      const rows = Array.from({ length: args.mb * 12_500 }, (_, i) => ({
        id: i,
        name: `row number ${i}`,
        value: i * 1.5,
        tags: ['a', 'b'],
      }));
      process.stdout.write(
        `{"result":${JSON.stringify({ structuredContent: { rows }, content: [] })},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`,
      );
      break;
    }
    case 'raw':
      raw(args.result);
      break;
    case 'error':
      send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such thing' } });
      break;
    case 'progress':
      for (const progress of [1, 2, 3])
        send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
        });
      answer({ content: [{ type: 'text', text: 'done' }] });
      break;
    case 'begin':
      send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1 },
      });
      break;
    case 'cancelled':
      answer({ content: [], structuredContent: { cancelled: cancelled } });
      break;
    case 'environment':
      answer({ content: [], structuredContent: { env: process.env, cwd: process.cwd(), pid: process.pid } });
      break;
    case 'change':
      tools = [
        { name: 'echo', inputSchema: { type: 'object' } },
        { name: 'new', inputSchema: { type: 'object' } },
      ];
      for (let i = 0; i < 50; i += 1) send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      answer({ content: [] });
      break;
    default:
      answer({ content: [{ type: 'text', text: JSON.stringify(args) }] });
  }
}
let cancelled = 0;

/** @type {Map<number, string>} */
const texts = new Map();

/** @param {number} mb */
function text(mb) {
  const made =
    texts.get(mb) ??
    JSON.stringify({ content: [{ type: 'text', text: 'x'.repeat(mb * MB) }], _meta: { big: true } });
  texts.set(mb, made);
  return made;
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (behaviour === 'hang') return;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    send({
      jsonrpc: '2.0',
      id,
      result: {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'fake', version: '1' },
        instructions: 'A fake.',
      },
    });
  } else if (method === 'notifications/cancelled') {
    cancelled += 1;
  } else if (method === 'tools/list') {
    const from = Number(params.cursor ?? 0);
    const to = behaviour === 'loop' ? 0 : from + pageSize;
    const more = behaviour === 'loop' || to < tools.length;
    send({
      jsonrpc: '2.0',
      id,
      result: {
        tools: behaviour === 'loop' ? tools : tools.slice(from, to),
        ...(more ? { nextCursor: String(to) } : {}),
      },
    });
  } else if (method === 'tools/call') {
    call(id, params.arguments, params._meta?.progressToken);
  } else if (id !== undefined) {
    send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    if (behaviour === 'touchy') process.exit(1);
  }
});
if (behaviour !== 'stubborn') process.stdin.on('end', () => process.exit(0));
