import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT } from '../words.js';
import { readIdentifier } from './identifier.js';
import { LABEL_SCORE, type LabelledRule, matchLabelled } from './labelled.js';
import { Labels, phraseList } from './labels.js';

const NAMES = phraseList(`
  kto, kto nr, c c, acct, c c c, account number, account no, account nr, account num, acct number, acct no, acct num, acctno, accnum,
  acc no, acc number, bank account, bank acct, bank account number, checking account, savings account,
  deposit account, beneficiary account, recipient account, giro account, kontonummer, konto nr, kontonr,
  bankkonto, bankverbindung, girokonto, numéro de compte, numero de compte, compte bancaire, rib,
  número de cuenta, numero de cuenta, cuenta bancaria, cuenta corriente, nº de cuenta, ccc, clabe,
  numero di conto, conto corrente, conto bancario, rekeningnummer, bankrekening, rekening,
  número da conta, numero da conta, conta corrente, conta bancária, conta poupança, numer konta,
  numer rachunku, bankgiro, plusgiro, 口座番号, 계좌번호, 银行账号, 银行卡号
`);

const SPOKEN = [
  ...NAMES,
  'account',
  'accounts',
  'acct',
  'acc',
  'a c',
  'bank',
  'konto',
  'cuenta',
  'compte',
  'conto',
  'conta',
];

const RULE: LabelledRule = {
  type: 'BANK_ACCOUNT',
  labels: new Labels(NAMES),
  minDigits: 5,
  minLength: 6,
  maxDigits: 24,
};

const vagueLabels = new Labels(SPOKEN.filter((name) => name !== 'bank'));

/** National account numbers have 5 to 24 digits and mostly no check that holds everywhere: the label decides. */
export const bankAccount: DetectorRecord = {
  type: 'BANK_ACCOUNT',
  source: 'ISO 13616 BBAN registry, https://www.swift.com/resource/iban-registry-pdf',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minLength: 2, maxLength: 24 },
  context: SPOKEN,
  keys: NAMES,
  match: (situation, word) =>
    matchLabelled(RULE, situation, word) ?? matchVague(situation, word) ?? matchEnding(situation, word),
  examples: [
    { text: 'Wire to account number 0081400279, please', found: '0081400279' },
    { text: 'Bank account 8721938475 registered under Chloe', found: '8721938475' },
    { text: 'member accounts like 9021003456 from a credit union', found: '9021003456' },
    { text: 'refunds (ACC: ING1234567890) and', found: 'ING1234567890' },
    { text: 'Kontonummer: 532 013 000, BLZ 370 400 44', found: '532 013 000' },
    { text: 'debited from account XXXXXX4321', found: 'XXXXXX4321' },
    { text: 'Agência 0001 Conta 12345-6', found: '12345-6' },
    { text: 'his checking account number ending with 7854', found: '7854' },
    { text: 'número de cuenta 2100 0418 45 0200051332', found: '2100 0418 45 0200051332' },
    { text: '24568538', key: 'accountNumber', found: '24568538' },
  ],
  counterExamples: [
    'Order total: $704.11 (tax $4611.99)',
    'account 12 of 40',
    'batch 2183984603955312 finished',
    'The account was opened on 2019-07-08',
    { text: 'acct_none', key: 'account_number' },
  ],
};

/** "account 12345678", "details of account X": no word for a number, so the value must look like one. */
function matchVague(situation: Situation, word: number): Match | undefined {
  const { words } = situation;
  if (!vagueLabels.before(words, word)) return undefined;
  const id = readIdentifier(words, word);
  if (!id || id.firstWord !== word || id.digits > 18 || id.letters > 4) return undefined;
  // Brazil writes the check digit behind a dash: "Conta 12345-6".
  const isChecked = /^[0-9]{4,10}-[0-9xX]$/.test(words.text.slice(id.start, id.end));
  if (id.digits < 8 && !isChecked) return undefined;
  return { start: id.start, end: id.end, score: 70 };
}

/** The last digits of an account: "account number ending in 7854", "account *456". */
function matchEnding({ words }: Situation, word: number): Match | undefined {
  const { text, starts, ends } = words;
  const end = ends[word] as number;
  const last = /^([xX]{0,12})[0-9]{3,6}$/.exec(text.slice(starts[word], end));
  if (!last) return undefined;
  const start = (starts[word] as number) + (last[1] as string).length;
  let from = starts[word] as number;
  while (from > 0 && start - from < 20 && MASKS.includes(text.charAt(from - 1))) from--;
  const masked = from < start;
  if (!masked && !ENDING.test(text.slice(Math.max(0, start - 24), start))) return undefined;
  return vagueLabels.before(words, word) ? { start: from, end, score: LABEL_SCORE } : undefined;
}

const MASKS = '*•xX#';
const ENDING =
  /\b(?:ending|ends|endet|endend|terminada?|terminant|finale?)\s+(?:in|with|on|auf|en|par|em)\s*['"]?$/i;
