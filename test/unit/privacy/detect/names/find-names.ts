import { readFileSync } from 'node:fs';
import { createNameFinder } from '../../../../../src/privacy/detect/names/create-name-finder.js';
import { NameList } from '../../../../../src/privacy/detect/names/name-list.js';
import type { Situation } from '../../../../../src/privacy/detect/record.js';
import { splitWords } from '../../../../../src/privacy/detect/words.js';

export const NAMES_FILE = new URL('../../../../../data/names.bin', import.meta.url);

/** The list as it is shipped, read once. */
export const names = new NameList(readFileSync(NAMES_FILE));
const finder = createNameFinder(names);

export interface Stretch {
  readonly text: string;
  /** Of a value, the outermost first; absent for free text. */
  readonly keys?: readonly string[];
}

/** What one session finds in these stretches one after another, as `PERSON: Anna Berg`, in the order of the text. */
export function findNames(...stretches: readonly (string | Stretch)[]): string[] {
  const session = finder.begin();
  return stretches.flatMap((stretch) => {
    const { text, keys } = typeof stretch === 'string' ? { text: stretch, keys: undefined } : stretch;
    const found: { start: number; spelled: string }[] = [];
    session.find(situationOf(text, keys), (type, start, end) => {
      found.push({ start, spelled: `${type}: ${text.slice(start, end)}` });
    });
    return found.sort((a, b) => a.start - b.start).map(({ spelled }) => spelled);
  });
}

function situationOf(text: string, keys: readonly string[] | undefined): Situation {
  return {
    words: splitWords(text),
    isValue: keys !== undefined,
    keys: keys ?? [],
    keySays: () => false,
    contextSays: () => false,
  };
}
