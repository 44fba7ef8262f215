// @ts-check
/**
 * `node vault-process.mjs FOLDER KEY_FOLDER PREFIX COUNT`: a process of its own with the built vault. Gives tokens to COUNT values
 * (0: until it is killed), a hundred at a time, and prints each lot as a line of JSON when it is on disk.
 */
import { PrincipalVaults } from '../../../../dist/privacy/vault/principal-vaults.js';

const [folder = '', keyFolder = '', prefix = '', count = '0'] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const vaults = new PrincipalVaults({ folder, keyFolder, keep: true, logger: quiet });
const vault = await vaults.of('anna');
const last = Number(count) || Number.POSITIVE_INFINITY;
for (let from = 0; from < last; from += 100) {
  const lot = Array.from({ length: 100 }, (_, index) => {
    const value = `${index % 2 === 0 ? 'shared' : prefix}${from + index}`;
    return [vault.tokenOf('USERNAME', value, { kind: 'agent' }), value];
  });
  await vaults.flush();
  process.stdout.write(`${JSON.stringify(lot)}\n`);
}
await vaults[Symbol.asyncDispose]();
