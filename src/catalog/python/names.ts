import { createHash } from 'node:crypto';

/** A name that could not have the identifier that it asks for. */
export interface NameCollision {
  readonly name: string;
  readonly identifier: string;
  /** The name that has the identifier which both ask for. */
  readonly holder: string;
}

export interface Identifiers {
  /** Every name once to its identifier; all identifiers differ. */
  readonly of: ReadonlyMap<string, string>;
  readonly collisions: readonly NameCollision[];
}

/** Names of the module `tools` itself; a server of that name gets an underscore behind it. */
export const MODULE_NAMES: ReadonlySet<string> = new Set([
  'search',
  'describe',
  'call',
  'gather',
  'Media',
  'PendingCall',
  'ToolError',
  'ToolUnavailable',
  'ToolNotFound',
  'ToolDenied',
  'ToolNeedsApproval',
  'CallBudgetSpent',
  'ToolArgumentError',
]);

/**
 * Python identifiers for foreign names. A name that is an identifier keeps it; collisions among the others get `_2`,
 * `_3` ... in the order of the names' characters, so that the same set always gives the same result and nobody can take
 * the identifier of a name that is spelt like it.
 */
export function pythonIdentifiers(
  names: Iterable<string>,
  reserved: ReadonlySet<string> = NONE,
): Identifiers {
  const of = new Map<string, string>();
  const holders = new Map<string, string>();
  const collisions: NameCollision[] = [];
  const wanted = [...new Set(names)].map((name) => ({ name, identifier: pythonIdentifier(name, reserved) }));
  wanted.sort(
    (a, b) =>
      Number(b.name === b.identifier) - Number(a.name === a.identifier) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  for (const { name, identifier } of wanted) {
    const holder = holders.get(identifier);
    const free = holder === undefined ? identifier : freeIdentifier(identifier, holders);
    holders.set(free, name);
    of.set(name, free);
    if (holder !== undefined) collisions.push({ name, identifier: free, holder });
  }
  return { of, collisions };
}

/**
 * The identifier that a name asks for: NFKC as Python does it, other characters and those that nobody sees (joiners,
 * fillers: Unicode has them in identifiers) as `_`, no leading underscore (the
 * runtime answers none such, and dunder names belong to Python), letters first, keywords with `_` behind. Soft keywords
 * (`match`, `type`) are ordinary attribute names and stay.
 */
export function pythonIdentifier(name: string, reserved: ReadonlySet<string> = NONE): string {
  const looked = name.slice(0, MAX_LOOKED);
  const word = looked
    .normalize('NFKC')
    .replace(/(?:[^\p{XID_Continue}]|\p{Default_Ignorable_Code_Point})+/gu, '_')
    .replace(/^_+|_+$/g, '');
  const started = word === '' ? 'unnamed' : /^\p{XID_Start}/u.test(word) ? word : `n_${word}`;
  const short = started.length <= MAX_LENGTH && looked === name ? started : shortened(started, name);
  return KEYWORDS.has(short) || reserved.has(short) ? `${short}_` : short;
}

const NONE: ReadonlySet<string> = new Set();
const MAX_LOOKED = 1_000;
/** Longer names cost tokens in every line that uses them. */
const MAX_LENGTH = 64;

const KEYWORDS: ReadonlySet<string> = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Keeps the beginning and tells long names that begin alike apart, whatever other names there are. */
function shortened(word: string, name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6);
  const head = word.slice(0, MAX_LENGTH - mark.length - 1).replace(/[\ud800-\udbff]$/, '');
  return `${head.replace(/_+$/, '')}_${mark}`;
}

function freeIdentifier(identifier: string, taken: ReadonlyMap<string, string>): string {
  const base = identifier.replace(/_$/, '');
  for (let number = 2; ; number++) {
    const candidate = `${base}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
