import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { llmTokens } from '../../scripts/support/tokens.mjs';
import { type ScenarioFolder, scenarioFolder, stepsFor } from '../../scripts/support/tools-scenario.mjs';
import { type Cost, Meter, plainCalls } from '../../scripts/support/tools-scenario-cost.mjs';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const ANSWER_TOKENS = 250;
const SAVED = 0.987;

let folder: ScenarioFolder;
let plain: Awaited<ReturnType<typeof plainCalls>>;

beforeAll(async () => {
  folder = scenarioFolder();
  plain = await plainCalls(folder);
}, 120_000);
afterAll(() => folder.remove());

test('the plain calls do the same work', () => {
  expect(plain.calls).toBe(54);
  expect(sorted(plain.graph)).toEqual({ entities: byName(folder.expected.entities), relations: [] });
});

describe.each(['legacy', 'auto'] as const)('the scenario of tools, %s protocol era', (era) => {
  let server: ServerProcess;
  let cost: Cost;
  const answers: Answer[] = [];

  beforeAll(async () => {
    rmSync(folder.memoryFile, { force: true });
    server = await startServer({ era, config: { mcpServers: folder.mcpServers } });
    const meter = new Meter();
    await meter.definitions(server.client);
    for (const { tool, args } of stepsFor(folder.reports)) {
      const answer = await server.call(tool, args);
      meter.call(tool, args, answer.text);
      answers.push(answer);
    }
    ({ cost } = meter);
  }, 120_000);

  test(verifies('TOOLS-1', 'the searches name the tools that the code needs'), () => {
    const names = answers
      .slice(0, 2)
      .map(({ data }) => (data.tools as { name: string }[]).map(({ name }) => name));
    expect(names[0]).toEqual(
      expect.arrayContaining(['filesystem.list_directory', 'filesystem.read_text_file']),
    );
    expect(names[1]).toEqual(expect.arrayContaining(['memory.create_entities', 'memory.read_graph']));
  });

  test(verifies('TOOLS-2', 'the definition tells arguments, return type, example and policy'), () => {
    expect(answers[2]?.data).toMatchObject({
      success: true,
      name: 'memory.create_entities',
      policy: 'allow',
      available: true,
      input_schema: { properties: { entities: { type: 'array' } }, required: ['entities'] },
      example: expect.stringContaining('tools.memory.create_entities(entities=[{"name": '),
    });
  });

  test(
    verifies(
      ['TOOLS-3', 'TOOLS-4'],
      'one run makes 54 calls, catches the failing one, and its facts are right',
    ),
    () => {
      const run = answers[3];
      expect(run?.data).toMatchObject({
        success: true,
        result: folder.expected.result,
        tool_calls_total: 54,
      });
      expect(run?.text).toMatch(/^ok · .* · 54 tool calls \(1 failed\) · /);
    },
  );

  test(
    verifies(['TOOLS-4', 'TOOLS-20'], 'the audit log has a line for each call, without its arguments'),
    async () => {
      const file = path.join(server.dataDir, 'audit', 'tool-calls.jsonl');
      await expect.poll(() => auditLines(file).length).toBe(54);
      const lines = auditLines(file);
      const count = (tool: string, outcome: string) =>
        lines.filter((line) => line.tool === tool && line.outcome === outcome).length;
      expect(count('filesystem.list_directory', 'ok')).toBe(1);
      expect(count('filesystem.read_text_file', 'ok')).toBe(50);
      expect(count('filesystem.read_text_file', 'tool_failed')).toBe(1);
      expect(count('memory.create_entities', 'ok')).toBe(1);
      expect(count('memory.read_graph', 'ok')).toBe(1);
      expect(new Set(lines.map(({ argumentHash }) => argumentHash)).size).toBe(54);
      expect(JSON.stringify(lines)).not.toContain(folder.reports);
    },
  );

  test(verifies('TOOLS-4', 'the memory server holds one entity for each airport, with its facts'), () => {
    const stored = readFileSync(folder.memoryFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const entities = folder.expected.entities.map((entity) => ({ type: 'entity', ...entity }));
    expect(byName(stored)).toEqual(byName(entities));
  });

  test(verifies('TOOLS-5', 'the answer is under 250 LLM tokens, as text and as structured content'), () => {
    expect(llmTokens(answers[3]?.text ?? '')).toBeLessThan(ANSWER_TOKENS);
    expect(llmTokens(JSON.stringify(answers[3]?.data.result))).toBeLessThan(ANSWER_TOKENS);
  });

  test(
    verifies('TOOLS-5', 'everything counted, it takes at least 98.7 % fewer LLM tokens than plain calls'),
    () => {
      expect(plain.cost.total).toBeGreaterThan(200_000);
      expect(1 - cost.total / plain.cost.total).toBeGreaterThanOrEqual(SAVED);
    },
  );
});

function auditLines(file: string): { tool: string; outcome: string; argumentHash: string }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function byName<T extends { name: string }>(entities: readonly T[]): T[] {
  return [...entities].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sorted(graph: unknown): unknown {
  const { entities, relations } = graph as { entities: { name: string }[]; relations: unknown };
  return { entities: byName(entities), relations };
}
