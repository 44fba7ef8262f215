/** What stands around a run of capital words. */
/** A label, a display name of a mail address, a signature: a person is expected, whatever the name. */
export const KEYED = 1;
/** A field that may hold a person, or a team, or a type: the name must be a known one. */
export const MAY_BE_NAMED = 4096;
export const GREETED = 2;
/** Beside `said`, `wrote`. */
export const SPEAKS = 4;
/** Behind `patient`, `colleague`. */
export const IN_ROLE = 8;
/** Behind `called`, `I am`. */
export const IS_NAMED = 16;
/** Behind another person: `Anna, Boris and Clara`. */
export const IN_LIST = 32;
export const STARTS_SENTENCE = 64;
/** The run is all that stands on its line. */
export const ALONE = 128;
export const BEHIND_ARTICLE = 256;
/** Behind `and`, `with`, `by`. */
export const LINKED = 512;
/** The stretch is a few words in a cell that no key explains: a name alone may be anything. */
export const UNEXPLAINED = 1024;

/** Before `'s`. */
export const OWNS = 2048;

export const EXPECTS_PERSON = KEYED | MAY_BE_NAMED | GREETED | SPEAKS | IN_ROLE | IS_NAMED | IN_LIST;
