// @ts-check
/**
 * The positive control: an MCP server as one writes it who thinks of no attack. It speaks like the product and has none of
 * its walls, so that a case which cannot fail here proves nothing. It runs in the throw-away namespace only.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { barePyodide, barePython } from './bare-interpreter.mjs';

const RAW = 'RAW:';
const argument = (/** @type {string} */ name) => process.argv[process.argv.indexOf(name) + 1] ?? '';
const config = JSON.parse(readFileSync(argument('--config'), 'utf8'));
const data = argument('--data-dir');
const http = process.argv.includes('--http') ? argument('--http') : undefined;
const principal = http === undefined ? 'local' : 'session-a';
const workspaces = path.join(data, 'workspaces');
const skills = path.join(data, 'skills');
for (const folder of [path.join(workspaces, principal), skills]) mkdirSync(folder, { recursive: true });

/** Tables of plain objects: names of inherited members are found in them. @type {Record<string, any>} */
const servers = {};
for (const [name, { args }] of Object.entries(config.mcpServers)) {
  if (args.length < 3) continue;
  servers[name] = { log: args[2], tools: {} };
  for (const tool of JSON.parse(readFileSync(args[1], 'utf8'))) servers[name].tools[tool.name] = tool;
}

const own = path.join(workspaces, principal);
process.env.PYTHONPATH = `${own}:${skills}`;
const python =
  config.sandbox.backend === 'native' ? barePython(own, callTool) : await barePyodide(own, callTool);

/** @param {string} name @param {any} args */
function callTool(name, args) {
  const [server = '', tool = ''] = name.split('.');
  const entry = servers[server];
  const found = entry?.tools?.[tool] ?? entry?.[tool];
  merge({}, args);
  if (entry?.log) appendFileSync(entry.log, `${JSON.stringify({ tool, args })}\n`);
  switch (found?.behaviour ?? 'echo') {
    case 'static':
      // What a tool says of itself is part of a program that is made for it.
      if (found.description?.includes('"""')) return found.description;
      return servers.bad?.tools?.[tool]?.returns ?? found.returns;
    case 'sink':
      return 'taken';
    case 'bytes':
      return 'B'.repeat(found.size);
    case 'never':
      for (;;);
    case 'exitProcess':
      return process.exit(1);
    default:
      return args;
  }
}

/** @param {any} into @param {any} from */
function merge(into, from) {
  for (const key of Object.keys(Object(from))) {
    if (typeof from[key] === 'object' && typeof into[key] !== 'undefined') merge(into[key], from[key]);
    else into[key] = from[key];
  }
}

/** @type {Record<string, (args: any, workspace: string) => Promise<any> | any>} */
const TOOLS = {
  execute_code: async ({ code }) => {
    const { output, result, error } = await python.run(code);
    // As the interpreter wrote it, whatever that is.
    const value = result === undefined ? undefined : RAW + result;
    return {
      success: error === undefined,
      output,
      result: value,
      ...(error ? { error: { code: 'python_error', message: error } } : {}),
    };
  },
  read_workspace_file: ({ filename }, workspace) => ({
    content: readFileSync(path.resolve(workspace, plain(filename)), 'utf8'),
  }),
  write_workspace_file: ({ filename, content }, workspace) => {
    mkdirSync(path.dirname(path.resolve(workspace, filename)), { recursive: true });
    writeFileSync(path.resolve(workspace, filename), content);
  },
  list_workspace_files: ({ subpath = '.' }, workspace) => ({ files: list(path.resolve(workspace, subpath)) }),
  save_skill: async ({ name, code }) => {
    writeFileSync(path.join(skills, `${name}.py`), code);
    const { output } = await python.run(
      `${code}\nimport sys; sys.path.insert(0, ${JSON.stringify(skills)}); sys.modules.pop(${JSON.stringify(name)}, None)`,
    );
    return { output };
  },
  load_skill: ({ name }) => ({ code: readFileSync(path.join(skills, name), 'utf8') }),
  get_execution_stats: () => ({ pool: { ready: 1, starting: 0, active: 0, target: 1 } }),
};

/** Every separator and ending that some layer takes for one. @param {string} name */
function plain(name) {
  const slashed = name.replaceAll('\\', '/');
  return slashed.includes('\0') ? slashed.slice(slashed.indexOf('\0') + 1) : slashed;
}

/** Follows links. @param {string} folder @returns {string[]} */
function list(folder) {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? list(file) : [file];
  });
}

/** @param {any} message @param {string} workspace */
async function answer({ id, method, params }, workspace) {
  process.stderr.write(`${method.toString()} ${JSON.stringify(params)}\n`);
  if (id === undefined) return undefined;
  const result =
    method === 'tools/call'
      ? await called(params, workspace)
      : { protocolVersion: '2025-06-18', capabilities: {}, tools: [] };
  return spliced(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Values that are marked as raw go into the text as they are. @param {string} text */
function spliced(text) {
  return text.replaceAll(/"RAW:((?:[^"\\]|\\.)*)"/g, (whole) => JSON.parse(whole).slice(RAW.length));
}

/** @param {any} params @param {string} workspace */
async function called({ name, arguments: args }, workspace) {
  try {
    const structuredContent = (await TOOLS[name]?.(args, workspace)) ?? {};
    const isError = structuredContent.error !== undefined;
    return {
      isError,
      structuredContent,
      content: [{ type: 'text', text: `ok\n${JSON.stringify(structuredContent).replaceAll(RAW, '')}` }],
    };
  } catch (error) {
    const failure = { error: { code: 'internal', message: String(error) } };
    return { isError: true, structuredContent: failure, content: [{ type: 'text', text: String(error) }] };
  }
}

if (http === undefined) {
  createInterface({ input: process.stdin })
    .on('line', async (line) => {
      const text = await answer(JSON.parse(line), own);
      if (text !== undefined) process.stdout.write(`${text}\n`);
    })
    .on('close', () => process.exit(0));
} else {
  createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const text = await answer(
      JSON.parse(body),
      path.join(workspaces, principalOf(incoming.headers.authorization)),
    );
    const headers = {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'mcp-session-id': '1',
    };
    outgoing.writeHead(text === undefined ? 202 : 200, headers).end(text);
  }).listen(Number(http.split(':')[1]), '127.0.0.1');
}

/** @param {string | undefined} authorization */
function principalOf(authorization) {
  const token = authorization?.replace('Bearer ', '');
  const name = Object.entries(config.http.tokens).find(([, each]) => each === token)?.[0] ?? principal;
  mkdirSync(path.join(workspaces, name), { recursive: true });
  return name;
}
