// @ts-check
/** Tokens: src/privacy/rewrite/ and vault/ give back what was taken, to whom it belongs, and nothing for a forged token. */
import fc from 'fast-check';
import { restoreValue } from '../../dist/privacy/rewrite/restore-value.js';
import { edited, hostileText, hostileValue, objectOf } from '../support/hostile.mjs';
import { insist, insistUnpolluted, sameJson } from '../support/oracle.mjs';
import { openPrivacy } from '../support/privacy-parts.mjs';

/** @typedef {{ text: string, forged: string, args: unknown }} Asked */

const CRM = /** @type {const} */ ({ kind: 'tool', server: 'crm' });
/** The value of the token that forgers start from. */
const SECRET = 'canary.person@example.org';
/** Stands for that token in generated input. */
const TOKEN = '\u{1f511}';

/** @returns {Promise<import('../support/campaign.mjs').Target<Asked>>} */
export async function open() {
  const { engine, close } = await openPrivacy();
  const { guard, vaults } = engine;
  const [anna, bert] = [await vaults.of('anna'), await vaults.of('bert')];
  const tokens = {
    text: anna.tokenOf('EMAIL', SECRET, CRM),
    number: anna.numberTokenOf('SSN', '123456789', CRM),
  };
  const filled = (/** @type {string} */ text) => text.replaceAll(TOKEN, tokens.text);
  return {
    promise:
      'what is sanitised comes back to the letter, JSON stays JSON, and a forged or foreign token is never more than its letters',
    runs: 80,
    input,
    async check({ text: raw, forged, args }) {
      const text = filled(raw);
      const sanitised = await guard.sanitise('anna', text);
      insist(anna.restore(sanitised.text, () => true).text === text, 'another text when all is restored');
      const back = await guard.restore('anna', sanitised.text);
      insist(
        back.text === text,
        () => `came back as ${JSON.stringify(back.text)} by way of ${JSON.stringify(sanitised.text)}`,
      );
      insist(sanitised.text.length <= 40 * text.length + 100, 'a sanitised text of many times its length');
      if (isJson(text)) insist(isJson(sanitised.text), 'JSON became none');

      const wrong = filled(forged);
      const foreign = await guard.restore('bert', wrong);
      insist(foreign.text === wrong && foreign.restored === 0, 'a token of another was restored');
      if (anna.tokensIn(wrong).length === 0)
        insist(anna.restore(wrong, () => true).text === wrong, 'a forged token was restored');
      const shown = await guard.restore('anna', wrong);
      insist(!shown.text.includes(SECRET), 'the model was shown what it never sent');

      const value = mapStrings(args, filled);
      const forBert = restoreValue(value, bert, () => true);
      insist(forBert.value === value && forBert.restored.length === 0, 'arguments of another were restored');
      const refused = restoreValue(value, anna, () => false);
      insist(sameJson(refused.value, value), 'arguments were changed though nothing may be restored');
      insist(
        restoreValue(value, anna, () => true).restored.every(({ type }) => type === 'EMAIL'),
        'a token of another type',
      );
      insistUnpolluted();
    },
    close,
  };
}

/** @param {string} text */
function isJson(text) {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {unknown} value @param {(text: string) => string} map @returns {unknown} */
function mapStrings(value, map) {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null || depthOf(value) > 100) return value;
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, map));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, map)]));
}

/** @param {unknown} value */
function depthOf(value) {
  let depth = 0;
  for (let at = value; typeof at === 'object' && at !== null; at = Object.values(at)[0]) depth += 1;
  return depth;
}

const personal = fc.constantFrom(
  'jane.doe@example.org',
  '4111 1111 1111 1111',
  '123-45-6789',
  '+49 30 901820',
  'DE89 3704 0044 0532 0130 00',
  'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'Dr. Jane Doe',
  '12 Old Lane, Springfield',
  '192.168.1.17',
  'https://user:secret@host/x',
  'password: hunter22x',
  '1985-04-12',
);
const tokenish = fc.oneof(
  fc.constantFrom(
    TOKEN,
    TOKEN,
    `${TOKEN}x`,
    `p${TOKEN}`,
    '8123456789012345',
    'PIIEMAIL0000000000000',
    'PII',
    'pii',
    'PIIEMAIL0007K7Q2XD',
  ),
  fc.stringMatching(/^PIIEMAIL\d[0-9A-HJKMNP-TV-Z]{12}$/),
  fc.stringMatching(/^8\d{15}(?:\.0)?$/),
);
const piece = fc.oneof(
  { weight: 3, arbitrary: personal },
  { weight: 2, arbitrary: tokenish },
  { weight: 2, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ' ',
      '\n',
      ', ',
      ': ',
      '"',
      '\\',
      '\\n',
      '{"email": "',
      '"}',
      '[',
      ']',
      '1.50',
      '\t',
      '=',
      '%40',
    ),
  },
);
const prose = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const record = objectOf(
  fc.constantFrom('email', 'ssn', 'name', 'account', '__proto__', 'note'),
  fc.oneof(prose, personal, fc.integer(), hostileValue),
);
const json = record.map((value) => JSON.stringify(value));
/** @type {fc.Arbitrary<Asked>} */
const input = fc.record({
  text: fc.oneof(
    { weight: 4, arbitrary: prose },
    { weight: 2, arbitrary: json },
    { weight: 1, arbitrary: json.map((text) => JSON.stringify({ inner: text })) },
    { weight: 1, arbitrary: edited(prose) },
  ),
  forged: fc.oneof(
    edited(fc.constant(TOKEN)),
    prose,
    fc.array(tokenish, { maxLength: 4 }).map((all) => all.join('')),
  ),
  args: fc.oneof(
    record,
    objectOf(
      fc.constantFrom('to', 'content'),
      fc.oneof(
        json,
        prose.map((text) => Buffer.from(text).toString('base64')),
      ),
    ),
  ),
});
