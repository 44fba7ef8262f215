import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_LOWER, HAS_UPPER } from '../words.js';

/** Private keys in PEM armour, from the first dash to the last. */
export const secretKeyBlock: DetectorRecord = {
  type: 'SECRET',
  source: 'RFC 7468, RFC 4880 section 6.2',
  trigger: { kind: 'word', has: HAS_UPPER, lacks: HAS_LOWER, minLength: 5, maxLength: 5 },
  match: matchBlock,
  examples: [
    {
      text: 'key:\n-----BEGIN PRIVATE KEY-----\n7P09irZLGqFLj0Mr\nntpr2cvM==\n-----END PRIVATE KEY-----\nbye',
      found: '-----BEGIN PRIVATE KEY-----\n7P09irZLGqFLj0Mr\nntpr2cvM==\n-----END PRIVATE KEY-----',
    },
    {
      text: '{"k":"-----BEGIN RSA PRIVATE KEY-----\\nPcfj\\n-----END RSA PRIVATE KEY-----"}',
      found: '-----BEGIN RSA PRIVATE KEY-----\\nPcfj\\n-----END RSA PRIVATE KEY-----',
    },
    {
      text: 'cut off: -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU',
      found: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU',
    },
  ],
  counterExamples: [
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZI\n-----END PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'BEGIN PRIVATE KEY is the label',
  ],
};

function matchBlock({ words }: Situation, _word: number, at: number): Match | undefined {
  const { text } = words;
  if (!text.startsWith('BEGIN ', at) || !text.startsWith('-----', at - 5)) return undefined;
  const header = HEADER.exec(text.slice(at, at + 80));
  if (!header) return undefined;
  const body = at + header[0].length;
  const next = text.indexOf('-----', body);
  if (next !== -1 && next - body <= LONGEST && text.startsWith('END ', next + 5)) {
    const close = text.indexOf('-----', next + 9);
    if (close !== -1 && close - next < 80) return { start: at - 5, end: close + 5, score: 99 };
  }
  // Cut off: as far as the lines are base64.
  const rest = BODY.exec(text.slice(body, body + LONGEST))?.[0].trimEnd() ?? '';
  return rest.length === 0 ? undefined : { start: at - 5, end: body + rest.length, score: 97 };
}

const LONGEST = 32_000;
const HEADER = /^BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const BODY = /^(?:\\[nr]|[A-Za-z0-9+/=\s])+/;
