import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LOWER, IS_FOREIGN } from '../words.js';
import { startsFree } from './starts-free.js';

/** Spanish numbers of foreigners (NIE) by shape and check letter; those of citizens (DNI) with a word for it as well. */
export const nationalIdEs: DetectorRecord = {
  type: 'NATIONAL_ID',
  source:
    'https://www.interior.gob.es/opencms/es/servicios-al-ciudadano/tramites-y-gestiones/dni/calculo-del-digito-de-control-del-nif-nie/',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LOWER | IS_FOREIGN, minLength: 8, maxLength: 9 },
  context: ['dni', 'nie', 'nif', 'extranjero', 'documento'],
  match(situation, word) {
    const { words } = situation;
    const start = words.starts[word] as number;
    const end = words.ends[word] as number;
    if (isDigit(words.text.charCodeAt(end - 1)) && words.text.charCodeAt(end) !== 0x2d) return undefined;
    const found = /^([XYZ]?)([0-9]{7,8})-?([A-Z])(?![0-9A-Za-z_-])/.exec(words.text.slice(start, start + 11));
    if (!found || !startsFree(words.text, start)) return undefined;
    const [whole, century = '', digits = '', letter = ''] = found;
    if (digits.length !== (century === '' ? 8 : 7)) return undefined;
    if (CHECK.charAt(Number((century === '' ? '' : 'XYZ'.indexOf(century)) + digits) % 23) !== letter)
      return undefined;
    const said = situation.keySays('NATIONAL_ID') || situation.contextSays('NATIONAL_ID', word);
    if (century === '' && !said) return undefined;
    return { start, end: start + whole.length, score: said ? 97 : 65 };
  },
  examples: [
    { text: 'Z8078221M en mi NIE', found: 'Z8078221M' },
    { text: 'mi número de identificación de extranjero es Y8063915-Z', found: 'Y8063915-Z' },
    { text: '35684466N es el DNI de Marta', found: '35684466N' },
  ],
  counterExamples: ['Z8078221K', '35684466N', 'DNI 35684466-', 'SKU-Z8078221M'],
};

const CHECK = 'TRWAGMYFPDXBNJZSQVHLCKE';

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
