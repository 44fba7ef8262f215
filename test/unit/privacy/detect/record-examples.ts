import { describe, expect, it } from 'vitest';
import { createDetector } from '../../../../src/privacy/detect/create-detector.js';
import type { DetectorRecord } from '../../../../src/privacy/detect/record.js';

/** What one record alone finds in a text, or in a value under a key. */
export function runRecord(record: DetectorRecord, text: string, key?: string): string[] {
  const detection = createDetector({ records: [record] }).begin(new Set([record.type]));
  const findings = key === undefined ? detection.inText(text) : detection.inValue(text, [key]);
  return findings.map(({ start, end }) => text.slice(start, end));
}

/** Runs the examples and counter-examples of records as tests. */
export function testExamples(name: string, records: readonly DetectorRecord[]): void {
  describe(name, () => {
    for (const record of records)
      for (const { text, key, found } of record.examples)
        it(`${record.type} is found in ${JSON.stringify(text)}${key ? ` under ${key}` : ''}`, () => {
          expect(runRecord(record, text, key)).toContain(found);
        });
    for (const record of records)
      for (const counter of record.counterExamples) {
        const { text, key } = typeof counter === 'string' ? { text: counter, key: undefined } : counter;
        it(`no ${record.type} is found in ${JSON.stringify(text)}${key ? ` under ${key}` : ''}`, () => {
          expect(runRecord(record, text, key)).toEqual([]);
        });
      }
  });
}
