import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonParts, JsonRewriter } from '../../../../src/privacy/rewrite/json-rewriter.js';

const upper: JsonParts = {
  longString: async (lexeme) => lexeme,
  string: (text) => (text.startsWith('secret') ? text.toUpperCase() : undefined),
  number: (lexeme) => (lexeme === '42' ? '43' : undefined),
  key: (key) => (key === 'hidden' ? 'shown' : undefined),
};

async function rewrite(pieces: readonly string[], parts = upper): Promise<{ text: string; isJson: boolean }> {
  const rewriter = new JsonRewriter(parts);
  const out = [...pieces.flatMap((piece) => rewriter.feed(piece)), ...rewriter.end()];
  return { text: (await Promise.all(out)).join(''), isJson: rewriter.isJson };
}

describe('rewritten JSON text', () => {
  test('is as it was written but for what is replaced', async () => {
    const text =
      ' {"hidden" : 1.50, "a":[42,"secret \\"x\\"", 123456789012345678901, "\\u0041\\/"], "a": null}\n';
    expect((await rewrite([text])).text).toBe(
      ' {"shown" : 1.50, "a":[43,"SECRET \\"X\\"", 123456789012345678901, "\\u0041\\/"], "a": null}\n',
    );
  });

  test('tells the keys around a string and a number', async () => {
    const seen: unknown[] = [];
    await rewrite(['{"a":{"b":["x",{"c":1}]},"d":"y"}'], {
      longString: async (lexeme) => lexeme,
      string: (text, keys) => void seen.push([text, [...keys]]),
      number: (lexeme, keys) => void seen.push([lexeme, [...keys]]),
      key: () => undefined,
    });
    expect(seen).toEqual([
      ['x', ['a', 'b']],
      ['1', ['a', 'b', 'c']],
      ['y', ['d']],
    ]);
  });

  test('does not depend on where the text is cut', async () => {
    const parts: JsonParts = {
      longString: async (lexeme) => lexeme,
      string: (text) => `<${text}>`,
      number: (lexeme) => `${lexeme}0`,
      key: (key) => `k${key}`,
    };
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.array(fc.nat(40), { maxLength: 8 }), async (json, cuts) => {
        const whole = await rewrite([json], parts);
        const pieces: string[] = [];
        let at = 0;
        for (const length of cuts) {
          pieces.push(json.slice(at, at + length));
          at += length;
        }
        expect(await rewrite([...pieces, json.slice(at)], parts)).toEqual(whole);
        expect(whole.isJson).toBe(true);
      }),
      { numRuns: 200, seed: 4 },
    );
  });

  test('tells when there was text outside the strings', async () => {
    expect((await rewrite(['[INFO] "a"'])).isJson).toBe(false);
    expect((await rewrite(['{"a": true, "b": null, "c": NaN}'])).isJson).toBe(true);
    expect((await rewrite(['["open'])).text).toBe('["open');
  });
});
