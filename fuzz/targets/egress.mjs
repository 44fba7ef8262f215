// @ts-check
/** The filter before the model: src/privacy/egress/ over facts of any shape. */
import fc from 'fast-check';
import { edited, hostileText, hostileValue, objectOf } from '../support/hostile.mjs';
import { insist, insistUnpolluted } from '../support/oracle.mjs';
import { openPrivacy } from '../support/privacy-parts.mjs';

const CRM = /** @type {const} */ ({ kind: 'tool', server: 'crm' });
const MAIL = 'canary.person@example.org';
const CARD = '4111 1111 1111 1111';

/** @returns {Promise<import('../support/campaign.mjs').Target<unknown>>} */
export async function open() {
  const { engine, close } = await openPrivacy();
  const vault = await engine.vaults.of('anna');
  vault.tokenOf('EMAIL', MAIL, CRM);
  vault.tokenOf('CREDIT_CARD', CARD, CRM);
  return {
    promise:
      'facts of any shape pass it, keep their shape and some length, and no known value leaves as it is, in another case, or encoded',
    runs: 60,
    input,
    async check(facts) {
      const before = JSON.stringify(facts) ?? '';
      const shown = await engine.guard.filter('anna', facts);
      const after = JSON.stringify(shown) ?? '';
      insist((JSON.stringify(facts) ?? '') === before, 'the facts themselves were changed');
      const plain = after.toLowerCase();
      for (const form of FORMS) insist(!form.test(plain), () => `${form} left in ${after.slice(0, 500)}`);
      insist(after.length <= 30 * before.length + 500, 'many times the length');
      insist(kindsOf(shown) === kindsOf(facts), 'another shape');
      insistUnpolluted();
    },
    close,
  };
}

/** Digits that go on around a card are another number, as design/privacy-egress.md says. */
const FORMS = [
  MAIL.replaceAll('.', '\\.'),
  `(?<![\\d.][ -]?)${CARD.replaceAll(' ', '[ -]?')}(?![ -]?[\\d.])`,
  Buffer.from(MAIL).toString('hex'),
  Buffer.from(MAIL).toString('base64').toLowerCase(),
].map((form) => new RegExp(form));

/** Kinds and lengths of what is nested, down to a few levels. Numbers may become numbers, texts texts. @param {unknown} value @returns {string} */
function kindsOf(value, levels = 5) {
  if (Array.isArray(value))
    return levels === 0 ? '[' : `[${value.map((one) => kindsOf(one, levels - 1)).join()}]`;
  if (typeof value === 'object' && value !== null)
    return levels === 0
      ? '{'
      : `{${Object.values(value)
          .map((one) => kindsOf(one, levels - 1))
          .join()}}`;
  return typeof value;
}

const hidden = fc.constantFrom(
  MAIL,
  MAIL.toUpperCase(),
  [...MAIL].join('-'),
  [...MAIL].join('\u200b'),
  MAIL.replace('.', '.\n'),
  Buffer.from(MAIL).toString('base64'),
  Buffer.from(MAIL).toString('hex'),
  [...MAIL].reverse().join(''),
  `;${CARD};`,
  `;${CARD.replaceAll(' ', '')};`,
  `;${CARD.replaceAll(' ', '-')};`,
  JSON.stringify({ mail: MAIL }),
  '%63anary.person%40example.org',
);
const around = fc.constantFrom('', ' ', '\n', ', ', '<', '>', '"', '\\n', ': ', 'mail=');
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: hidden },
      { weight: 3, arbitrary: around },
      { weight: 2, arbitrary: hostileText },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));
const leaf = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: hostileValue },
  { weight: 1, arbitrary: edited(hidden) },
);
const value = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 5 }),
  objectOf(fc.oneof(fc.constantFrom('mail', '__proto__'), hostileText, hidden), leaf),
);
/** @type {fc.Arbitrary<unknown>} */
const input = fc.oneof(
  fc.record({
    report: fc.record({
      output: fc.record({ head: text, tail: text }),
      notes: fc.array(text, { maxLength: 2 }),
    }),
    value: fc.record({ type: fc.constant('dict'), value }),
  }),
  fc.record({ text, value: fc.record({ value }) }),
);
