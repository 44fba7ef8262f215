import { isRoutingNumber } from '../check-digits/aba.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { isLabelled } from './labelled.js';
import { Labels, phraseList } from './labels.js';
import { startsFree } from './starts-free.js';

const NAMES = phraseList(`
  routing number, routing no, routing nr, routing, bank routing number, routing transit number, rtn, aba,
  aba number, aba routing number, aba rtn, ach routing, wire routing, fedwire
`);
const labels = new Labels(NAMES);

/** US bank routing numbers: nine digits, and the check of the ABA unless a label stands directly at them. */
export const routingNumber: DetectorRecord = {
  type: 'BANK_ACCOUNT',
  source: 'ABA routing number policy, https://www.aba.com/about-us/routing-number',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minLength: 8, maxLength: 9 },
  context: [...NAMES, 'direct deposit', 'ach', 'wire'],
  keys: NAMES,
  match(situation, word) {
    const { words } = situation;
    const start = words.starts[word] as number;
    const end = words.ends[word] as number;
    const keyed = situation.isValue && situation.keySays('BANK_ACCOUNT') && end - start === words.text.length;
    if (keyed) return { start, end, score: 95 };
    if (end - start !== 9 || !startsFree(words.text, start)) return undefined;
    if (isLabelled(words, word, labels)) return { start, end, score: 88 };
    return isRoutingNumber(words.text.slice(start, end)) ? { start, end, score: 60 } : undefined;
  },
  examples: [
    { text: 'SSN 232-18-0912 and routing number 061000104 for direct deposit', found: '061000104' },
    { text: 'send the wire to Chase, 021000021', found: '021000021' },
    { text: '21000021', key: 'routing_number', found: '21000021' },
  ],
  counterExamples: ['order 061000104', 'wire batch 061000105', 'n=436677330'],
};
