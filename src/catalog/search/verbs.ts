import { stem } from './stem.js';

/** What a tool does, in classes of verbs; the position in this list is the bit of the class. */
const CLASSES = [
  'get fetch retrieve read show view display obtain describe inspect check load',
  'list enumerate browse',
  'search find lookup query seek discover explore',
  'create make add new insert generate build draw compose write register',
  'update edit modify change set rename alter adjust replace append',
  'delete remove drop erase clear destroy uninstall',
  'send post publish submit notify reply share forward',
  'run execute launch start invoke call trigger',
  'stop cancel terminate kill pause close disconnect',
  'download save export backup',
  'upload import',
  'convert transform translate format parse',
  'calculate compute evaluate estimate count measure',
  'compare diff',
  'move copy rename',
  'open navigate visit goto',
  'click press type fill hover select drag',
  'merge combine join',
  'analyze audit scan validate verify test',
  'book reserve order buy purchase',
] as const;

/** Stem of a verb to the bits of its classes. */
export const VERB_CLASSES: ReadonlyMap<string, number> = buildClasses();

function buildClasses(): Map<string, number> {
  const bits = new Map<string, number>();
  CLASSES.forEach((line, index) => {
    for (const word of line.split(' ').map(stem)) bits.set(word, (bits.get(word) ?? 0) | (1 << index));
  });
  return bits;
}
