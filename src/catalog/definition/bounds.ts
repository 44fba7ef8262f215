/** Longest shown name of a server, tool or argument: the MCP specification recommends 128 for tools. */
export const MAX_NAME = 128;
/** Longest name that can still be called: beyond it a tool is left out. */
export const MAX_REMOTE_NAME = 512;
/** Longest description that is kept, for the search: ordinary tools have up to 5,000 characters. */
export const MAX_DESCRIPTION = 8_000;
/** Longest description that is shown to a model. */
export const MAX_SHOWN_DESCRIPTION = 2_000;
/** Longest description of an argument. */
export const MAX_ARGUMENT_TEXT = 600;
/** Levels of a schema; ordinary ones have six at most, `$ref`s resolved. */
export const MAX_DEPTH = 16;
/** Properties of one object. */
export const MAX_PROPERTIES = 200;
/** Values of one enumeration. */
export const MAX_ENUM = 100;
/** Schema objects of one tool, after `$ref`s are resolved: a graph of references must not explode. */
export const MAX_NODES = 3_000;
