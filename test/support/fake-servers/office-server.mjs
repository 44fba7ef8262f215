// @ts-check
/**
 * A downstream MCP server with a customer file: `node office-server.mjs LOG`. Every call that reaches it, and every
 * cancellation, is appended to LOG as a JSON line, so that a test can count what really happened.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const log = process.argv[2] ?? '';
const TINY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** @param {Record<string, unknown>} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const nothing = { type: 'object', properties: {} };
let tools = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { first: { type: 'number' }, second: { type: 'number' } },
      required: ['first', 'second'],
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  },
  {
    name: 'delete_customer',
    description: 'Deletes a customer for ever.',
    inputSchema: name,
    annotations: { destructiveHint: true },
  },
  { name: 'archive_customer', description: 'Puts a customer into the archive.', inputSchema: name },
  { name: 'purge_archive', description: 'Empties the archive.', inputSchema: nothing },
  { name: 'portrait', description: 'Picture of a customer.', inputSchema: name },
  {
    name: 'export_rows',
    description: 'All rows of the customer file.',
    inputSchema: { type: 'object', properties: { megabytes: { type: 'number' } }, required: ['megabytes'] },
  },
  {
    name: 'recount',
    description: 'Counts everything again, slowly.',
    inputSchema: {
      type: 'object',
      properties: { ms: { type: 'number' }, steps: { type: 'integer' } },
      required: ['ms'],
    },
  },
  { name: 'crash', description: 'Ends this server.', inputSchema: nothing },
  { name: 'retire_archive', description: 'Takes the tool archive_customer away.', inputSchema: nothing },
];

/** @type {Map<unknown, NodeJS.Timeout>} */
const slow = new Map();

/**
 * @param {unknown} id
 * @param {{ name: string, arguments: Record<string, any>, _meta?: { progressToken?: unknown } }} params
 */
function call(id, { name: tool, arguments: args, _meta }) {
  appendFileSync(log, `${JSON.stringify({ tool, args })}\n`);
  /** @param {Record<string, unknown>} result */
  const answer = (result) => send({ id, result: { content: [], ...result } });
  const say = (/** @type {string} */ text) => answer({ content: [{ type: 'text', text }] });
  if (!tools.some((each) => each.name === tool)) {
    send({ id, error: { code: -32602, message: `Tool ${tool} not found` } });
    return;
  }
  switch (tool) {
    case 'add':
      answer({ structuredContent: { sum: args.first + args.second } });
      break;
    case 'portrait':
      answer({ content: [{ type: 'image', data: TINY_PNG, mimeType: 'image/png' }] });
      break;
    case 'export_rows': {
      const row = JSON.stringify({ id: 1, name: 'Ada Lovelace', town: 'London', due: 18450.75, paid: false });
      const rows = `[${Array(Math.ceil((args.megabytes * 1e6) / (row.length + 1)))
        .fill(row)
        .join(',')}]`;
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"rows":${rows}}}}\n`,
      );
      break;
    }
    case 'recount': {
      const steps = args.steps ?? 1;
      let step = 0;
      const next = () => {
        step += 1;
        if (_meta?.progressToken !== undefined) {
          const params = { progressToken: _meta.progressToken, progress: step, total: steps };
          send({ method: 'notifications/progress', params: { ...params, message: `drawer ${step}` } });
        }
        if (step < steps) slow.set(id, setTimeout(next, args.ms / steps));
        else say('counted');
      };
      slow.set(id, setTimeout(next, args.ms / steps));
      break;
    }
    case 'crash':
      process.exit(9);
      break;
    case 'retire_archive':
      tools = tools.filter((each) => each.name !== 'archive_customer');
      send({ method: 'notifications/tools/list_changed' });
      say('gone');
      break;
    default:
      say(`${tool} ${args.name ?? ''}`.trim());
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') {
      const { protocolVersion } = params;
      const serverInfo = { name: 'office', version: '1' };
      send({ id, result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo } });
    } else if (method === 'notifications/cancelled') {
      appendFileSync(log, `${JSON.stringify({ cancelled: params.requestId })}\n`);
      clearTimeout(slow.get(params.requestId));
    } else if (method === 'tools/list') send({ id, result: { tools } });
    else if (method === 'tools/call') call(id, params);
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  })
  .on('close', () => process.exit(0));
