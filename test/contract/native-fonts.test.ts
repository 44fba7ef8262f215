import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NativeSandbox } from '../../src/sandbox/native/native-sandbox.js';
import { needs } from '../support/capabilities.js';
import { QUIET } from '../support/quiet-logger.js';
import { ContractHost, LIMITS } from './contract-host.js';

needs('linux', 'bubblewrap', 'science').describe("matplotlib's list of fonts", () => {
  test('is made once by the server and found by every run that draws', async () => {
    const cacheDir = mkdtempSync(path.join(tmpdir(), 'native-fonts-'));
    chmodSync(cacheDir, 0o755);
    const options = { ...LIMITS, cacheDir, pool: 0, logger: QUIET };
    await using sandbox = new NativeSandbox(options);
    await sandbox.info();
    const [runtime = ''] = readdirSync(cacheDir).filter((name) => /^native-[0-9a-f]+$/.test(name));
    const fonts = path.join(cacheDir, runtime, 'fonts');
    const listed = () => readdirSync(fonts).filter((name) => name.startsWith('fontlist-'));
    await expect.poll(listed, { timeout: 60_000 }).toHaveLength(1);
    const [name = ''] = listed();
    const list = JSON.parse(readFileSync(path.join(fonts, name), 'utf8')) as object;
    expect(list).toMatchObject({
      ttflist: expect.arrayContaining([expect.objectContaining({ name: 'DejaVu Sans' })]),
    });
    // A mark shows whose list it is.
    rmSync(path.join(fonts, name));
    writeFileSync(path.join(fonts, name), JSON.stringify({ ...list, mark: 'kept' }));
    await using host = new ContractHost(sandbox);
    const code = 'from matplotlib import font_manager\nfont_manager.fontManager.mark';
    expect(await host.value(code)).toBe('kept');
    rmSync(cacheDir, { recursive: true, force: true });
  });
});
