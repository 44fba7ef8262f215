// @ts-check
/** Text and values on their way to the model: src/server/visible-text.ts, visible-value.ts and summary/. */
import fc from 'fast-check';
import { presentOutput } from '../../dist/server/present-output.js';
import { parseValue } from '../../dist/server/summary/parse-value.js';
import { presentValue } from '../../dist/server/summary/present-value.js';
import { visibleLine, visibleText } from '../../dist/server/visible-text.js';
import { visibleValue } from '../../dist/server/visible-value.js';
import { edited, hostileText, hostileValue, objectOf } from '../support/hostile.mjs';
import { insist, insistUnpolluted } from '../support/oracle.mjs';
import { insistShowable, isHidden } from '../support/showable.mjs';

/** @typedef {{ text: string, json: string, type: string, chars: number, tail: string }} Shown */

/** @returns {Promise<import('../support/campaign.mjs').Target<Shown>>} */
export async function open() {
  return {
    promise:
      'any text and any value is laid out within its length, with nothing that a reader would not see, and the same when done twice',
    runs: 300,
    input,
    check,
  };
}

/** @param {Shown} shown */
async function check({ text, json, type, chars, tail }) {
  const visible = visibleText(text);
  insist(visibleText(visible) === visible, 'a text that is visible was changed');
  insist(!isHidden(visible) && !visible.includes('\r'), 'something active is left');
  insist(!/[\n\t\r]/.test(visibleLine(text)), 'a line of several lines');

  const value = parseValue(json);
  for (const most of [chars, Number.POSITIVE_INFINITY]) insistVisible(visibleValue(value, most), most);
  const presented = await presentValue(
    { type, value, chars: json.length },
    chars,
    async () => 'whole value: in a file',
  );
  insistShowable(presented.text, presented.structured, Math.max(400, chars) + 200);

  const output = {
    head: text,
    tail,
    bytes: Buffer.byteLength(text + tail),
    lines: (text + tail).split('\n').length,
  };
  const printed = await presentOutput(output, chars, async () => ({ words: 'in a file' }));
  insistShowable(printed.text, printed.title, chars + 100);
  insistUnpolluted();
}

/** @param {unknown} value @param {number} most */
function insistVisible(value, most) {
  const json = JSON.stringify(value);
  insist(
    json === undefined || json.length <= 8 * most + 5_000,
    () => `${json?.length} characters for ${most}`,
  );
  insist(json === undefined || !isHidden(json.replaceAll('\\r', '')), 'something active is left in a value');
}

const json = fc.oneof(
  { weight: 4, arbitrary: hostileValue.map((value) => JSON.stringify(value) ?? 'null') },
  {
    weight: 2,
    arbitrary: fc
      .array(
        objectOf(
          fc.constantFrom('id', 'name', '__proto__', 'a\nb'),
          fc.oneof(hostileText, fc.integer(), hostileValue),
        ),
        { minLength: 2, maxLength: 12 },
      )
      .map((rows) => JSON.stringify(rows)),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 2 ** 30 }), { maxLength: 5 })
      .map((all) => `[${all.map((one) => `${one}${one}${one}`).join()}]`),
  },
);
/** @type {fc.Arbitrary<Shown>} */
const input = fc.record({
  text: fc.oneof(
    hostileText,
    edited(hostileText),
    fc.tuple(hostileText, fc.constantFrom(1, 50, 400)).map(([one, times]) => one.repeat(times)),
  ),
  json: fc.oneof({ weight: 3, arbitrary: json }, { weight: 1, arbitrary: edited(json) }),
  type: fc.oneof(fc.constantFrom('dict', 'list', 'DataFrame'), hostileText),
  chars: fc.constantFrom(200, 1_000, 8_000),
  tail: fc.oneof(fc.constant(''), hostileText),
});
