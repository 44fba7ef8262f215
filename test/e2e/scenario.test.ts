import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DATA_FILES, RESULT_FILE, RUNS, SESSION, WHOLE_TABLE } from '../../scripts/support/scenario.mjs';
import { llmTokens } from '../../scripts/support/tokens.mjs';
import { PROJECT_ROOT } from '../support/project-root.js';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const TOKEN_BUDGET = 300;
const DATA_TOKENS = { 'movies.json': 439_797, 'birdstrikes.csv': 486_037, 'airports.csv': 89_738 };

describe.each(['legacy', 'auto'] as const)('the scenario, %s protocol era', (era) => {
  let server: ServerProcess;
  const written = new Map<string, Answer>();
  const runs = new Map<string, Answer>();

  beforeAll(async () => {
    server = await startServer({ era });
    for (const file of DATA_FILES) {
      written.set(file, await server.call('write_workspace_file', { filename: file, content: data(file) }));
    }
    for (const run of RUNS) {
      runs.set(run.name, await server.call('execute_code', { code: run.code, session: SESSION }));
    }
  }, 120_000);

  test(verifies('MCP-1', 'both eras end up on the protocol they ask for'), () => {
    const version = server.client.getNegotiatedProtocolVersion() ?? '';
    if (era === 'legacy') expect(version).toBe('2025-11-25');
    else expect(version).toBe('2026-07-28');
  });

  test.each(DATA_FILES)('%s is written whole', (file) => {
    expect(written.get(file)?.data).toMatchObject({
      success: true,
      filename: file,
      size: Buffer.byteLength(data(file)),
    });
  });

  test.each(RUNS)(
    verifies(['SCENARIO-1', 'SCENARIO-3'], 'run $name has the right result and output'),
    (run) => {
      const answer = runs.get(run.name);
      expect(answer?.text.split('\n')[0]).toMatch(/^ok · /);
      expect(answer?.data).toMatchObject({ success: true, result: run.expected });
      expect(answer?.data.output ?? '').toBe(run.output);
    },
  );

  test.each(RUNS)(verifies('SCENARIO-2', 'run $name costs under 300 LLM tokens for over 100,000'), (run) => {
    const covered = run.covers.reduce((sum, file) => sum + llmTokens(data(file)), 0);
    const expected = run.covers.reduce(
      (sum, file) => sum + (Object.entries(DATA_TOKENS).find(([n]) => n === file)?.[1] ?? 0),
      0,
    );
    expect(covered).toBe(expected);
    expect(covered).toBeGreaterThan(100_000);
    expect(llmTokens(runs.get(run.name)?.text ?? '')).toBeLessThan(TOKEN_BUDGET);
    expect(llmTokens(JSON.stringify(runs.get(run.name)?.data))).toBeLessThan(TOKEN_BUDGET);
  });

  test(
    verifies(['SCENARIO-2', 'RUN-7', 'FILES-4'], 'the whole table as a result is a summary and a file'),
    async () => {
      const answer = await server.call('execute_code', {
        code: WHOLE_TABLE,
        session: SESSION,
        max_output_chars: 800,
      });
      expect(answer.data).toMatchObject({ success: true, truncated: true });
      expect(answer.text).toMatch(/3,192/);
      expect(answer.text).toMatch(/title.*genre.*year.*gross.*budget.*imdb/s);
      expect(llmTokens(answer.text)).toBeLessThan(TOKEN_BUDGET);

      const kept: unknown[] = JSON.parse(await readWhole(server, String(answer.data.resource)));
      expect(kept).toHaveLength(3_192);
      expect(kept[0]).toEqual({
        title: 'The Land Girls',
        genre: 'Unknown',
        year: 1998,
        gross: 146_083,
        budget: 8_000_000,
        imdb: 6.1,
      });
    },
  );

  test(
    verifies(['SCENARIO-4', 'FILES-3'], 'the file of the second run reads back byte for byte'),
    async () => {
      expect(runs.get('reuse')?.data.files_changed).toMatchObject([
        { path: RESULT_FILE.name, change: 'created' },
      ]);
      const args = { filename: RESULT_FILE.name, encoding: 'base64' };
      const { data: bytes } = await server.call('read_workspace_file', args);
      expect(Buffer.from(String(bytes.content), 'base64').toString()).toBe(RESULT_FILE.content);
      const { data: text } = await server.call('read_workspace_file', { filename: RESULT_FILE.name });
      expect(text.content).toBe(RESULT_FILE.content);
    },
  );

  test('the stats count the runs and the LLM tokens kept out of context', async () => {
    const { data: stats } = await server.call('get_execution_stats');
    expect(stats).toMatchObject({ runs: { total: RUNS.length + 1 } });
    const tokens = stats.tokens as { kept_out: number; returned: number };
    expect(tokens.returned).toBeGreaterThan(0);
    expect(tokens.kept_out).toBeGreaterThan(0);
  });
});

/** A file in parts, as large as the server gives them. */
async function readWhole(server: ServerProcess, filename: string): Promise<string> {
  const parts: Buffer[] = [];
  for (let offset: unknown = 0; offset !== undefined; ) {
    const part = await server.call('read_workspace_file', {
      filename,
      offset,
      limit: 100_000,
      encoding: 'base64',
    });
    expect(part.isError).toBe(false);
    parts.push(Buffer.from(String(part.data.content), 'base64'));
    offset = part.data.next_offset;
  }
  return Buffer.concat(parts).toString();
}

function data(file: string): string {
  return readFileSync(path.join(PROJECT_ROOT, 'node_modules', 'vega-datasets', 'data', file), 'utf8');
}
