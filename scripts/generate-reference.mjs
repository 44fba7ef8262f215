#!/usr/bin/env node
// @ts-check
/**
 * Writes the documentation that is derived from the program: docs/reference/{tools,configuration,errors}.md,
 * data/config.schema.json, and in README.md what stands between `<!-- generated:NAME -->` and `<!-- /generated -->`.
 * `--check` writes nothing and fails if anything would change. Needs a build.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ROOT } from './ensure-installed.mjs';
import { startServer } from './support/server-process.mjs';

const checkOnly = process.argv.includes('--check');
const tools = await listTools();
const configSchema = await readConfigSchema();
const { ERROR_CODES } = await built('core/errors.js');

const stale = [
  ['docs/reference/tools.md', toolsPage()],
  ['docs/reference/configuration.md', configurationPage()],
  ['docs/reference/errors.md', errorsPage()],
  ['data/config.schema.json', `${JSON.stringify(configSchema, null, 2)}\n`],
  ['README.md', readme({ tools: toolsTable(), configuration: configurationTable() })],
].filter(([file = '', text = '']) => update(file, text));

if (checkOnly && stale.length > 0) {
  console.error(
    `not what the program says: ${stale.map(([file]) => file).join(', ')}\nnext: npm run generate`,
  );
  process.exit(1);
}
console.log(
  checkOnly || stale.length === 0 ? 'reference is fresh' : `wrote ${stale.map(([file]) => file).join(', ')}`,
);

/** @typedef {{ type?: string | string[], description?: string, default?: unknown, enum?: unknown[], minimum?: number, maximum?: number, exclusiveMinimum?: number, maxLength?: number, anyOf?: JsonSchema[], items?: JsonSchema, properties?: Record<string, JsonSchema>, required?: string[] }} JsonSchema */

/**
 * A module of the build.
 * @param {string} module
 */
function built(module) {
  return import(pathToFileURL(path.join(ROOT, 'dist', module)).href);
}

async function listTools() {
  const server = await startServer();
  try {
    const { tools } = await server.client.listTools();
    return tools;
  } finally {
    await server.close();
  }
}

async function readConfigSchema() {
  const { configFileSchema } = await built('config/schema.js');
  return {
    title: 'Configuration of code-execution-mcp',
    ...z.toJSONSchema(configFileSchema, { io: 'input' }),
  };
}

function toolsPage() {
  const sections = tools.map((tool) => {
    const input = /** @type {JsonSchema} */ (tool.inputSchema);
    const output = /** @type {JsonSchema | undefined} */ (tool.outputSchema);
    return [
      `## ${tool.name}\n`,
      `${tool.description}\n`,
      `${annotations(tool.annotations ?? {})}\n`,
      'Arguments:\n',
      fieldTable(input, true),
      ...(output ? ['\nAnswer (`structuredContent`):\n', fieldTable(output, false)] : []),
    ].join('\n');
  });
  return page('Server tools', "the server's own tool list", sections.join('\n\n'));
}

/** @param {Record<string, unknown>} hints */
function annotations(hints) {
  const facts = [
    hints.readOnlyHint ? 'changes nothing' : 'may change the workspace',
    hints.destructiveHint ? 'may overwrite' : undefined,
    hints.idempotentHint ? 'calling it twice is as good as once' : undefined,
    hints.openWorldHint ? 'reaches beyond the server' : 'reaches nothing beyond the server',
  ];
  return `Annotations: ${facts.filter(Boolean).join(', ')}.`;
}

function toolsTable() {
  const rows = tools.map(
    (tool) => `| \`${tool.name}\` | ${cell((tool.description ?? '').split(/(?<=\.)\s/)[0] ?? '')} |`,
  );
  return `| tool | what it does |\n|---|---|\n${rows.join('\n')}`;
}

function configurationPage() {
  const body = `A configuration file is JSON; comments and trailing commas are allowed. Every key is optional.
[config.schema.json](../../data/config.schema.json) is the JSON Schema of the file, for editors.\n\n${configurationTable()}`;
  return page('Configuration', 'the schema in src/config', body);
}

function configurationTable() {
  const rows = leaves(/** @type {JsonSchema} */ (configSchema)).map(
    ({ key, schema }) =>
      `| \`${key}\` | ${cell(typeName(schema))} | ${schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``} | ${cell(schema.description ?? '')} |`,
  );
  return `| key | value | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function errorsPage() {
  /** @type {[string, { forModel: boolean, about: string }][]} */
  const codes = Object.entries(ERROR_CODES);
  const rows = codes.map(
    ([code, { forModel, about }]) =>
      `| \`${code}\` | ${cell(about)} | ${forModel ? 'yes' : 'no: the log has it'} |`,
  );
  return page(
    'Error codes',
    'the table in src/core/errors.ts',
    `A failing call answers with \`isError: true\` and \`structuredContent.error.code\`. Codes are stable; texts are not.\n\n| code | meaning | the model sees the message |\n|---|---|---|\n${rows.join('\n')}`,
  );
}

/**
 * The keys that hold values, sections spelled out.
 * @param {JsonSchema} schema
 * @param {string} [prefix]
 * @returns {{ key: string, schema: JsonSchema }[]}
 */
function leaves(schema, prefix = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
    child.properties ? leaves(child, `${prefix}${name}.`) : [{ key: `${prefix}${name}`, schema: child }],
  );
}

/**
 * @param {JsonSchema} schema
 * @param {boolean} withDefaults
 */
function fieldTable(schema, withDefaults) {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return 'none';
  const rows = entries.map(([name, child]) => {
    const standard = schema.required?.includes(name)
      ? 'required'
      : child.default === undefined
        ? ''
        : `\`${JSON.stringify(child.default)}\``;
    const columns = [
      `\`${name}\``,
      cell(typeName(child)),
      ...(withDefaults ? [standard] : []),
      cell(child.description ?? ''),
    ];
    return `| ${columns.join(' | ')} |`;
  });
  const head = withDefaults
    ? '| argument | type | default | meaning |\n|---|---|---|---|'
    : '| field | type | meaning |\n|---|---|---|';
  return `${head}\n${rows.join('\n')}`;
}

/**
 * @param {JsonSchema} schema
 * @returns {string}
 */
function typeName(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ');
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
  if (type === 'array') return `array of ${schema.items ? typeName(schema.items) : 'any'}`;
  const low = schema.minimum ?? schema.exclusiveMinimum;
  const range =
    low === undefined && schema.maximum === undefined ? '' : ` ${low ?? ''} to ${schema.maximum ?? ''}`;
  return `${type}${range}${schema.maxLength ? `, at most ${schema.maxLength} characters` : ''}`;
}

/**
 * @param {string} title
 * @param {string} source
 * @param {string} body
 */
function page(title, source, body) {
  return `# ${title}\n\n<!-- Generated by npm run generate from ${source}. Do not edit. -->\n\n${body}\n`;
}

/** @param {string} text */
function cell(text) {
  return text.replace(/\|/g, '\\|').replace(/\s+/g, ' ').trim();
}

/**
 * README.md with its generated sections replaced.
 * @param {Record<string, string>} sections
 */
function readme(sections) {
  const file = path.join(ROOT, 'README.md');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.replace(
    /(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated -->)/g,
    (whole, start, name, end) => (name in sections ? `${start}${sections[name]}\n${end}` : whole),
  );
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {boolean} true if the file differs from the text
 */
function update(file, text) {
  const absolute = path.join(ROOT, file);
  if (text === '' || (existsSync(absolute) && readFileSync(absolute, 'utf8') === text)) return false;
  if (!checkOnly) {
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }
  return true;
}
