// @ts-check
/**
 * A downstream MCP server with two customers and a mail tool that reaches an open world and repeats what it got:
 * `node crm-server.mjs LOG`. Every mail is appended to LOG as a JSON line.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const log = process.argv[2] ?? '';
const CUSTOMERS = [
  { name: 'Marta Kowalska', email: 'marta.kowalska@mail.example.org', due: 12.5 },
  { name: 'Henrik Lindqvist', email: 'henrik.l@mail.example.org', due: 0 },
];
const text = { type: 'string' };
const TOOLS = [
  {
    name: 'customers',
    description: 'All customers.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'send_mail',
    description: 'Sends a mail to anybody.',
    inputSchema: { type: 'object', properties: { to: text, body: text }, required: ['to', 'body'] },
    annotations: { openWorldHint: true },
  },
  {
    name: 'note',
    description: 'Keeps a note.',
    inputSchema: { type: 'object', properties: { body: text }, required: ['body'] },
    annotations: { openWorldHint: false },
  },
];

/** @param {Record<string, unknown>} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** @param {{ name: string, arguments: Record<string, string> }} params */
function result({ name, arguments: args }) {
  if (name === 'customers') return { content: [], structuredContent: { customers: CUSTOMERS } };
  appendFileSync(log, `${JSON.stringify({ name, ...args })}\n`);
  return { content: [{ type: 'text', text: `${name}: ${args.to ?? ''} ${args.body}` }] };
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') {
      const serverInfo = { name: 'crm', version: '1' };
      send({
        id,
        result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo },
      });
    } else if (method === 'tools/list') send({ id, result: { tools: TOOLS } });
    else if (method === 'tools/call') send({ id, result: result(params) });
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  })
  .on('close', () => process.exit(0));
