import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Office, openOffice } from '../support/office.js';
import { verifies } from './verifies.js';

let office: Office;
const save = (name: string, code: string, more: Record<string, unknown> = {}) =>
  office.server.call('save_skill', { name, code, description: `What ${name} does.`, ...more });
const plain = (name: string) => `def ${name}():\n    return 1\n`;

beforeAll(async () => {
  office = await openOffice();
}, 60_000);

test(
  verifies('SKILLS-6', 'a skill with a secret or personal data is refused with the place, not the value'),
  async () => {
    const key = `AKIA${'IOSFODNN7EXAMPLE'}`;
    const mail = 'jane.roe@corp-mail.com';
    const code = `def report():\n    key = "${key}"\n    return send("${mail}", key)\n`;
    const refused = await save('report', code);
    expect(refused.code).toBe('personal_data');
    expect(refused.text).toContain('EMAIL in line 3 of the code');
    expect(refused.text).toContain('in line 2 of the code');
    expect(refused.text).not.toContain(mail);
    expect(refused.text).not.toContain(key);
    expect((await office.server.call('load_skill', { name: 'report' })).code).toBe('not_found');
  },
);

test.each([
  ['a syntax error', 'def f(:\n    pass', 'syntax_error', 'in line 1: invalid syntax: def f(:'],
  [
    'a return outside of functions',
    'def f():\n    pass\nreturn f',
    'syntax_error',
    "in line 3: 'return' outside function: return f",
  ],
  ['no function', 'x = 1', 'bad_arguments', 'it defines no public function at its top level'],
  ['NUL', 'def f():\n    "\0"', 'bad_arguments', 'NUL character in line 2'],
  ['a megabyte of code', `def f():\n    ${'#'.repeat(1_000_000)}`, 'too_large', 'a skill has 262144 at most'],
  ['nesting without end', `x = ${'-'.repeat(200_000)}1`, 'syntax_error', 'nested too deeply'],
  ['attributes without end', `x = a${'.b'.repeat(100_000)}`, 'too_large|syntax_error', ''],
])(
  verifies('SKILLS-7', '%s is refused with what is wrong, and the server goes on'),
  async (_, code, kind, words) => {
    const refused = await save('f', code);
    // What a parser cannot take differs between Pythons.
    expect(refused.isError).toBe(true);
    expect(kind.split('|')).toContain(refused.code);
    expect(refused.text).toContain(words);
    expect(refused.text).toMatch(/\nnext: /);
  },
);

test(
  verifies('SKILLS-7', 'a huge constant expression is kept and costs nothing before it is run'),
  async () => {
    const saved = await save('huge', 'def huge():\n    return 9 ** 9 ** 9, "a" * 10 ** 12\n');
    expect(saved.isError).toBe(false);
    expect((await office.run('from skills import huge\n"imported"')).data.result).toBe('imported');
  },
);

test.each([
  ['of a module', 'json'],
  ['that is a keyword', 'class'],
  ['of a ready name', 'tools'],
  ['with a dot', 'a.b'],
  ['of a path', '../x'],
  ['with two hyphens', 'a--b'],
  ['with letters beyond ASCII', 'naïve_bayes'],
  ['with a letter that looks like another', 'p\u0430y'],
  ['in capitals', 'Upper'],
  ['of 300 letters', 'x'.repeat(300)],
  ['without letters', ''],
])(verifies('SKILLS-9', 'a name %s is refused with what to do'), async (_, name) => {
  const refused = await save(name, plain('f'));
  expect(refused.isError).toBe(true);
  expect(refused.code).toBe(name === '' ? 'bad_arguments' : 'bad_name');
  expect(refused.text).toMatch(/\nnext: /);
});

test(
  verifies('SKILLS-9', 'a skill in a session never replaces a module of the standard library'),
  async () => {
    await save('csv_tools', plain('csv_tools'));
    const { data } = await office.run(
      'import csv, json\nfrom skills import csv_tools\n[csv.__name__, json.__name__, csv_tools.__name__]',
    );
    expect(data.result).toEqual(['csv', 'json', 'skills.csv_tools']);
  },
);

test(
  verifies('SKILLS-8', 'a skill calls tools and other skills, and says what of it is missing'),
  async () => {
    await save('double', 'def double(x):\n    return 2 * x\n');
    const code =
      'import tools\nfrom skills import double\n\n\ndef main(n):\n    return double(tools.office.add(first=n, second=1)["sum"])\n\n\n' +
      'def other():\n    return tools.gone.away()\n';
    const saved = await save('mixed', code);
    expect(saved.data).toMatchObject({
      requires_tools: ['gone.away', 'office.add'],
      missing: ['gone.away'],
    });
    expect((await office.run('skills.mixed(4)')).data.result).toBe(10);
    const loaded = await office.server.call('load_skill', { name: 'mixed' });
    expect(loaded.data).toMatchObject({
      requires_tools: ['gone.away', 'office.add', 'skills.double'],
      missing_tools: ['gone.away'],
    });
  },
);

test(verifies('SKILLS-8', 'skills that import each other are told by name'), async () => {
  await save('ping', 'from skills import pong\n\ndef ping():\n    return pong()\n');
  await save('pong', 'from skills import ping\n\ndef pong():\n    return ping()\n');
  const { text } = await office.run('from skills import ping');
  expect(text).toContain('skills import each other in a circle: ping -> pong -> ping');
});

test(verifies('SKILLS-8', 'the traceback of a failing skill shows its own lines'), async () => {
  await save('broken', 'def broken(x):\n    return 1 / x\n');
  const { text, data } = await office.run('from skills import broken\nbroken(0)');
  expect(text).toContain('File "skills/broken.py", line 2, in broken\n    return 1 / x');
  expect((data.error as { line: number }).line).toBe(2);
});

test(
  verifies('SKILLS-10', 'code saves what it has just used; version, run and time are kept and logged'),
  async () => {
    const { data } = await office.run(
      'def area(r):\n    "The area of a circle."\n    return round(math.pi * r * r, 2)\n\n' +
        'saved = save_skill("circle_area", area, tags=["geometry"])\n[saved["version"], skills.circle_area(1)]',
    );
    expect(data).toMatchObject({ result: [1, 3.14], notes: ['saved the skill circle_area (version 1)'] });
    const loaded = await office.server.call('load_skill', { name: 'circle_area' });
    expect(loaded.data).toMatchObject({ description: 'The area of a circle.', version: 1 });
    expect(loaded.data.origin).toMatch(/^saved \d{4}-\d\d-\d\d by local, run [0-9a-f]{8}$/);
    const log = path.join(office.server.dataDir, 'audit', 'skills.jsonl');
    const lines = () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [];
    await expect
      .poll(() => lines().find(({ skill }) => skill === 'circle_area'))
      .toMatchObject({
        event: 'save',
        principal: 'local',
        version: 1,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
  },
);

test(
  verifies('SKILLS-10', 'an overwrite without saying so is refused with the size of the change'),
  async () => {
    await save('twice', plain('twice'));
    const refused = await save('twice', 'def twice():\n    return 2\n');
    expect(refused.code).toBe('exists');
    expect(refused.text).toContain(
      '(version 1), and this code differs by +1 -1 lines\nnext: pass overwrite: true',
    );
    const missing = await office.server.call('load_skill', { name: 'twice', version: 9 });
    expect(missing.code).toBe('not_found');
  },
);

test(verifies('SKILLS-3', 'tools.search in code finds skills that fit as well as the tools'), async () => {
  await save('top_invoices', 'def top_invoices(rows, n=3):\n    return rows[:n]\n', {
    description: 'The largest invoices of a customer, ordered by amount.',
  });
  const { data } = await office.run(
    '[found["name"] for found in tools.search("largest invoices ordered by amount")]',
  );
  expect(data.result).toContain('skills.top_invoices');
});
