// @ts-check
/**
 * The scenario of downstream tools, for the quickstart, the end-to-end test and the README: 200 text files behind a
 * filesystem server, facts about 50 of them wanted in a memory server. Once through execute_code, once by plain calls.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npmServer } from './npm-server.mjs';
import { writeReports } from './strike-reports.mjs';

/** What a person would ask the agent. */
export const TASK =
  'The folder has bird strike reports by airport and season. Note for each airport in memory: strikes, cost and most common known species in autumn.';

const CODE = `import re
from collections import Counter

def read(name):
    return tools.filesystem.read_text_file.later(path=f"{folder}/{name}")

names = re.findall(r"\\[FILE\\] (.+)", tools.filesystem.list_directory(path=folder)["content"])
try:
    notes = read("README.txt").result()["content"]
except tools.ToolError as error:
    notes = f"no notes: {error.code}"

entities, costs = [], {}
for file in tools.gather([read(name) for name in names if name.endswith("-autumn.txt")]):
    text = file["content"]
    airport = re.search(r"Airport: (.+), ", text)[1]
    species = Counter(re.findall(r"Wildlife: (?!Unknown)(.+) \\(", text)).most_common(1)[0][0]
    costs[airport] = sum(map(int, re.findall(r"total \\$(\\d+)", text)))
    facts = [f"{text.count('Strike report')} strikes", f"cost \${costs[airport]}", f"mostly {species}"]
    entities.append({"name": airport, "entityType": "airport", "observations": facts})

tools.memory.create_entities(entities=entities)
stored = {e["name"]: e["observations"] for e in tools.memory.read_graph()["entities"]}
result = {
    "files": len(names), "read": len(entities), "notes": notes, "in_memory": len(stored),
    "strikes": sum(int(o[0].split()[0]) for o in stored.values()),
    "costliest": {name: stored[name] for name in sorted(costs, key=costs.get)[:-4:-1]},
}
`;

/**
 * What the agent does: the calls of server tools, in order.
 * @param {string} folder
 * @returns {{ tool: string, why: string, args: Record<string, unknown> }[]}
 */
export function stepsFor(folder) {
  return [
    {
      tool: 'search_tools',
      why: 'what is there for files?',
      args: { query: 'list a directory, read a text file', limit: 2 },
    },
    {
      tool: 'search_tools',
      why: 'and for memory?',
      args: { query: 'store entities in memory, read the graph', limit: 3 },
    },
    {
      tool: 'get_tool_definition',
      why: 'what does an entity look like?',
      args: { tool_name: 'memory.create_entities' },
    },
    {
      tool: 'execute_code',
      why: 'list 200 files, read 50 of them in parallel, store the facts, read them back',
      args: { code: CODE, context_vars: { folder } },
    },
  ];
}

/**
 * @typedef {object} ScenarioFolder
 * @property {string} reports The folder of the 200 files, as the filesystem server names it.
 * @property {string} memoryFile Where the memory server keeps its graph.
 * @property {Record<string, { command: string, args: string[], env: Record<string, string> }>} mcpServers
 * @property {Expected} expected Computed from the table, not from the files.
 * @property {() => void} remove
 */

/**
 * @typedef {object} Entity
 * @property {string} name
 * @property {string} entityType
 * @property {string[]} observations
 */

/** @typedef {{ result: Record<string, unknown>, entities: Entity[], files: string[] }} Expected */

/** The files and the servers, in a throw-away folder. @returns {ScenarioFolder} */
export function scenarioFolder() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'strike-reports-')));
  const memory = realpathSync(mkdtempSync(path.join(tmpdir(), 'strike-memory-')));
  const memoryFile = path.join(memory, 'memory.jsonl');
  return {
    reports: folder,
    memoryFile,
    mcpServers: {
      filesystem: npmServer('@modelcontextprotocol/server-filesystem', [folder]),
      memory: npmServer('@modelcontextprotocol/server-memory', [], { MEMORY_FILE_PATH: memoryFile }),
      everything: npmServer('@modelcontextprotocol/server-everything'),
    },
    expected: expectedOf(writeReports(folder)),
    remove() {
      for (const each of [folder, memory]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/**
 * @param {Map<string, import('./strike-reports.mjs').Report[]>} files
 * @returns {Expected}
 */
function expectedOf(files) {
  const autumn = [...files.keys()].filter((name) => name.endsWith('-autumn.txt')).sort();
  const facts = autumn.map((name) => {
    const reports = files.get(name) ?? [];
    return {
      name: reports[0]?.['Airport Name'] ?? '',
      strikes: reports.length,
      cost: reports.reduce((sum, report) => sum + Number(report['Cost Total $']), 0),
      species: mostCommon(
        reports
          .map((report) => report['Wildlife Species'] ?? '')
          .filter((name) => !name.startsWith('Unknown')),
      ),
    };
  });
  const observations = (/** @type {typeof facts[number]} */ { strikes, cost, species }) => [
    `${strikes} strikes`,
    `cost $${cost}`,
    `mostly ${species}`,
  ];
  const costliest = [...facts].sort((a, b) => b.cost - a.cost).slice(0, 3);
  return {
    files: [...files.keys()].sort(),
    entities: facts.map((fact) => ({
      name: fact.name,
      entityType: 'airport',
      observations: observations(fact),
    })),
    result: {
      files: files.size,
      read: autumn.length,
      notes: 'no notes: tool_failed',
      in_memory: autumn.length,
      strikes: facts.reduce((sum, { strikes }) => sum + strikes, 0),
      costliest: Object.fromEntries(costliest.map((fact) => [fact.name, observations(fact)])),
    },
  };
}

/** The first of the most frequent. @param {string[]} values */
function mostCommon(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
