import { z } from 'zod';
import { answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { count } from '../quantities.js';
import { checkText, privacyOf } from './privacy-text.js';

/** Replaces personal data in a text by tokens that stand for the values at tool calls. */
export const sanitizePii = defineTool({
  name: 'sanitize_pii',
  title: 'Replace personal data by tokens',
  description:
    'Replace e-mails, phones, names, addresses, ids, cards, secrets ... in a text by tokens such as PIIEMAIL.... Passed to a tool from code, a token becomes its value again.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ text: z.string().describe('Any text: prose, JSON, CSV ...') }),
  output: z.object({
    sanitized_text: z.string(),
    pii_found: z.number().int(),
    pii_types: z.record(z.string(), z.number()),
  }),
  async handle({ text }, { deps, principal }) {
    const privacy = privacyOf(deps);
    checkText(text);
    const { text: sanitised, types } = await privacy.sanitise(principal, text);
    const found = Object.values(types).reduce((sum, n) => sum + n, 0);
    return answer({ sanitized_text: sanitised, pii_found: found, pii_types: { ...types } }, (shown) => ({
      text: `ok · ${found === 0 ? 'nothing found' : `${count(found)} replaced (${listed(types)})`}\n${shown.sanitized_text}`,
      structured: shown,
    }));
  },
});

function listed(types: Readonly<Record<string, number>>): string {
  return Object.entries(types)
    .map(([type, n]) => `${type} ${n}`)
    .join(', ');
}
