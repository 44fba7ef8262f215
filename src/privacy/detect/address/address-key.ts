/** True when the keys of a value say that it is a postal address or its line of the street. */
export function isAddressKey(keys: readonly string[]): boolean {
  let at = keys.length - 1;
  while (at > 0 && /^\d+$/.test(keys[at] as string)) at--;
  const key = keys[at];
  if (key === undefined) return false;
  const before = known.get(key);
  if (before !== undefined) return before;
  const words = key
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  const result =
    words.length <= LONGEST &&
    words.some((word) => ADDRESS.has(word)) &&
    words.every((word) => !OTHER.has(word));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, result);
  return result;
}

const LONGEST = 5;
const MOST_KNOWN = 10_000;
const known = new Map<string, boolean>();

const ADDRESS: ReadonlySet<string> = new Set(
  (
    'address addresses addr address1 address2 streetaddress street streetline line1 line2 addressline postaladdress ' +
    'adresse adressen anschrift strasse strassenname direccion domicilio calle rue indirizzo adres straat endereco morada ' +
    'rua ulica adress gata gate vej residence postanschrift lieferadresse rechnungsadresse wohnadresse'
  ).split(' '),
);

/** With these it is the address of something else, or something about an address. */
const OTHER: ReadonlySet<string> = new Set(
  (
    'email mail e ip ipv mac web url uri http https wallet contract memory host hostname server bitcoin btc eth ethereum ' +
    'crypto token hardware network net gateway broadcast remote local source src dst bind listen listener peer node ' +
    'socket port interface physical virtual base register offset bus device from to reply cc bcc sender smtp imap dns ' +
    'type id ids uuid count verified valid validation status format label hash lang country city zip postcode ' +
    'state region code book name level view credit'
  ).split(' '),
);
