import { expect, test, vi } from 'vitest';
import { draft, memorySkills } from '../../support/memory-skills.js';
import { gate } from './fake-tools.js';

async function searched(body: Record<string, unknown>): Promise<unknown> {
  const { skills } = memorySkills();
  await skills.save(
    'local',
    draft('filter_high_risk', { description: 'Keeps customers of a high risk.' }),
    {},
  );
  const { send, replies } = gate({ skills });
  send('', body, 1, 'search');
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  return JSON.parse(replies[0]?.text ?? '').value;
}

test('a search for tools in code also finds skills that fit, marked', async () => {
  expect(await searched({ query: 'customers of high risk' })).toEqual([
    {
      name: 'skills.filter_high_risk',
      signature: 'skill filter_high_risk(x, y=1)',
      description: 'Keeps customers of a high risk.',
    },
  ]);
  expect(await searched({ query: 'send a mail' })).toEqual([]);
  expect(await searched({ query: 'customers of high risk', category: 'crm' })).toEqual([]);
});
