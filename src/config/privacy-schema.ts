import { z } from 'zod';
import { type DetectWord, PII_TYPES, PRIVACY_MODES, RESTORE_RULES } from '../core/pii.js';

const detectWords = [
  'standard',
  'full',
  ...PII_TYPES,
  ...PII_TYPES.map((type) => `-${type}` as const),
] as const;

/** `"full"`, or a list such as `["standard", "PERSON", "-PHONE"]`. */
export const detectSchema = z
  .union([z.enum(['standard', 'full']), z.array(z.enum(detectWords)).max(100)])
  .transform((words): readonly DetectWord[] => (typeof words === 'string' ? [words] : words));

const ownPattern = z.strictObject({
  type: z.string().regex(/^[A-Z][A-Z_]{1,29}$/),
  pattern: z.string().min(1).max(1_000),
});

export const privacyKeys = {
  mode: z
    .enum(PRIVACY_MODES)
    .default('egress')
    .describe(
      'When personal data becomes tokens. "egress": code works on true values, and what leaves for the model is tokenised. "strict": results of tools are tokenised as they enter the sandbox, so that code cannot see a value either. "off": never.',
    ),
  detect: detectSchema
    .default(['standard'])
    .describe(
      'Kinds that are hidden. "standard": secrets, credentials in URLs, cards, accounts, IBAN, government and medical ids, e-mail, phone. "full": also persons, addresses, birth dates, IP and MAC addresses, wallets, user names. Or a list of kinds, where "-PHONE" leaves one out.',
    ),
  restore: z
    .enum(RESTORE_RULES)
    .default('own')
    .describe(
      'What restore_pii may show to the model. "own": only values that the agent sent itself. "ask": others if the person agrees. "allow": all. "never": none.',
    ),
  patterns: z
    .array(ownPattern)
    .max(100)
    .default([])
    .describe(
      'Kinds of your own: {"type": "EMPLOYEE_ID", "pattern": "EMP-[0-9]{6}"}, in the syntax of RE2, whose time is linear in the text.',
    ),
  allowValues: z
    .array(z.string().min(1).max(500))
    .max(10_000)
    .default([])
    .describe('Values that are shown as they are, such as the address of your support desk.'),
  allowDomains: z
    .array(z.string().regex(/^[^\s@]{1,253}$/))
    .max(1_000)
    .default([])
    .describe('E-mail addresses at these domains and below them are shown as they are.'),
  personModel: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe(
      'A module of yours that finds people in prose: it exports findPersons(text), which returns [{start, end}] at once. It runs in the server, unconfined. A relative path starts at the folder of the configuration file.',
    ),
  keep: z
    .boolean()
    .default(true)
    .describe(
      'Keeps tokens and their values, encrypted, so that tokens in files mean something after a restart. false: in memory only, erased at the end.',
    ),
  keepDays: z
    .number()
    .min(0.01)
    .max(3_650)
    .default(7)
    .describe('A value that nobody used for this long is erased, in days.'),
  maxValues: z
    .number()
    .int()
    .min(100)
    .max(2_000_000)
    .default(200_000)
    .describe('The most values that are kept for one principal.'),
};
