import type { Detector, Finding } from '../../../src/privacy/detect/detector.js';
import { PrincipalVaults } from '../../../src/privacy/vault/principal-vaults.js';

/** Finds `<name>@x.test` as EMAIL and `4-4-4` digits as PHONE. */
export const DETECTOR: Detector = {
  begin(types) {
    const find = (text: string): Finding[] =>
      [...text.matchAll(/[a-z]+@x\.test|\d{4}-\d{4}-\d{4}/g)]
        .map((match) => ({
          start: match.index,
          end: match.index + match[0].length,
          type: match[0].includes('@') ? 'EMAIL' : 'PHONE',
        }))
        .filter(({ type }) => (types as ReadonlySet<string>).has(type));
    return { inText: find, inValue: find, inNumber: () => undefined };
  },
};

/** In memory only. */
export function memoryVaults(): PrincipalVaults {
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };
  return new PrincipalVaults({ folder: '', keyFolder: '', keep: false, logger });
}
