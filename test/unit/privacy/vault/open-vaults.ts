import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { PrincipalVaults, type VaultOptions } from '../../../../src/privacy/vault/principal-vaults.js';
import type { Origin, Vault } from '../../../../src/privacy/vault/vault.js';
import { QUIET } from '../../../support/quiet-logger.js';

export const CRM: Origin = { kind: 'tool', server: 'crm' };
export const AGENT: Origin = { kind: 'agent' };

/** Vaults that end with the test; in memory unless told otherwise. */
export function openVaults(options: Partial<VaultOptions> = {}): PrincipalVaults {
  const vaults = new PrincipalVaults({ folder: '', keyFolder: '', keep: false, logger: QUIET, ...options });
  onTestFinished(() => vaults[Symbol.asyncDispose]());
  return vaults;
}

/** A vault in memory of one principal. */
export async function openVault(options: Partial<VaultOptions> = {}): Promise<Vault> {
  return openVaults(options).of('anna');
}

/** Fresh folders for values and key, removed after the test. */
export function keptIn(): { keep: true; folder: string; keyFolder: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'vault-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { keep: true, folder: path.join(root, 'vault'), keyFolder: path.join(root, 'keys') };
}

/** What becomes of a text when everything may be restored. */
export function restored(vault: Vault, text: string): string {
  return vault.restore(text, () => true).text;
}

/** Why nothing was restored: the reason of each token. */
export function reasons(vault: Vault, text: string): string[] {
  return vault.restore(text, () => true).notRestored.map(({ reason }) => reason);
}
