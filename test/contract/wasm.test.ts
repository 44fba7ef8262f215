import { WasmSandbox } from '../../src/sandbox/wasm/wasm-sandbox.js';
import { cacheFolder } from '../support/cache-folder.js';
import { QUIET } from '../support/quiet-logger.js';
import { sandboxContract } from './sandbox.contract.js';

sandboxContract(
  'wasm',
  ({ memoryMb, workspaceMb }) =>
    new WasmSandbox({ memoryMb, workspaceMb, cacheDir: cacheFolder(), pool: 2, logger: QUIET }),
  { javascript: true, deepRecursion: 'crashed', programs: ['deno', 'bwrap'] },
);
