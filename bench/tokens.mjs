// @ts-check
import { llmTokens } from '../scripts/support/tokens.mjs';
import { withServer } from './support/bench-server.mjs';

const LIST_BAR = 1650;
const INSTRUCTIONS_BAR = 400;

/** What a client's model pays before the first call. @returns {Promise<import('./support/measure.mjs').Result>} */
export async function bench() {
  return withServer({}, async ({ client }) => {
    const { tools } = await client.listTools();
    const forModel = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const list = llmTokens(JSON.stringify(forModel));
    const instructions = llmTokens(client.getInstructions() ?? '');
    return {
      title: 'LLM tokens of the tool list',
      notes: [
        'o200k; name, description and input schema of every tool, as clients put them into the prompt.',
      ],
      rows: [
        {
          name: 'tools/list without output schemas',
          value: list,
          unit: 'tokens',
          bar: `<= ${LIST_BAR}`,
          held: list <= LIST_BAR,
        },
        { name: 'tools/list with everything', value: llmTokens(JSON.stringify(tools)), unit: 'tokens' },
        {
          name: 'instructions',
          value: instructions,
          unit: 'tokens',
          bar: `<= ${INSTRUCTIONS_BAR}`,
          held: instructions <= INSTRUCTIONS_BAR,
        },
      ],
      data: Object.fromEntries(forModel.map((tool) => [tool.name, llmTokens(JSON.stringify(tool))])),
    };
  });
}
