import { PII_TYPES } from '../../../../src/core/pii.js';
import type { Replacing } from '../../../../src/privacy/rewrite/replacing.js';
import { PrincipalVaults } from '../../../../src/privacy/vault/principal-vaults.js';
import { QUIET } from '../../../support/quiet-logger.js';
import { fakeDetector } from './fake-detector.js';

/** Vaults in memory. */
export function memoryVaults(): PrincipalVaults {
  return new PrincipalVaults({ folder: '', keyFolder: '', keep: false, logger: QUIET });
}

/** A document that comes from the server `crm`, searched for all kinds by the fake detector. */
export async function replacing(extra: Partial<Replacing> = {}): Promise<Replacing> {
  const vault = await memoryVaults().of('local');
  return {
    detection: fakeDetector.begin(new Set(PII_TYPES)),
    vault,
    origin: { kind: 'tool', server: 'crm' },
    counts: new Map(),
    ...extra,
  };
}

/** Everything restored. */
export function restored(using: Replacing, text: string): string {
  return using.vault.restore(text, () => true).text;
}
