import { z } from 'zod';
import type { RestoreQuestion } from '../../privacy/privacy.js';
import { answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { count } from '../quantities.js';
import type { ToolContext } from '../server-deps.js';
import { visibleLine } from '../visible-text.js';
import { checkText, privacyOf } from './privacy-text.js';

/** Tokens named one by one in the text; all are in the structure. */
const MAX_NAMED = 10;

/** Shows values in place of tokens, where the configuration lets the model see them. */
export const restorePii = defineTool({
  name: 'restore_pii',
  title: 'Show the values of tokens',
  description:
    'Show the values behind tokens, as far as you may see them: always what you sent yourself; what tools returned only if the user or the configuration allows. Not needed to pass a token to a tool.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ text: z.string().describe('Text with tokens') }),
  output: z.object({
    restored_text: z.string(),
    restored: z.number().int(),
    not_restored: z.array(z.object({ token: z.string(), reason: z.string() })),
  }),
  async handle({ text }, context) {
    const privacy = privacyOf(context.deps);
    checkText(text);
    const result = await privacy.restore(context.principal, text, askThrough(context));
    const facts = {
      restored_text: result.text,
      restored: result.restored,
      not_restored: result.notRestored.map(({ token, reason }) => ({ token, reason })),
    };
    return answer(facts, (shown) => ({ text: textOf(shown), structured: shown }));
  },
});

type Shown = {
  restored_text: string;
  restored: number;
  not_restored: { token: string; reason: string }[];
};

function textOf({ restored_text, restored, not_restored }: Shown): string {
  const named = not_restored
    .slice(0, MAX_NAMED)
    .map(({ token, reason }) => `not restored: ${visibleLine(token)}: ${visibleLine(reason)}`);
  const more = not_restored.length - named.length;
  return [
    `ok · ${count(restored)} restored${not_restored.length === 0 ? '' : `, ${count(not_restored.length)} not`}`,
    ...named,
    ...(more > 0 ? [`... ${count(more)} more`] : []),
    restored_text,
  ].join('\n');
}

/** The person answers the same form as for a call of a tool. */
function askThrough({ approve }: ToolContext): ((question: RestoreQuestion) => Promise<boolean>) | undefined {
  if (!approve) return undefined;
  return async ({ types, servers }) => {
    const what = Object.entries(types).map(([type, n]) => `${n} ${type}`);
    const from = servers.length === 0 ? '' : ` that came from ${servers.join(', ')}`;
    const answered = await approve({
      tool: 'restore_pii',
      argumentsText: what.join(', '),
      reason: `it would show the model personal data${from}`,
    });
    return answered === 'approved';
  };
}
