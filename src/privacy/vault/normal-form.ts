/** How the spellings of one value are brought together, by type. Types that are not here, own ones too, stay as written. */
const NORMAL_FORMS = new Map<string, (value: string) => string>(
  Object.entries({
    EMAIL: folded,
    IP: folded,
    PERSON: folded,
    ADDRESS: folded,
    DATE_OF_BIRTH: folded,
    PHONE: phone,
    SSN: lettersAndDigits,
    NATIONAL_ID: lettersAndDigits,
    CREDIT_CARD: lettersAndDigits,
    IBAN: lettersAndDigits,
    BANK_ACCOUNT: lettersAndDigits,
    PASSPORT: lettersAndDigits,
    DRIVER_LICENSE: lettersAndDigits,
    MEDICAL_ID: lettersAndDigits,
    MAC: lettersAndDigits,
  }),
);

/** Equal for the spellings of one value. Secrets, wallets and user names differ in every character. */
export function normalForm(type: string, value: string): string {
  return NORMAL_FORMS.get(type)?.(value) ?? value;
}

/** NFKC, lower case, white space as one blank. */
function folded(value: string): string {
  return value.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** NFKC, letters and digits only; as folded if none is left. */
function lettersAndDigits(value: string): string {
  return folded(value).replace(/[^\p{L}\p{Nd}]/gu, '') || folded(value);
}

/** The digits. A number written with letters (an extension, a word) keeps them: their place says which number it is. */
function phone(value: string): string {
  const text = folded(value);
  return /\p{L}/u.test(text) ? text : text.replace(/[^\p{Nd}]/gu, '') || text;
}
