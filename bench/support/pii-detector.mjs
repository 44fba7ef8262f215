// @ts-check
import { PII_TYPES } from '../../dist/core/pii.js';
import { readPackageData } from '../../dist/fs/package-data.js';
import { createDetector } from '../../dist/privacy/detect/create-detector.js';
import { createNameFinder } from '../../dist/privacy/detect/names/create-name-finder.js';
import { NameList } from '../../dist/privacy/detect/names/name-list.js';
import { MACHINE_RECORDS } from '../../dist/privacy/detect/records/machine.js';
import { NUMBER_RECORDS } from '../../dist/privacy/detect/records/numbers.js';

/**
 * The detector of the product, looking for all types.
 * @returns {Promise<(text: string) => readonly { start: number, end: number, type: string }[]>}
 */
export async function piiDetector() {
  const names = createNameFinder(new NameList(await readPackageData('names.bin')));
  const detector = createDetector({ records: [...MACHINE_RECORDS, ...NUMBER_RECORDS], names });
  const types = new Set(PII_TYPES);
  return (text) => detector.begin(types).inText(text);
}
