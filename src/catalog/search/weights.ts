import type { Field } from './document.js';

/** Everything that was tuned. See design notes for how each was chosen. */
export interface Weights {
  readonly field: Readonly<Record<Field, number>>;
  readonly norm: Readonly<Record<Field, number>>;
  readonly k1: number;
  readonly synonym: number;
  readonly sameVerb: number;
  readonly otherVerb: number;
  readonly bigram: number;
  readonly serverPrior: number;
  readonly coverage: number;
  readonly discount: number;
  readonly literal: number;
}

export const WEIGHTS: Weights = {
  field: {
    name: 3.9,
    server: 4.4,
    category: 0.8,
    description: 0.8,
    firstSentence: 0.3,
    argumentNames: 1,
    argumentTexts: 0.5,
  },
  norm: {
    name: 0.4,
    server: 0.76,
    category: 0.1,
    description: 1,
    firstSentence: 0.15,
    argumentNames: 0.74,
    argumentTexts: 1,
  },
  k1: 1.9,
  synonym: 0.24,
  sameVerb: 1.27,
  otherVerb: 0.89,
  bigram: 0.5,
  serverPrior: 0.7,
  coverage: 0.5,
  discount: 0.15,
  literal: 0.5,
};
