import type { PiiType } from '../../core/pii.js';
import { type CompiledRecords, compileRecords } from './compile-records.js';
import type { Detection, Detector, Finding } from './detector.js';
import type { KeyPath, Keys } from './keys.js';
import type { NameFinder } from './name-finder.js';
import type { DetectorRecord } from './record.js';
import { StretchScanner } from './stretch-scanner.js';
import { DocumentWalker } from './structure/document-walker.js';
import { bitsOf, TYPE_BIT } from './type-bits.js';

export interface DetectorParts {
  readonly records: readonly DetectorRecord[];
  /** Absent: people and addresses are not found. */
  readonly names?: NameFinder;
}

/** A detector over these records. Building it costs some milliseconds, `begin` next to nothing. */
export function createDetector(parts: DetectorParts): Detector {
  const compiled = compileRecords(parts.records, parts.names?.evidence ?? {});
  return { begin: (types) => new DocumentDetection(compiled, parts.names, bitsOf(types)) };
}

class DocumentDetection implements Detection {
  readonly #keys: Keys;
  readonly #walker: DocumentWalker;
  readonly #wanted: number;

  constructor(compiled: CompiledRecords, names: NameFinder | undefined, wanted: number) {
    this.#keys = compiled.keys;
    this.#walker = new DocumentWalker(compiled.keys, new StretchScanner(compiled, names?.begin()));
    this.#wanted = wanted;
  }

  inText(text: string): readonly Finding[] {
    const findings: Finding[] = [];
    this.#walker.document(text, (start, end, bit) => this.#report(findings, start, end, bit));
    return findings;
  }

  inValue(text: string, keys: readonly string[]): readonly Finding[] {
    const findings: Finding[] = [];
    this.#walker.string(text, this.#path(keys), (start, end, bit) => this.#report(findings, start, end, bit));
    return findings;
  }

  inNumber(lexeme: string, keys: readonly string[]): string | undefined {
    const whole = this.inValue(lexeme, keys).find(({ start, end }) => start === 0 && end === lexeme.length);
    return whole?.type;
  }

  #report(findings: Finding[], start: number, end: number, bit: number): void {
    if ((bit & this.#wanted) !== 0) findings.push({ start, end, type: TYPE_OF.get(bit) as PiiType });
  }

  #path(keys: readonly string[]): KeyPath {
    return keys.reduce<KeyPath>((path, key) => this.#keys.below(path, key), this.#keys.root);
  }
}

const TYPE_OF: ReadonlyMap<number, PiiType> = new Map(
  Object.entries(TYPE_BIT).map(([type, bit]) => [bit, type as PiiType]),
);
