import type { Field } from './document.js';

/**
 * The numbers of the ranking. All were tuned by coordinate steps of a quarter on two public sets of tools and queries,
 * and a step was kept only if it helped both halves of the servers (`npm run bench -- search` scores a set).
 */
export interface Weights {
  /** What one occurrence in a field counts. */
  readonly field: Readonly<Record<Field, number>>;
  /** How far a field's length counts against it: 0 not at all, 1 in proportion. */
  readonly lengthNorm: Readonly<Record<Field, number>>;
  /** Saturation of BM25: the weighted count at which a word is worth half of its most. */
  readonly saturation: number;
  /** Share of a word's worth that a synonym is worth: low, for a group is never quite the same thing. */
  readonly synonym: number;
  /** Share of a word's worth for a word that names the kind of thing searched for ("tool", "service", "platform"). */
  readonly genericWord: number;
  /** Share for words in quotes, addresses and paths: they are values to pass, not what the tool is about. */
  readonly literalWord: number;
  /** Factor for a tool whose verb is of the class that the clause asks for ... */
  readonly sameVerb: number;
  /** ... and for one whose verb is of another class. */
  readonly otherVerb: number;
  /** Added for two neighbouring words of the query that are neighbours in the tool, as a share of the rarer one's worth. */
  readonly pair: number;
  /** Lift by the best tool of the same server: tools of a task come from few servers. */
  readonly bestOfServer: number;
  /** Lift by how much of the query the whole server speaks about. */
  readonly serverEvidence: number;
  /** Lift by the share of the query's worth that is in the tool at all. */
  readonly coverage: number;
  /** What is left of a word's worth once a tool above has it, in queries of several clauses. */
  readonly explained: number;
  /** Power of the share of a tool's score that comes from one clause: a step of a task needs one tool. */
  readonly clauseFocus: number;
}

export const WEIGHTS: Weights = {
  field: {
    name: 3.9,
    server: 4.4,
    category: 0.6,
    description: 0.8,
    firstSentence: 0.3,
    argumentNames: 0.75,
    argumentTexts: 0.5,
  },
  lengthNorm: {
    name: 0.4,
    server: 0.57,
    category: 0.1,
    description: 1,
    firstSentence: 0.15,
    argumentNames: 0.55,
    argumentTexts: 1,
  },
  saturation: 1.9,
  synonym: 0.24,
  genericWord: 0.5,
  literalWord: 0.5,
  sameVerb: 1.27,
  otherVerb: 0.89,
  pair: 0.65,
  bestOfServer: 0.5,
  serverEvidence: 0.4,
  coverage: 0.5,
  explained: 0.68,
  clauseFocus: 0.6,
};
