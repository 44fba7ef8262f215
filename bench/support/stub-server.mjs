// @ts-check
/**
 * A small MCP server for benches: `node stub-server.mjs [TOOLS [DOMAIN]]`. It has `echo` (gives back its number), `rows`
 * (a structured result of so many megabytes), and TOOLS further tools about DOMAIN.
 */
import { createInterface } from 'node:readline';

const [count = '0', domain = 'stub'] = process.argv.slice(2);
const VERBS = ['list', 'get', 'create', 'update', 'archive', 'export', 'count', 'compare', 'watch', 'share'];
const THINGS = ['invoices', 'customers', 'orders', 'contracts', 'tickets'];
const ROW = JSON.stringify({
  id: 1_000_001,
  name: 'Ada Lovelace',
  town: 'London',
  due: 18450.75,
  tags: ['a', 'b'],
});

const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const tools = [
  { name: 'echo', description: 'Gives back a number.', inputSchema: number },
  { name: 'rows', description: 'A table of so many megabytes.', inputSchema: number },
  ...Array.from({ length: Number(count) }, (_, i) => {
    const [verb, thing] = [VERBS[i % VERBS.length], THINGS[Math.floor(i / VERBS.length) % THINGS.length]];
    const properties = { id: { type: 'string' }, limit: { type: 'integer' }, since: { type: 'string' } };
    return {
      name: `${verb}_${thing}`,
      description: `${verb} ${thing} of ${domain}, newest first, optionally since a date.`,
      inputSchema: { type: 'object', properties, required: ['id'] },
    };
  }),
];

/** @type {Map<number, string>} */
const tables = new Map();

/** @param {number} megabytes */
function table(megabytes) {
  const made =
    tables.get(megabytes) ??
    `[${Array(Math.ceil((megabytes * 1e6) / (ROW.length + 1)))
      .fill(ROW)
      .join(',')}]`;
  tables.set(megabytes, made);
  return made;
}

/**
 * @param {number} id
 * @param {string} result JSON text.
 */
const answer = (id, result) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') {
      const { protocolVersion } = params;
      const serverInfo = { name: 'stub', version: '1' };
      answer(id, JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo }));
    } else if (method === 'tools/list') answer(id, JSON.stringify({ tools }));
    else if (method === 'tools/call') {
      const { n } = params.arguments;
      if (params.name === 'rows') answer(id, `{"content":[],"structuredContent":{"rows":${table(n)}}}`);
      else answer(id, `{"content":[],"structuredContent":{"n":${n}}}`);
    } else if (id !== undefined) {
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}\n`,
      );
    }
  })
  .on('close', () => process.exit(0));
