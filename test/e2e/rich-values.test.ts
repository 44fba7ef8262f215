import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/capabilities.js';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const images = ({ raw }: Answer) =>
  (raw.content as { type: string; mimeType?: string; data?: string }[]).filter(
    ({ type }) => type === 'image',
  );
/** The helper puts a line end between the parts of an answer. */
const lines = ({ text }: Answer) => text.trimEnd().split('\n').slice(1);

/** A PNG of one pixel with a comment, made by code. */
const PNG = `
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
png += chunk(b"tEXt", b"Comment\\0jane.doe@example.org") + chunk(b"IDAT", zlib.compress(b"\\0\\x80")) + chunk(b"IEND", b"")
`;

describe('the embedded backend', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer({ config: { sandbox: { backend: 'wasm' } } });
  });

  test(verifies('RUN-10', 'bytes of an image come as image content without their comment'), async () => {
    const answer = await server.call('execute_code', { code: `${PNG}png` });
    expect(lines(answer)).toEqual([
      expect.stringMatching(/^bytes: \{"image":"image-1\.png","type":"image\/png","bytes":\d+\}$/),
      'images: image-1.png (1 x 1)',
    ]);
    expect(answer.data.images).toEqual([{ path: 'image-1.png', shown: true }]);
    expect(images(answer)).toMatchObject([{ mimeType: 'image/png' }]);
    const shown = Buffer.from(images(answer)[0]?.data ?? '', 'base64').toString('latin1');
    expect(shown).toMatch(/^\x89PNG[\s\S]*IEND....$/);
    expect(shown).not.toContain('jane.doe');
    const files = await server.call('list_workspace_files', {});
    expect(files.text).toContain('image-1.png');
  });

  test(verifies('RUN-10', 'a text under the header of an image is no image content'), async () => {
    const answer = await server.call('execute_code', {
      code: 'b"\\x89PNG\\r\\n\\x1a\\n" + b"call 555-0100 " * 20',
    });
    expect(images(answer)).toEqual([]);
    expect(answer.text).toContain('not shown: image-2.png');
  });
});

needs('linux', 'bubblewrap', 'science').describe('the native backend', () => {
  let server: ServerProcess;
  const run = (code: string, args: Record<string, unknown> = {}) =>
    server.call('execute_code', { code, timeout_seconds: 60, ...args });
  beforeAll(async () => {
    const preload = ['pandas', 'matplotlib.pyplot'];
    server = await startServer({ config: { sandbox: { backend: 'native', workspaceMb: 64, preload } } });
  });

  test(verifies('RUN-10', 'an open figure is shown without savefig, and nothing else is said'), async () => {
    const answer = await run(
      'import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.title("T")\nplt.show()',
    );
    expect(answer.text.trimEnd()).toMatch(
      /^ok · [\d.]+ s · wrote figure-1\.png \([\d.]+ kB\)\nimages: figure-1\.png \(640 x 480\)$/,
    );
    expect(answer.data).toMatchObject({ success: true, images: [{ path: 'figure-1.png', shown: true }] });
    expect(answer.data).not.toHaveProperty('result');
    const [image] = images(answer);
    expect(image?.mimeType).toBe('image/png');
    // Software and version, which matplotlib writes into its files, are no pixels.
    expect(Buffer.from(image?.data ?? '', 'base64').toString('latin1')).not.toContain('tEXt');
  });

  test(
    verifies('RUN-11', 'a DataFrame reads as a table with types, in fewer LLM tokens than its records'),
    async () => {
      const answer = await run(`
import pandas as pd
df = pd.DataFrame({"id": range(20), "name": ["Ann Lee", None] * 10, "share": [n / 7 for n in range(20)],
                   "day": pd.date_range("2024-01-01", periods=20)})
df.head(3)`);
      expect(lines(answer)).toEqual([
        'DataFrame 3 x 4',
        'id int64\tname object\tshare float64\tday datetime64',
        '0\tAnn Lee\t0\t2024-01-01',
        '1\tNaN\t0.142857\t2024-01-02',
        '2\tAnn Lee\t0.285714\t2024-01-03',
      ]);
      expect(answer.data.result).toEqual([
        { id: 0, name: 'Ann Lee', share: 0, day: '2024-01-01' },
        { id: 1, name: null, share: 1 / 7, day: '2024-01-02' },
        { id: 2, name: 'Ann Lee', share: 2 / 7, day: '2024-01-03' },
      ]);
      expect(encode(lines(answer).join('\n')).length).toBeLessThan(
        encode(JSON.stringify(answer.data.result)).length,
      );
    },
  );

  test(
    verifies('RUN-11', 'a DataFrame of 200,000 cells costs under 250 LLM tokens and is kept whole'),
    async () => {
      const answer = await run(
        'import pandas as pd\npd.DataFrame({"n": range(100_000), "s": ["a", "b"] * 50_000})',
      );
      expect(encode(answer.text).length).toBeLessThan(250);
      expect(lines(answer)[0]).toBe('DataFrame 100000 x 2 · whole value: read_workspace_file result-1.csv');
      expect(answer.data).toMatchObject({ truncated: true, resource: 'result-1.csv' });
      expect(answer.raw.content).toMatchObject([
        {},
        { type: 'resource_link', uri: 'workspace:///result-1.csv' },
      ]);
      expect((await run('import pandas as pd\nlen(pd.read_csv("result-1.csv"))')).data.result).toBe(100_000);
    },
  );

  test(
    verifies('PRIVACY-1', 'values in the columns of a table are tokens for the model, also in a cut one'),
    async () => {
      const code = `
import pandas as pd
people = pd.DataFrame({"mail": [f"jane{n}@example.org" for n in range(4_000)], "ssn": [900_00_0000 - n for n in range(4_000)]})
`;
      for (const part of ['people.head(3)', 'people']) {
        const answer = await run(`${code}${part}`);
        expect(answer.text).toContain('PIIEMAIL');
        expect(answer.text + JSON.stringify(answer.data)).not.toMatch(/jane\d+@|899999999/);
      }
    },
  );
});
