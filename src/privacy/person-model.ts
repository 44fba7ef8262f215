import { CodeExecutionError } from '../core/errors.js';
import type { PiiType } from '../core/pii.js';
import type { Detection, Detector, Finding } from './detect/detector.js';
import { withoutOverlap } from './own-patterns.js';

/** A model of the operator that finds people in prose; what it finds is added to what the lists of names find. */
export interface PersonModel {
  /** UTF-16 offsets, in any order. Called for texts of 3 characters and more, synchronously. */
  findPersons(text: string): readonly { readonly start: number; readonly end: number }[];
}

/** @throws CodeExecutionError `config_error`: the module exports no such function. */
export function personModelOf(module: unknown, path: string): PersonModel {
  const { findPersons } = module as { findPersons?: unknown };
  if (typeof findPersons === 'function') return { findPersons: findPersons as PersonModel['findPersons'] };
  throw new CodeExecutionError(
    'config_error',
    `privacy.personModel: ${path} exports no function findPersons`,
    'export function findPersons(text) { return [{ start, end }] }',
  );
}

/** A detector that asks the model too. Of overlapping findings the detector's own stays: it knows shapes and check digits. */
export function withPersonModel(detector: Detector, model: PersonModel): Detector {
  return {
    begin(types) {
      const detection = detector.begin(types);
      return types.has('PERSON' satisfies PiiType) ? new ModelDetection(detection, model) : detection;
    },
  };
}

class ModelDetection implements Detection {
  readonly #detection: Detection;
  readonly #model: PersonModel;

  constructor(detection: Detection, model: PersonModel) {
    this.#detection = detection;
    this.#model = model;
  }

  inText(text: string): readonly Finding[] {
    return withoutOverlap(this.#detection.inText(text), this.#persons(text));
  }

  inValue(text: string, keys: readonly string[]): readonly Finding[] {
    return withoutOverlap(this.#detection.inValue(text, keys), this.#persons(text));
  }

  inNumber(lexeme: string, keys: readonly string[]): string | undefined {
    return this.#detection.inNumber(lexeme, keys);
  }

  /** In order and without overlap. An answer out of bounds is a fault of the model, and nothing may be shown then. */
  #persons(text: string): Finding[] {
    if (text.length < 3) return [];
    const found: Finding[] = [];
    for (const { start, end } of [...this.#model.findPersons(text)].sort((a, b) => a.start - b.start)) {
      if (
        !(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length)
      )
        throw new Error('the person model gave a place that is not in the text');
      if (start >= (found.at(-1)?.end ?? 0)) found.push({ start, end, type: 'PERSON' });
    }
    return found;
  }
}
