import { NativeSandbox } from '../../src/sandbox/native/native-sandbox.js';
import { ContractHost } from '../contract/contract-host.js';
import { cacheFolder } from '../support/cache-folder.js';
import { QUIET } from '../support/quiet-logger.js';

/** A native sandbox and a runner over it, for attacks. */
export class NativeTarget implements AsyncDisposable {
  readonly sandbox = new NativeSandbox({
    memoryMb: 256,
    workspaceMb: 64,
    cacheDir: cacheFolder(),
    pool: 1,
    logger: QUIET,
  });
  readonly host = new ContractHost(this.sandbox);

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}
