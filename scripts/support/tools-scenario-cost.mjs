// @ts-check
/**
 * What the scenario of downstream tools costs in LLM tokens, on both sides counted alike: definitions (name, description,
 * input schema) and instructions of every server that the client knows, every call's arguments, every result. Each once,
 * though a client sends the conversation again with every step.
 */
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { llmTokens } from './tokens.mjs';

/** @typedef {import('./tools-scenario.mjs').ScenarioFolder} ScenarioFolder */

/**
 * LLM tokens by what they are spent on.
 * @typedef {object} Cost
 * @property {number} definitions With instructions.
 * @property {number} calls Names and arguments, code included.
 * @property {number} results
 * @property {number} total
 */

/** Adds up what passes through the context. */
export class Meter {
  #definitions = 0;
  #calls = 0;
  #results = 0;

  /** @param {Client} client */
  async definitions(client) {
    const { tools } = await client.listTools();
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    this.#definitions += llmTokens(JSON.stringify(shown)) + llmTokens(client.getInstructions() ?? '');
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {string} result Its text, as a model reads it.
   */
  call(name, args, result) {
    this.#calls += llmTokens(JSON.stringify({ name, arguments: args }));
    this.#results += llmTokens(result);
  }

  /** @returns {Cost} */
  get cost() {
    const [definitions, calls, results] = [this.#definitions, this.#calls, this.#results];
    return { definitions, calls, results, total: definitions + calls + results };
  }
}

/**
 * The same task by plain calls of the same servers, as an agent without code would make them.
 * @param {ScenarioFolder} folder Its memory must be empty.
 * @returns {Promise<{ cost: Cost, calls: number, graph: unknown }>}
 */
export async function plainCalls({ reports, mcpServers, expected }) {
  const meter = new Meter();
  /** @type {Map<string, Client>} */
  const clients = new Map();
  let calls = 0;
  /**
   * @param {string} server
   * @param {string} name
   * @param {Record<string, unknown>} args
   */
  const call = async (server, name, args) => {
    const result = await clients.get(server)?.callTool({ name, arguments: args });
    const text = (result?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    calls += 1;
    meter.call(name, args, text);
    return { text, isError: result?.isError === true };
  };
  try {
    for (const [name, server] of Object.entries(mcpServers)) {
      const client = new Client({ name: 'plain-calls', version: '1' });
      clients.set(name, client);
      const env = { ...getDefaultEnvironment(), ...server.env };
      await client.connect(new StdioClientTransport({ ...server, env, stderr: 'ignore' }));
      await meter.definitions(client);
    }
    const listing = await call('filesystem', 'list_directory', { path: reports });
    const names = [...listing.text.matchAll(/\[FILE\] (.+)/g)].map(([, name = '']) => name);
    const notes = await call('filesystem', 'read_text_file', { path: path.join(reports, 'README.txt') });
    if (!notes.isError) throw new Error('a file that does not exist was read');
    for (const name of names.filter((each) => each.endsWith('-autumn.txt'))) {
      await call('filesystem', 'read_text_file', { path: path.join(reports, name) });
    }
    await call('memory', 'create_entities', { entities: expected.entities });
    const graph = await call('memory', 'read_graph', {});
    return { cost: meter.cost, calls, graph: JSON.parse(graph.text) };
  } finally {
    for (const client of clients.values()) await client.close();
  }
}
