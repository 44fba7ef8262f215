import { validate as atVnr } from 'stdnum/lib/cjs/at/vnr.js';
import { validate as auTfn } from 'stdnum/lib/cjs/au/tfn.js';
import { validate as bgEgn } from 'stdnum/lib/cjs/bg/egn.js';
import { validate as brCpf } from 'stdnum/lib/cjs/br/cpf.js';
import { validate as caSin } from 'stdnum/lib/cjs/ca/sin.js';
import { validate as hrOib } from 'stdnum/lib/cjs/hr/oib.js';
import { validate as inAadhaar } from 'stdnum/lib/cjs/in/aadhaar.js';
import { validate as nlBsn } from 'stdnum/lib/cjs/nl/bsn.js';
import { validate as plNip } from 'stdnum/lib/cjs/pl/nip.js';
import { validate as plPesel } from 'stdnum/lib/cjs/pl/pesel.js';
import { validate as ptNif } from 'stdnum/lib/cjs/pt/nif.js';
import { validate as roCnp } from 'stdnum/lib/cjs/ro/cnp.js';
import { validate as thId } from 'stdnum/lib/cjs/th/idnr.js';
import { validate as trTckn } from 'stdnum/lib/cjs/tr/tckimlik.js';
import { validate as zaId } from 'stdnum/lib/cjs/za/idnr.js';
import { describe, expect, it } from 'vitest';
import { NATIONAL_NUMBERS } from '../../../../../src/privacy/detect/check-digits/national-numbers.js';

type Validate = (value: string) => { isValid: boolean };

/** An independent implementation of the same checks. */
const ORACLES: Record<string, Validate> = {
  atVnr,
  auTfn,
  bgEgn,
  brCpf,
  caSin,
  hrOib,
  inAadhaar,
  nlBsn,
  plNip,
  plPesel,
  ptNif,
  roCnp,
  thId,
  trTckn,
  zaId,
};

describe('national numbers', () => {
  it.each(Object.entries(ORACLES))(
    '%s passes whatever an independent implementation passes',
    (name, validate) => {
      const number = NATIONAL_NUMBERS[name];
      if (!number) throw new Error(`no check is called ${name}`);
      const digits = randomDigits(number.length, 15_000);
      const refused = digits.filter((text) => validate(text).isValid && !number.passes(text));
      expect(refused).toEqual([]);
      expect(digits.some((text) => number.passes(text))).toBe(true);
    },
  );

  it.each(Object.entries(NATIONAL_NUMBERS))('%s refuses most of what is random', (_, { length, passes }) => {
    const digits = randomDigits(length, 5_000);
    expect(digits.filter(passes).length / digits.length).toBeLessThan(0.13);
  });

  it('a German tax number repeats exactly one digit, twice or three times', () => {
    expect(NATIONAL_NUMBERS.deIdnr?.passes('36574261809')).toBe(true);
    expect(NATIONAL_NUMBERS.deIdnr?.passes('36574261808')).toBe(false);
    expect(NATIONAL_NUMBERS.deIdnr?.passes('36554266806')).toBe(false);
  });

  it('passes published examples of the numbers that have no second implementation', () => {
    expect(NATIONAL_NUMBERS.jpMyNumber?.passes('123456789018')).toBe(true);
    expect(NATIONAL_NUMBERS.jpMyNumber?.passes('123456789017')).toBe(false);
    expect(NATIONAL_NUMBERS.noFnr?.passes('15108695088')).toBe(true);
    expect(NATIONAL_NUMBERS.noFnr?.passes('15108695077')).toBe(false);
    expect(NATIONAL_NUMBERS.ilId?.passes('039337423')).toBe(true);
    expect(NATIONAL_NUMBERS.ilId?.passes('039337424')).toBe(false);
  });
});

/** The same numbers every time: a linear congruential generator. */
function randomDigits(length: number, count: number): string[] {
  let state = 12_345;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % 10;
  };
  return Array.from({ length: count }, () => Array.from({ length }, next).join(''));
}
