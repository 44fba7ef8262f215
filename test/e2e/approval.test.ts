import { withInputRequired } from '@modelcontextprotocol/client';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Office, openOffice } from '../support/office.js';
import { verifies } from './verifies.js';

const DELETE = 'tools.office.delete_customer(name="Ada")';
const CATCH = `
try:
    result = ${DELETE}
except tools.ToolDenied as error:
    result = [error.code, error.tool, str(error)]
`;

describe.each(['legacy', 'auto'] as const)('a call under ask, %s protocol era', (era) => {
  const questions: string[] = [];
  let answer: 'yes' | 'no' | 'unticked' | 'away' = 'yes';
  let thinkMs = 0;
  let office: Office;

  beforeAll(async () => {
    office = await openOffice({
      era,
      async person(question) {
        questions.push(question);
        await new Promise((resolve) => setTimeout(resolve, thinkMs));
        if (answer === 'yes' || answer === 'unticked')
          return { action: 'accept', content: { allow: answer === 'yes' } };
        return { action: answer === 'no' ? 'decline' : 'cancel' };
      },
    });
  });
  beforeEach(() => {
    questions.length = 0;
    thinkMs = 0;
    office.forget();
  });

  test(
    verifies(['TOOLS-6', 'TOOLS-10'], 'is asked with its arguments, and a yes lets through this one call'),
    async () => {
      answer = 'yes';
      const run = await office.run(`tools.office.archive_customer(name="Grace")\n${DELETE}`);
      expect(run.data).toMatchObject({ success: true, result: 'delete_customer Ada' });
      expect(questions).toEqual([
        'The agent\'s code wants to call office.delete_customer (the tool says that it may destroy data).\nArguments: {"name":"Ada"}',
      ]);
      // The code before the question has run once, and so has the call.
      expect(office.reached()).toEqual([
        { tool: 'archive_customer', args: { name: 'Grace' } },
        { tool: 'delete_customer', args: { name: 'Ada' } },
      ]);
    },
  );

  test(verifies('TOOLS-6', 'is asked again for the next call, also for calls in parallel'), async () => {
    answer = 'yes';
    const code = `
later = [tools.office.delete_customer.later(name=name) for name in ("Ada", "Grace", "Alan")]
tools.gather(later)`;
    const run = await office.run(code);
    expect(run.data.result).toEqual(['delete_customer Ada', 'delete_customer Grace', 'delete_customer Alan']);
    expect(questions).toHaveLength(3);
    expect(office.reached()).toHaveLength(3);
  });

  test.each(['no', 'unticked', 'away'] as const)(
    verifies('TOOLS-7', 'that is answered with "%s" is a ToolDenied in code, and nothing is called'),
    async (said) => {
      answer = said;
      const run = await office.run(CATCH);
      expect(run.data.result).toEqual([
        'tool_denied',
        'office.delete_customer',
        'the user declined this call of office.delete_customer; do not try it again; ask the user what to do instead',
      ]);
      expect(office.reached()).toEqual([]);
    },
  );

  test(verifies('TOOLS-9', 'does not use up the time of the run while the person thinks'), async () => {
    answer = 'yes';
    thinkMs = 4_000;
    const run = await office.run(`${DELETE}\nimport time\ntime.sleep(0.5)\n"done"`, { timeout_seconds: 3 });
    expect(run.data.result).toBe('done');
    const late = await office.run(`${DELETE}\nwhile True: pass`, { timeout_seconds: 1 });
    expect(late.code).toBe('timeout');
    expect(office.reached()).toHaveLength(2);
  });

  test(
    verifies('TOOLS-8', 'is refused where nobody can be asked, and the answer says how to allow it'),
    async () => {
      const alone = await openOffice({ era });
      const run = await alone.run(DELETE);
      expect(run.code).toBe('tool_needs_approval');
      expect(run.data.error).toMatchObject({ type: 'ToolNeedsApproval' });
      expect(run.text).toMatch(/this client cannot ask: the tool says that it may destroy data/);
      expect(run.text).toMatch(/^next: .*mcpServers\.office\.tools\.allow: \["delete_customer"\]/m);
      expect(alone.reached()).toEqual([]);
    },
  );
});

describe('request state', () => {
  const shape = withInputRequired(z.looseObject({ isError: z.boolean().optional() }));
  const CODE = `tools.office.archive_customer(name="Grace")\n${DELETE}`;
  type Turn = { requestState?: string; isError?: boolean; structuredContent?: { error?: { code: string } } };

  /** `execute_code` in the manual mode of the modern era. */
  async function turn(more: Record<string, unknown> = {}): Promise<Turn> {
    const params = { name: 'execute_code', arguments: { code: CODE }, ...more };
    const options = { allowInputRequired: true };
    return (await office.server.client.request({ method: 'tools/call', params }, shape, options)) as Turn;
  }
  const yes = { approval: { action: 'accept', content: { allow: true } } };
  let office: Office;
  beforeAll(async () => {
    office = await openOffice({
      era: 'auto',
      manual: true,
      person: () => Promise.reject(new Error('not asked')),
    });
  });
  beforeEach(() => office.forget());

  test(verifies('TOOLS-10', 'is good for one answer: a second one runs nothing'), async () => {
    const { requestState } = await turn();
    const done = await turn({ requestState, inputResponses: yes });
    expect(done.isError ?? false).toBe(false);
    expect(office.reached()).toHaveLength(2);
    const again = await turn({ requestState, inputResponses: yes });
    expect(again.structuredContent?.error?.code).toBe('cancelled');
    expect(office.reached()).toHaveLength(2);
  });

  test(verifies('TOOLS-10', 'that is made up runs nothing, and the question stays open'), async () => {
    const { requestState } = await turn();
    const forged = await turn({ requestState: '0'.repeat(32), inputResponses: yes });
    expect(forged.structuredContent?.error?.code).toBe('cancelled');
    expect(office.reached()).toEqual([{ tool: 'archive_customer', args: { name: 'Grace' } }]);
    await turn({ requestState, inputResponses: yes });
    expect(office.reached()).toHaveLength(2);
  });

  test(verifies('TOOLS-7', 'without an answer is a no'), async () => {
    const { requestState } = await turn();
    const done = await turn({ requestState });
    expect(done.structuredContent?.error?.code).toBe('tool_denied');
    expect(office.reached()).toHaveLength(1);
  });
});
