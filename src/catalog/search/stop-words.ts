/** Words that bind other words, and the courtesies of a request: they say nothing about what a tool does. */
const STOP = `a about above after again all also am an and any anyone anything are as at be because been before being
below between both but by can cannot could did do does doing done down during each either else ever every everyone
everything few for from further given had has have having he her here hers him his how however i if in into is it its
itself just kindly let lets like ll may many maybe me might mine more most much must my myself no nor not now of off on once one
only onto or other our ours ourselves out over own per please same shall she should since so some someone something
such sure than thank thanks that the their theirs them themselves then there these they this those through thus to too
under until up upon us very via was we were what whatever when where whether which while who whom whose why will with
within without would yes yet you your yours yourself want wants wanted need needs needed help helps assist assistance
using use used uses able hi hello hey ok okay tell im ive id dont doesnt didnt isnt ve re etc eg ie first second third
next finally lastly afterwards additionally moreover furthermore would d s t m`;

/** Lower-case words that queries and texts are freed of; names of tools and arguments keep them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(STOP.split(/\s+/));
