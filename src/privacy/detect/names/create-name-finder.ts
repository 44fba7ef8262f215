import type { NameFinder } from '../name-finder.js';
import { KeyGrades } from './key-grades.js';
import type { NameList } from './name-list.js';
import { PersonSession } from './person-session.js';

/** Finds people by a list of names and by what stands around them, and postal addresses by their form. */
export function createNameFinder(list: NameList): NameFinder {
  const grades = new KeyGrades();
  return { evidence: NO_EVIDENCE, begin: () => new PersonSession(list, grades) };
}

/** The session grades keys and words around a name itself: `file name` is none, `owner` may be a team. */
const NO_EVIDENCE = { PERSON: { keys: [], context: [] }, ADDRESS: { keys: [], context: [] } } as const;
