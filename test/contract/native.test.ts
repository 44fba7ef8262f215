import { realpathSync } from 'node:fs';
import path from 'node:path';
import { NativeSandbox } from '../../src/sandbox/native/native-sandbox.js';
import { cacheFolder } from '../support/cache-folder.js';
import { needs } from '../support/capabilities.js';
import { QUIET } from '../support/quiet-logger.js';
import { sandboxContract } from './sandbox.contract.js';

/** Another Python than the system's, to try its version. */
const python = process.env.NATIVE_TEST_PYTHON;

needs('linux', 'bubblewrap', 'python3').describe('natively', () => {
  sandboxContract(
    'native',
    ({ memoryMb, workspaceMb }) =>
      new NativeSandbox({
        ...{ memoryMb, workspaceMb, cacheDir: cacheFolder(), pool: 2, logger: QUIET },
        ...(python === undefined ? {} : { python }),
      }),
    {
      javascript: false,
      deepRecursion: 'python_error',
      programs: [path.basename(realpathSync(python ?? '/usr/bin/python3')), 'bwrap'],
    },
  );
});
