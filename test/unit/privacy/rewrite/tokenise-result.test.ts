import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../../src/core/tool.js';
import { tokeniseResult } from '../../../../src/privacy/rewrite/tokenise-result.js';
import { replacing, restored } from './open-vault.js';

const MAIL = 'jane.doe@example.org';

function large(text: string, pieceBytes: number): ToolResult {
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) parts.push(bytes.subarray(at, at + pieceBytes));
  return { isError: false, content: [], large: { parts, bytes: bytes.length } };
}

function textOf(result: ToolResult): string {
  return Buffer.concat([...(result.large?.parts ?? [])]).toString();
}

describe('a tool result for strict mode', () => {
  test('has tokens in structure, texts, resources, links and text inside base64', async () => {
    const using = await replacing();
    const base64 = Buffer.from(`contact ${MAIL}`).toString('base64');
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 250, 251]).toString('base64');
    const result = await tokeniseResult(
      {
        isError: false,
        structured: { mail: MAIL, file: base64, [MAIL]: 1, ssn: 123456789 },
        content: [
          { type: 'text', text: `{"mail": "${MAIL}", "price": 1.50}` },
          { type: 'text', text: `[INFO] wrote to ${MAIL}` },
          { type: 'resource', uri: `mail:${MAIL}`, text: MAIL, blob: base64 },
          { type: 'resource', uri: 'x:1', blob: picture },
          { type: 'resource_link', uri: `mail:${MAIL}`, name: MAIL },
          { type: 'image', data: picture, mimeType: 'image/png' },
        ],
      },
      using,
    );
    const json = JSON.stringify(result);
    expect(json).not.toContain('example.org');
    expect(json).not.toContain(base64);
    const { structured, content } = result as unknown as {
      structured: { file: string; ssn: number };
      content: unknown[];
    };
    expect(Buffer.from(structured.file, 'base64').toString()).toMatch(/^contact PIIEMAIL\w+$/);
    expect(typeof structured.ssn).toBe('number');
    expect(content[0]).toEqual({
      type: 'text',
      text: expect.stringMatching(/^\{"mail": "PIIEMAIL\w+", "price": 1\.50\}$/),
    });
    expect(content[3]).toEqual({ type: 'resource', uri: 'x:1', blob: picture });
    expect(content[5]).toEqual({ type: 'image', data: picture, mimeType: 'image/png' });
  });

  test('stays as it is when there is nothing to hide', async () => {
    const structured = { a: [1, 'b'] };
    const result = await tokeniseResult({ isError: false, structured, content: [] }, await replacing());
    expect(result.structured).toBe(structured);
  });

  test.each([7, 1000, 1 << 20])(
    'rewrites large text in parts of %i bytes, and leaves what it does not replace as written',
    async (size) => {
      const using = await replacing();
      const rows = Array.from(
        { length: 40 },
        (_, i) => `{"mail":"user${i}@example.org","n": 1.50,"id":12345678901234567890${i},"t":"\\u00e9\\/"}`,
      );
      const text = `{"structured": [${rows.join(',')}],"content":[]}`;
      const result = await tokeniseResult(large(text, size), using);
      const done = textOf(result);
      expect(result.large?.bytes).toBe(Buffer.byteLength(done));
      expect(done).not.toContain('@');
      expect(() => JSON.parse(done)).not.toThrow();
      expect(restored(using, done)).toBe(text);
    },
  );

  test('looks through a very long string: JSON by its structure, a table with its columns', async () => {
    const using = await replacing();
    const rows = Array.from({ length: 6_000 }, (_, i) => ({
      id: i,
      mail: `user${i}@example.org`,
      ssn: 100000000 + i,
    }));
    const csv = ['id,mail', ...rows.map(({ id, mail }) => `${id},${mail}`)].join('\n');
    const content = [JSON.stringify(rows), csv].map((text) => ({ type: 'text', text }));
    const result = await tokeniseResult(large(JSON.stringify({ content }), 100_000), using);
    const [json, table] = JSON.parse(textOf(result)).content.map(({ text }: { text: string }) => text);
    expect(json).not.toContain('@');
    expect(table).not.toContain('@');
    const parsed = JSON.parse(json);
    expect(parsed).toHaveLength(6_000);
    expect(parsed.every(({ ssn }: { ssn: unknown }) => typeof ssn === 'number' && ssn > 8e15)).toBe(true);
    expect(restored(using, table)).toBe(csv);
  });

  test('gives other work its turn', async () => {
    const using = await replacing();
    const text = JSON.stringify({
      content: [],
      structured: Array.from({ length: 60_000 }, (_, i) => ({ i, t: `row ${i} of a table` })),
    });
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await tokeniseResult(large(text, 1 << 20), using);
    isDone = true;
    expect(turns).toBeGreaterThan(2);
  });

  test('is refused when it is large and no JSON', async () => {
    await expect(
      tokeniseResult(large('{"structured": jane doe}', 100), await replacing()),
    ).rejects.toMatchObject({
      code: 'tool_unavailable',
    });
  });
});
