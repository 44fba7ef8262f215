import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/outcome.js';
import { NativeSandbox } from '../../src/sandbox/native/native-sandbox.js';
import { imageBytes } from '../../src/server/images/image-bytes.js';
import { cacheFolder } from '../support/cache-folder.js';
import { needs } from '../support/capabilities.js';
import { QUIET } from '../support/quiet-logger.js';
import { ContractHost, LIMITS, resultOf } from './contract-host.js';

const PANDAS = 'import pandas as pd, numpy as np\n';
const PLOT = 'import matplotlib.pyplot as plt\n';

needs('linux', 'bubblewrap', 'science').describe('packages in the native jail', () => {
  let sandbox: NativeSandbox;
  let host: ContractHost;
  beforeAll(() => {
    const preload = ['numpy', 'pandas', 'matplotlib.pyplot', 'no_such_module'];
    sandbox = new NativeSandbox({ ...LIMITS, cacheDir: cacheFolder(), pool: 1, preload, logger: QUIET });
    host = new ContractHost(sandbox);
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  test('numpy computes, also with BLAS, and its random numbers differ between two fresh runs', async () => {
    expect(
      await host.value('import numpy as np\nfloat(np.ones((300, 300)).dot(np.ones((300, 300))).sum())'),
    ).toBe(27_000_000);
    const draw = 'import numpy as np\nfloat(np.random.random())';
    expect(await host.value(draw)).not.toBe(await host.value(draw));
  });

  test('pandas reads files of the workspace and writes new ones', async () => {
    await host.write('in.csv', 'k,v\na,1\nb,2\na,3\n');
    const code =
      'import pandas as pd\nt = pd.read_csv("in.csv").groupby("k").v.sum()\nt.to_csv("out.csv")\nt.to_dict()';
    expect(await host.value(code)).toEqual({ a: 4, b: 2 });
    expect(await host.read('out.csv')).toBe('k,v\na,4\nb,2\n');
  });

  /** What a run tells of its value, without the JSON of it. */
  function told({ outcome }: RunReport): object {
    const { json: _json, ...value } = (outcome.kind === 'value' ? outcome.value : undefined) ?? {};
    return value;
  }

  test('a DataFrame comes with names, types and plain cells; an index that only counts is left out', async () => {
    const code = `${PANDAS}pd.DataFrame({"id": [1, 2], "name": ["a", None], "v": [1.5, np.nan],
  "day": pd.to_datetime(["2024-01-01", "2024-02-01"]), "n": pd.array([1, None], dtype="Int64")})`;
    const report = await host.run(code);
    expect(told(report)).toEqual({ type: 'DataFrame', truncated: false, form: 'table', label: '2 x 5' });
    expect(resultOf(report)).toMatchObject({
      names: ['id', 'name', 'v', 'day', 'n'],
      labels: 0,
      rows: [
        [1, 'a', 1.5, '2024-01-01', 1],
        [2, null, null, '2024-02-01', null],
      ],
    });
  });

  test.each<[string, string, object]>([
    [
      'an aggregate with two levels of columns',
      'pd.DataFrame({"k": list("aab"), "v": [1, 2, 3]}).groupby("k").agg({"v": ["mean", "sum"]})',
      {
        names: ['k', 'v.mean', 'v.sum'],
        labels: 1,
        rows: [
          ['a', 1.5, 3],
          ['b', 3, 3],
        ],
      },
    ],
    [
      'a groupby',
      'pd.DataFrame({"k": list("aab"), "v": [1, 2, 3]}).groupby("k")',
      {
        names: ['k', 'rows'],
        labels: 1,
        rows: [
          ['a', 2],
          ['b', 1],
        ],
      },
    ],
    [
      'a groupby without an index',
      'pd.DataFrame({"k": list("aab"), "v": [1, 2, 3]}).groupby("k", as_index=False)',
      {
        names: ['k', 'size'],
        labels: 0,
        rows: [
          ['a', 2],
          ['b', 1],
        ],
      },
    ],
    [
      'a MultiIndex',
      'pd.MultiIndex.from_product([[1], ["a", "b"]])',
      {
        rows: [
          [1, 'a'],
          [1, 'b'],
        ],
      },
    ],
    [
      'columns of the same name',
      'pd.DataFrame([[1, 2]], columns=["a", "a"])',
      { names: ['a', 'a.1'], rows: [[1, 2]] },
    ],
    [
      'a Series with labels',
      'pd.Series({"x": 1, "y": 2})',
      {
        labels: 1,
        rows: [
          ['x', 1],
          ['y', 2],
        ],
      },
    ],
  ])('%s is a table with its labels', async (_what, expression, table) => {
    const report = await host.run(`${PANDAS}${expression}`);
    expect(told(report)).toMatchObject({ form: 'table', truncated: false });
    expect(resultOf(report)).toMatchObject(table);
  });

  test.each<[string, string, string, string, unknown]>([
    ['a Series', 'pd.Series([1, 2], name="q")', 'Series', '2 int64 q', [1, 2]],
    ['a Categorical', 'pd.Categorical(["a", "b"])', 'Categorical', '2 category', ['a', 'b']],
    ['dates', 'pd.date_range("2024-01-01", periods=1)', 'DatetimeIndex', '1 datetime64', ['2024-01-01']],
    [
      'an array',
      'np.arange(4).reshape(2, 2)',
      'ndarray',
      '2 x 2 int64',
      [
        [0, 1],
        [2, 3],
      ],
    ],
    ['bools', 'np.array([True, False])', 'ndarray', '2 bool', [true, false]],
  ])('%s is a list with its type', async (_what, expression, type, label, value) => {
    const report = await host.run(`${PANDAS}${expression}`);
    expect(told(report)).toEqual({ type, truncated: false, form: 'array', label });
    expect(resultOf(report)).toEqual(value);
  });

  test('scalars, and tables inside other values, are plain JSON', async () => {
    const code = `${PANDAS}{"n": np.int64(3), "f": np.float32(0.1), "b": np.bool_(True), "d": np.datetime64("2024-01-01"),
  "t": pd.Timestamp("2024-01-01 10:00"), "na": pd.NA, "p": pd.Period("2024-01"),
  "df": pd.DataFrame({"a": [1]}, index=["x"]), "s": pd.Series({"x": 1}), "arr": np.arange(2)}`;
    expect(await host.value(code)).toEqual({
      ...{ n: 3, f: 0.1, b: true, d: '2024-01-01', t: '2024-01-01T10:00:00', na: null, p: '2024-01' },
      ...{ df: [{ index: 'x', a: 1 }], s: { x: 1 }, arr: [0, 1] },
    });
  });

  test('a large table inside another value is cut at 1,000 rows and says so', async () => {
    const report = await host.run(`${PANDAS}{"df": pd.DataFrame({"a": range(1_001)})}`);
    expect((resultOf(report) as { df: object[] }).df).toHaveLength(1_000);
    expect(report.notes).toEqual([
      'only the first 1000 of 1001 rows of a DataFrame inside the value are in the result; make it the value, or save it',
    ]);
  });

  test('a DataFrame that does not fit is kept as CSV, with its index, and described', async () => {
    await host.clear();
    const code = `${PANDAS}pd.DataFrame({"a": range(5_000), "s": ["x,y", None] * 2_500},
  index=pd.date_range("2024-01-01", periods=5_000, name="day"))`;
    const report = await host.run(code);
    expect(told(report)).toEqual({
      ...{ type: 'DataFrame', truncated: true, form: 'table', label: '5000 x 2', file: 'result-1.csv' },
    });
    expect(resultOf(report)).toEqual({
      names: ['day', 'a', 's'],
      dtypes: ['datetime64', 'int64', 'object'],
      labels: 1,
      rows: [
        ['2024-01-01', 0, 'x,y'],
        ['2024-01-02', 1, null],
        ['2024-01-03', 2, 'x,y'],
        ['2037-09-07', 4_998, 'x,y'],
        ['2037-09-08', 4_999, null],
      ],
      cut: {
        ...{ first: 3, total: 5_000, hidden: 0, nulls: [0, 0, 2_500], distinct: [null, null, 1] },
        ...{ min: ['2024-01-01', 0, null], max: ['2037-09-08', 4_999, null] },
      },
    });
    const csv = (await host.read('result-1.csv')).split('\n');
    expect(csv.slice(0, 3)).toEqual(['day,a,s', '2024-01-01,0,"x,y"', '2024-01-02,1,']);
    expect(csv).toHaveLength(5_002);
    expect(await host.value(`${PANDAS}len(pd.read_csv("result-1.csv"))`)).toBe(5_000);
  });

  test.each<[string, string, string, string]>([
    ['a plane of numbers', 'np.arange(10_000).reshape(100, 100)', '100 x 100 int64', 'result-1.csv'],
    ['a cube of numbers', 'np.zeros((30, 30, 30))', '30 x 30 x 30 float64', 'result-1.npy'],
  ])(
    '%s that does not fit is kept whole and described by its range',
    async (_what, expression, label, file) => {
      await host.clear();
      const report = await host.run(`${PANDAS}${expression}`);
      expect(told(report)).toEqual({ type: 'ndarray', truncated: true, form: 'array', label, file });
      expect(resultOf(report)).toMatchObject({
        min: 0,
        mean: expect.any(Number),
        values: expect.stringContaining('...'),
      });
      const read = file.endsWith('csv') ? `np.loadtxt("${file}", delimiter=",")` : `np.load("${file}")`;
      expect(await host.value(`${PANDAS}bool((${read} == ${expression}).all())`)).toBe(true);
    },
  );

  test('what may be shown decides what is kept', async () => {
    await host.clear();
    const code = `${PANDAS}pd.DataFrame({"a": range(30)})`;
    expect(told(await host.run(code, { answerChars: 200 }))).toMatchObject({
      truncated: true,
      file: 'result-1.csv',
    });
    expect(told(await host.run(code, { answerChars: 2_000 }))).not.toHaveProperty('file');
  });

  test('where there is no room for the file, the answer comes without it and a note says so', async () => {
    await host.clear();
    await host.write('filler.bin', Buffer.alloc(63 * 1024 * 1024));
    const report = await host.run(`${PANDAS}pd.DataFrame(np.arange(600_000).reshape(-1, 4))`);
    await host.clear();
    expect(told(report)).toMatchObject({ truncated: true, label: '150000 x 4' });
    expect(told(report)).not.toHaveProperty('file');
    expect(report.notes).toEqual([
      expect.stringMatching(/^the whole value was not saved \(.+\): return less, or save/),
    ]);
    expect(report.filesChanged).toEqual([]);
  });

  test('an open figure is shown, warns of nothing, and is a PNG file; nothing else appears in the workspace', async () => {
    await host.clear();
    const report = await host.run(`${PLOT}plt.plot([1, 2])\nplt.show()`);
    expect(report.filesChanged.map(({ path }) => path)).toEqual(['figure-1.png']);
    expect(report).toMatchObject({ images: ['figure-1.png'], notes: [], outcome: { kind: 'value' } });
    expect(report.output.head).toBe('');
    const png = imageBytes(await host.workspace.read('figure-1.png'));
    expect(png).toMatchObject({ mimeType: 'image/png', width: 640, height: 480 });
  });

  test.each<[string, string]>([
    ['lines', 'plt.plot([1, 2])'],
    ['axes', 'plt.subplots(2, 2)[1]'],
    ['bars', 'plt.bar([1], [2])'],
    ['a figure', 'plt.figure()'],
    ['a plot by pandas', 'import pandas as pd\npd.Series([1, 2]).plot()'],
  ])('%s as the value of a run with a figure are no value beside it', async (_what, expression) => {
    const report = await host.run(`${PLOT}${expression}`);
    expect(report).toMatchObject({
      images: [expect.stringMatching(/^figure-\d+\.png$/)],
      outcome: { kind: 'value' },
    });
    expect(told(report)).toEqual({});
  });

  test.each<[string, string]>([
    ['by its method', 'fig.savefig("mine.png")'],
    ['by pyplot', 'plt.savefig("mine.png", bbox_inches="tight")'],
    ['as a PDF', 'fig.savefig("mine.pdf")'],
  ])(
    'a figure that code has saved %s is not shown again, unless it was changed since',
    async (_what, save) => {
      const code = `${PLOT}fig, ax = plt.subplots()\nax.plot([1, 2])\n${save}\n`;
      expect((await host.run(`${code}1`)).images).toBeUndefined();
      expect((await host.run(`${code}ax.set_title("x")\n1`)).images).toHaveLength(1);
    },
  );

  test("a figure that is no one's but the value's is drawn, and a large one with fewer dots", async () => {
    await host.clear();
    const code = `from matplotlib.figure import Figure\nf = Figure(figsize=(40, 1), dpi=300)\nf.subplots().plot([1, 2])\nf`;
    const report = await host.run(code);
    expect(resultOf(report)).toEqual({ image: 'figure-1.png' });
    expect(imageBytes(await host.workspace.read('figure-1.png'))).toMatchObject({ width: 2_000, height: 50 });
  });

  test('a figure of noise is drawn with so few dots that it can be shown', async () => {
    await host.clear();
    const code = `${PLOT}import numpy as np\nfig = plt.figure(figsize=(10, 10), dpi=100)
fig.figimage(np.random.default_rng(1).integers(0, 255, (1_000, 1_000, 3), dtype=np.uint8), resize=False)`;
    const { images } = await host.run(code);
    expect(images).toEqual(['figure-1.png']);
    expect(imageBytes(await host.workspace.read('figure-1.png'))?.width).toBeLessThan(1_000);
  });

  test('an image of Pillow and a buffer with one come as files', async () => {
    await host.clear();
    const code = `import io\nfrom PIL import Image\nred = Image.new("RGB", (64, 48), "red")
buffer = io.BytesIO()\nred.save(buffer, "JPEG")\n[red, buffer, Image.new("CMYK", (2, 2))]`;
    const report = await host.run(code);
    expect(resultOf(report)).toEqual([
      { image: 'image-1.png', width: 64, height: 48, mode: 'RGB' },
      { image: 'image-1.jpg', type: 'image/jpeg', bytes: expect.any(Number) },
      { image: 'image-2.png', width: 2, height: 2, mode: 'CMYK' },
    ]);
    expect(report.images).toEqual(['image-1.png', 'image-1.jpg', 'image-2.png']);
    for (const [name, width] of [
      ['image-1.png', 64],
      ['image-1.jpg', 64],
      ['image-2.png', 2],
    ] as const)
      expect(imageBytes(await host.workspace.read(name))).toMatchObject({ width });
  });
});
