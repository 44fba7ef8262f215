import { afterAll, beforeAll, expect, test } from 'vitest';
import { NativeSandbox } from '../../src/sandbox/native/native-sandbox.js';
import { cacheFolder } from '../support/cache-folder.js';
import { needs } from '../support/capabilities.js';
import { QUIET } from '../support/quiet-logger.js';
import { ContractHost, LIMITS } from './contract-host.js';

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

  test('an open figure becomes a PNG file, and nothing else appears in the workspace', async () => {
    await host.clear();
    const report = await host.run('import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()');
    expect(report.filesChanged.map(({ path }) => path)).toEqual(['figure-1.png']);
    expect(report.notes).toEqual(['the open figure was saved as figure-1.png']);
    const png = await host.workspace.read('figure-1.png');
    expect(Buffer.from(png).subarray(1, 4).toString('latin1')).toBe('PNG');
  });
});
