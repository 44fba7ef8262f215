import { isAddressKey } from '../address/address-key.js';
import { gradeOfKeys } from './person-key.js';

/** What the keys of a value say of people and of addresses. */
export interface KeyGrade {
  /** As person-key.ts grades it. */
  readonly person: number;
  readonly isAddress: boolean;
}

/** Grades of keys, worked out once for each list of keys: a document has thousands of values under the same one. */
export class KeyGrades {
  readonly #known = new WeakMap<readonly string[], KeyGrade>();

  of(keys: readonly string[]): KeyGrade {
    let grade = this.#known.get(keys);
    if (!grade) {
      grade = { person: gradeOfKeys(keys), isAddress: isAddressKey(keys) };
      this.#known.set(keys, grade);
    }
    return grade;
  }
}
