import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Office, openOffice } from '../support/office.js';
import { verifies } from './verifies.js';

const FAKE = fileURLToPath(new URL('../support/fake-servers/fake-server.mjs', import.meta.url));

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
beforeEach(() => office.forget());

/** The value of `expression`, or `[class, code, text]` of the ToolError that it raises. */
async function attempt(expression: string, of = office): Promise<unknown> {
  const { data, text } = await of.run(`
try:
    result = ${expression}
except tools.ToolError as error:
    result = [type(error).__name__, error.code, str(error)]`);
  expect(data.success, text).toBe(true);
  return data.result;
}

describe('policy', () => {
  let ruled: Office;
  beforeAll(async () => {
    ruled = await openOffice({
      rules: { deny: ['purge_*'], ask: ['archive_?ustomer'], allow: ['delete_*', 'purge_*'] },
    });
  });

  test(verifies('TOOLS-11', 'deny comes before allow, and says so'), async () => {
    expect(await attempt('tools.office.purge_archive()', ruled)).toEqual([
      'ToolDenied',
      'tool_denied',
      'office.purge_archive is not allowed: the configuration denies it; use another tool, or ask the user',
    ]);
  });

  test(verifies('TOOLS-11', 'a tool under ask is asked about, whatever its hints'), async () => {
    expect(await attempt('tools.office.archive_customer(name="Ada")', ruled)).toEqual([
      'ToolNeedsApproval',
      'tool_needs_approval',
      expect.stringContaining('the configuration lists it under ask'),
    ]);
  });

  test(verifies('TOOLS-11', 'allow lets through what says that it destroys'), async () => {
    expect(await attempt('tools.office.delete_customer(name="Ada")', ruled)).toBe('delete_customer Ada');
  });

  test(verifies(['TOOLS-2', 'TOOLS-11'], 'a definition tells what the policy would say'), async () => {
    const policy = async (tool_name: string) =>
      (await ruled.server.call('get_tool_definition', { tool_name })).data.policy;
    expect(await policy('office.purge_archive')).toBe('deny');
    expect(await policy('office.archive_customer')).toBe('ask');
    expect(await policy('office.delete_customer')).toBe('allow');
    expect(await policy('office.add')).toBe('allow');
  });
});

describe('names and arguments', () => {
  test.each([
    ['tools.office.delete_custmer(name="Ada")', 'office.delete_customer'],
    ['tools.offce.add(first=1, second=2)', 'office.add'],
    ['tools.call("office/ad", {})', 'office.add'],
  ])(verifies('TOOLS-12', '%s names %s'), async (code, near) => {
    expect(await attempt(code)).toEqual([
      'ToolNotFound',
      'tool_unknown',
      expect.stringMatching(
        new RegExp(`^there is no tool ".+"; did you mean ${near.replace('.', '\\.')}\\b`),
      ),
    ]);
    const unknown = await office.server.call('get_tool_definition', { tool_name: 'office.delete_custmer' });
    expect(unknown.code).toBe('tool_unknown');
    expect(unknown.text).toMatch(/^next: did you mean office\.delete_customer\b/m);
    expect(office.reached()).toEqual([]);
  });

  test.each<[string, RegExp]>([
    ['tools.office.add(frist=1, second=2)', /unexpected keyword argument 'frist'.*first/],
    ['tools.office.add(1)', /missing.*'second'/],
    ['tools.office.add(1, 2, 3)', /takes 2 positional arguments but 3 were given/],
    ['tools.office.add("one", 2)', /first.*(number|float)/],
    ['tools.office.add(object(), 2)', /argument 1 of office\.add/],
  ])(verifies('TOOLS-13', '%s raises a TypeError before anything is sent'), async (code, text) => {
    const run = await office.run(`
try:
    ${code}
except TypeError as error:
    result = str(error)`);
    expect(run.data.result).toMatch(text);
    expect(office.reached()).toEqual([]);
  });

  test(verifies('TOOLS-4', 'positional and keyword arguments arrive by their names'), async () => {
    const code = '[tools.office.add(1, second=2)["sum"], (await tools.office.add(second=4, first=3))["sum"]]';
    expect((await office.run(code)).data.result).toEqual([3, 7]);
    expect(office.reached()).toEqual([
      { tool: 'add', args: { first: 1, second: 2 } },
      { tool: 'add', args: { first: 3, second: 4 } },
    ]);
  });
});

describe('a run', () => {
  test(verifies('TOOLS-14', 'makes 100 calls, and the next one is call_budget'), async () => {
    const code = `
done = 0
try:
    for i in range(101):
        done += tools.office.add(i, 1)["sum"] - i
except tools.CallBudgetSpent as error:
    result = [done, error.code]`;
    expect((await office.run(code)).data.result).toEqual([100, 'call_budget']);
    expect(office.reached()).toHaveLength(100);
    expect(await attempt('tools.office.add(1, 1)')).toEqual({ sum: 2 });
  });

  test(verifies('TOOLS-15', 'survives a server that dies, which is started again'), async () => {
    const code = `
import time
try:
    tools.office.crash()
except tools.ToolUnavailable as error:
    seen = [error.code, error.retryable, error.tool]
for _ in range(40):
    try:
        again = tools.office.add(2, 3)["sum"]
        break
    except tools.ToolUnavailable:
        time.sleep(0.25)
result = [seen, again]`;
    const run = await office.run(code);
    expect(run.data.result).toEqual([['tool_unavailable', true, 'office.crash'], 5]);
    // A call that may have taken effect is not repeated by us.
    expect(office.reached().filter(({ tool }) => tool === 'crash')).toHaveLength(1);
  });

  test(verifies('TOOLS-16', 'is told when a tool has gone, and the others go on'), async () => {
    const own = await openOffice();
    const code = `
import time
before = tools.office.archive_customer(name="Ada")
tools.office.retire_archive()
for _ in range(40):
    try:
        tools.office.archive_customer(name="Ada")
    except tools.ToolNotFound as error:
        after = error.code
        break
    except tools.ToolError:
        pass
    time.sleep(0.1)
result = [before, after, tools.office.add(1, 1)["sum"]]`;
    expect((await own.run(code)).data.result).toEqual(['archive_customer Ada', 'tool_unknown', 2]);
  });

  test(verifies('TOOLS-17', 'gets a result of 40 MB whole'), async () => {
    const code =
      'rows = tools.office.export_rows(megabytes=40)["rows"]\n[len(rows), rows[-1]["name"], sum(r["due"] for r in rows)]';
    const run = await office.run(code, { timeout_seconds: 120, memory_mb: 512 });
    expect(run.text).toMatch(/^ok/);
    const [count, name, due] = run.data.result as [number, string, number];
    expect(count).toBe(
      Math.ceil(
        40e6 / (JSON.stringify({ id: 1, name, town: 'London', due: 18450.75, paid: false }).length + 1),
      ),
    );
    expect(name).toBe('Ada Lovelace');
    expect(due).toBe(18450.75 * count);
  }, 180_000);

  test(verifies('TOOLS-17', 'is told the limit when a result is over it'), async () => {
    const run = await office.run('tools.office.export_rows(megabytes=80)', { timeout_seconds: 120 });
    expect(run.text).toMatch(/too.large|the most is/);
    expect(run.text).toMatch(/^next: ask .*less/m);
    expect(await attempt('tools.office.add(1, 1)')).toEqual({ sum: 2 });
  }, 180_000);

  test(verifies('TOOLS-18', 'saves an image into the workspace'), async () => {
    const code =
      'image = tools.office.portrait(name="Ada")\n[image.mime_type, image.save("ada.png"), len(image.data)]';
    const run = await office.run(code);
    expect(run.data.result).toEqual(['image/png', 'ada.png', 70]);
    expect(run.data.files_changed).toMatchObject([{ path: 'ada.png', change: 'created', size: 70 }]);
    const { raw } = await office.server.call('read_workspace_file', { filename: 'ada.png' });
    expect(raw.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
  });

  test(verifies('TOOLS-19', 'passes on the progress of a tool'), async () => {
    const seen: (string | undefined)[] = [];
    const args = { code: 'tools.office.recount(ms=1500, steps=3)' };
    const onprogress = ({ message }: { message?: string | undefined }) => seen.push(message);
    const run = await office.server.call('execute_code', args, { onprogress });
    expect(run.data.result).toBe('counted');
    expect(seen.some((message) => /drawer 2/.test(message ?? ''))).toBe(true);
  });

  test(verifies('TOOLS-19', 'that is cancelled cancels its calls at their server'), async () => {
    const abort = new AbortController();
    const args = { code: 'tools.office.recount(ms=30000)' };
    const run = office.server.call('execute_code', args, { signal: abort.signal });
    await expect.poll(() => office.reached()[0]?.tool, { timeout: 20_000 }).toBe('recount');
    abort.abort();
    await expect(run).rejects.toThrow();
    await expect.poll(() => office.reached()[1], { timeout: 20_000 }).toHaveProperty('cancelled');
  });

  test(verifies('TOOLS-19', 'whose time is up in a call cancels that call'), async () => {
    const run = await office.run('tools.office.recount(ms=30000)', { timeout_seconds: 2 });
    expect(run.code).toBe('timeout');
    expect(run.data.tool_calls).toMatchObject([{ tool: 'office.recount', ok: false }]);
    await expect.poll(() => office.reached()[1], { timeout: 20_000 }).toHaveProperty('cancelled');
  });

  test(verifies('TOOLS-20', 'leaves a line for each call in the audit log'), async () => {
    await attempt('tools.office.add(20, 22)');
    const file = path.join(office.server.dataDir, 'audit', 'tool-calls.jsonl');
    const last = () => JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '');
    await expect.poll(last).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      run: expect.stringMatching(/^[0-9a-f]{8}$/),
      principal: expect.any(String),
      tool: 'office.add',
      argumentHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      ms: expect.any(Number),
      chars: expect.any(Number),
      outcome: 'ok',
    });
  });
});

test(
  verifies(
    'TOOLS-21',
    'servers that are missing, end or hang are each named once, and those that flood or make noise stop no other',
  ),
  async () => {
    const fake = (behaviour: string) => ({ command: process.execPath, args: [FAKE, behaviour] });
    const more = {
      missing: { command: 'no-such-program-here' },
      ends: fake('exit'),
      hangs: fake('hang'),
      floods: fake('flood'),
      unset: { command: process.execPath, args: ['${NO_SUCH_VARIABLE_HERE}'] },
      noisy: fake('noise'),
    };
    const among = await openOffice({ more });
    const found = await among.server.call('search_tools', { query: 'add two numbers' });
    expect((found.data.tools as { name: string }[])[0]?.name).toBe('office.add');
    const named = (found.data.problems as { server: string; message: string }[]).map(({ server }) => server);
    // The flood may be noticed after the server has listed its tools.
    expect(named.filter((server) => server !== 'floods').sort()).toEqual([
      'ends',
      'hangs',
      'missing',
      'unset',
    ]);
    for (const server of named) expect(found.text.match(new RegExp(`\\b${server} \\(`, 'g'))).toHaveLength(1);
    expect(found.text).not.toContain('hunter22');
    expect(await attempt('tools.office.add(1, 1)', among)).toEqual({ sum: 2 });
    expect(await attempt('tools.noisy.echo(word="hello")', among)).toEqual({ word: 'hello' });
  },
);
