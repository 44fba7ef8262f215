import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILTER_HIGH_RISK, SKILLS } from '../../scripts/support/sample-skills.mjs';
import { ENTRY } from '../../scripts/support/server-process.mjs';
import { PROJECT_ROOT } from '../support/project-root.js';
import { type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

/** Seven customers, three of them above 0.8. */
const CUSTOMERS = [0.2, 0.95, 0.81, 0.5, 0.8, 0.99, 0.1].map((risk, at) => ({ id: at + 1, risk }));
const RISKY = [6, 2, 3];
const BY_ID = '[row["id"] for row in';
/** Better, as its author thinks: the limit counts as high. The order is gone, which the example shows. */
const BETTER = FILTER_HIGH_RISK.code
  .replace(
    'return sorted((row for row in rows if row["risk"] > limit), key=lambda row: -row["risk"])',
    'return [row for row in rows if row["risk"] >= limit]',
  )
  .replace('above a limit', 'at or above a limit');

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const temporary = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skills-'));
  folders.push(folder);
  return folder;
};

describe.each(['legacy', 'auto'] as const)(
  'a skill from its first save to its use elsewhere, %s protocol era',
  (era) => {
    let server: ServerProcess;
    const dir = path.join(temporary(), 'skills');
    const config = { skills: { dir } };
    const run = async (code: string) => (await server.call('execute_code', { code })).data;

    beforeAll(async () => {
      server = await startServer({ era, config });
      await server.call('write_workspace_file', {
        filename: 'customers.json',
        content: JSON.stringify(CUSTOMERS),
      });
      const saved = await server.call('save_skill', { ...FILTER_HIGH_RISK, test: true });
      expect(saved.text.split('\n')[0]).toBe('ok · saved filter_high_risk version 1 · new · tests 1 passed');
    }, 120_000);

    test(
      verifies('SKILLS-1', 'a fresh run uses it by import, by attribute and by its source text'),
      async () => {
        const rows = 'json.load(open("customers.json"))';
        const uses = [
          `from skills import filter_high_risk\n${BY_ID} filter_high_risk(${rows})]`,
          `${BY_ID} skills.filter_high_risk.main(limit=0.8)]`,
          `exec(load_skill("filter_high_risk"))\n${BY_ID} filter_high_risk(${rows})]`,
        ];
        for (const code of uses) expect(await run(code)).toMatchObject({ success: true, result: RISKY });
        const listed = await server.call('list_skills', {});
        expect(listed.data.skills).toMatchObject([
          { name: 'filter_high_risk', uses: 3, tests: 'tests 1 passed' },
        ]);
      },
    );

    test(
      verifies('SKILLS-2', 'a better version whose example fails is not saved under test: true'),
      async () => {
        const refused = await server.call('save_skill', {
          ...FILTER_HIGH_RISK,
          code: BETTER,
          overwrite: true,
          test: true,
        });
        expect(refused).toMatchObject({ isError: true, code: 'test_failed' });
        expect(refused.text).toContain(
          'not saved: 1 of 1 examples failed; the first: line 7: >>> filter_high_risk([',
        );
        expect(refused.text).toContain(
          "; expected: [{'id': 3, 'risk': 0.9}, {'id': 2, 'risk': 0.85}]; got: [{'id': 2",
        );
        expect((await server.call('load_skill', { name: 'filter_high_risk' })).data).toMatchObject({
          version: 1,
        });
      },
    );

    test(verifies(
      'SKILLS-2',
      'saved all the same it is a version of its own, told by a test, and is rolled back',
    ), async () => {
      const saved = await server.call('save_skill', { ...FILTER_HIGH_RISK, code: BETTER, overwrite: true });
      expect(saved.text.split('\n')[0]).toBe(
        'ok · saved filter_high_risk version 2 · version 1 is kept (+2 -2 lines)',
      );
      expect(cli('skills', 'test', 'filter_high_risk').status).toBe(1);
      const marked = await server.call('list_skills', {});
      expect(marked.data.skills).toMatchObject([{ version: 2, tests: 'tests 1 of 1 failed' }]);
      const call = `${BY_ID} skills.filter_high_risk(json.load(open("customers.json")))]`;
      expect((await run(call)).result).toEqual([2, 3, 5, 6]);
      expect(cli('skills', 'rollback', 'filter_high_risk', '1').status).toBe(0);
      expect((await run(call)).result).toEqual(RISKY);
      const { data } = await server.call('load_skill', { name: 'filter_high_risk' });
      expect(data).toMatchObject({ version: 3, versions: [3, 2, 1], code: FILTER_HIGH_RISK.code });
    }, 60_000);

    test(
      verifies('SKILLS-3', 'it is found by a question in other words, with and without tools'),
      async () => {
        for (const skill of SKILLS.filter(({ name }) => name !== FILTER_HIGH_RISK.name))
          expect((await server.call('save_skill', skill)).isError).toBe(false);
        const query = 'which customers are risky and need attention';
        const listed = await server.call('list_skills', { query });
        expect((listed.data.skills as { name: string }[])[0]?.name).toBe('filter_high_risk');
        const searched = await server.call('search_tools', { query });
        expect(searched.text).toContain('skill filter_high_risk(rows, limit=0.8): ');
        expect(searched.data.skills).toMatchObject([{ name: 'filter_high_risk' }]);
        const inCode = await run(`[found["name"] for found in skills.search(${JSON.stringify(query)})][0]`);
        expect(inCode.result).toBe('filter_high_risk');
      },
    );

    test(verifies('SKILLS-4', 'every folder is a valid skill by the rules of the format'), () => {
      const validator = path.join(PROJECT_ROOT, 'node_modules', 'skills-ref', 'dist', 'cli.js');
      const names = readdirSync(dir).filter((name) => !name.startsWith('.'));
      expect(names.sort()).toEqual(['filter-high-risk', 'overdue-summary', 'slug']);
      for (const name of names) {
        const { status, stdout, stderr } = spawnSync(
          process.execPath,
          [validator, 'validate', path.join(dir, name)],
          {
            encoding: 'utf8',
          },
        );
        expect([name, status, stderr + (status === 0 ? '' : stdout)]).toEqual([name, 0, '']);
      }
    });

    test(
      verifies('SKILLS-4', 'another client copies the folder and runs it with plain Python'),
      ({ skip }) => {
        if (spawnSync('python3', ['--version']).status !== 0) skip('python3 is not installed');
        const elsewhere = temporary();
        cpSync(path.join(dir, 'filter-high-risk'), elsewhere, { recursive: true });
        const data = path.join(elsewhere, 'customers.json');
        writeFileSync(data, JSON.stringify(CUSTOMERS));
        const { stdout } = spawnSync('python3', [path.join(elsewhere, 'scripts', 'main.py'), data], {
          encoding: 'utf8',
        });
        expect(JSON.parse(stdout).map(({ id }: { id: number }) => id)).toEqual(RISKY);
      },
    );

    test(
      verifies('SKILLS-5', 'another client reads it over the protocol, and every digest holds'),
      async () => {
        const reader = new SkillsClient(server.client);
        const { skill } = await reader.get('skill://filter-high-risk/SKILL.md');
        const code = await reader.read(skill, 'scripts/main.py');
        expect([code.verified, code.text]).toEqual([true, FILTER_HIGH_RISK.code]);
        expect((await reader.list()).skills).toHaveLength(SKILLS.length);
      },
    );

    function cli(...args: string[]) {
      const file = path.join(temporary(), 'config.json');
      writeFileSync(file, JSON.stringify(config));
      const flags = ['--config', file, '--data-dir', server.dataDir];
      return spawnSync(process.execPath, [ENTRY, ...args, ...flags], { encoding: 'utf8' });
    }
  },
);
