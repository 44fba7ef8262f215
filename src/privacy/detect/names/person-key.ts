/** What a key says about its value: {@link OTHER_THING}: no person. {@link SILENT}: nothing. */
export const OTHER_THING = -1;
export const SILENT = 0;
/** `name` alone, which products have as well: the value must look like a person's. */
export const A_NAME = 1;
/** A part that a person plays (`owner`): a name, or an id, or a department. */
export const A_ROLE = 2;
/** `full name`, `surname`, `cardholder`: a person, whatever the value looks like. */
export const A_PERSON = 3;

/** What the keys of a value say; the last one first of all. @param keys lower-case words joined by a blank. */
export function gradeOfKeys(keys: readonly string[]): number {
  let at = keys.length - 1;
  while (at > 0 && isNumber(keys[at] as string)) at--;
  if (at < 0) return SILENT;
  const own = gradeOfKey(keys[at] as string);
  if (own !== A_NAME || at === 0) return own;
  let over = at - 1;
  while (over > 0 && isNumber(keys[over] as string)) over--;
  const above = wordsOf(keys[over] as string);
  if (above.some(isRole)) return A_PERSON;
  return above.some((word) => THINGS.has(word) || THINGS.has(singular(word))) ? OTHER_THING : A_NAME;
}

/** What one key, column or label says. @param key lower-case words joined by a blank. */
export function gradeOfKey(key: string): number {
  const before = known.get(key);
  if (before !== undefined) return before;
  const grade = judge(wordsOf(key));
  // Keys may be values (ids as keys): the memory must not grow with them.
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, grade);
  return grade;
}

function judge(words: readonly string[]): number {
  if (words.length === 0 || words.length > LONGEST) return SILENT;
  if (words.every((word) => PARTS.has(word))) return A_PERSON;
  const hasName = words.some((word) => NAME.has(word));
  const rest = words.filter((word) => !NAME.has(word) && !FILLERS.has(word));
  if (rest.length === 0) return hasName ? A_NAME : SILENT;
  if (!hasName && rest.every(isPartPlayed) && rest.some((word) => !QUALIFIERS.has(word))) return A_ROLE;
  if (rest.some((word) => THINGS.has(word))) return OTHER_THING;
  const isPart = (word: string): boolean => QUALIFIERS.has(word) || PARTS.has(word);
  if (!hasName) return SILENT;
  return rest.every((word) => isPart(word) || isRole(word)) ? A_PERSON : OTHER_THING;
}

function isPartPlayed(word: string): boolean {
  return isRole(word) || ACTS.has(word);
}

function isRole(word: string): boolean {
  return ROLES.has(word) || ROLES.has(singular(word));
}

function wordsOf(key: string): string[] {
  return key
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !isNumber(word));
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

const LONGEST = 5;
const MOST_KNOWN = 10_000;
const known = new Map<string, number>();

const NAME = set('name names nom nome nombre naam imie navn namn nimi fn cn nombres noms');

/** Words that mean a part of a person's name by themselves. */
const PARTS = set(
  'firstname lastname fullname surname surnames forename forenames givenname familyname middlename maidenname ' +
    'displayname realname legalname vorname vornamen nachname familienname prenom prenoms apellido apellidos cognome ' +
    'voornaam achternaam nazwisko sobrenome fornavn etternavn efternavn efternamn fornamn patronymic fname lname ' +
    'cardholder accountholder titular titulaire kontoinhaber karteninhaber beneficiario',
);

const QUALIFIERS = set(
  'first last full given family sur middle maiden display legal real preferred nick birth complete completo completa ' +
    'complet vollstandiger voller de du des del der dos la propre propio own personal emergency primary secondary main',
);

/** Parts that people play. */
const ROLES = set(
  'person people customer client patient employee contact member author owner assignee reporter reviewer approver ' +
    'requester requestor recipient sender beneficiary payee payer signatory signer applicant candidate student teacher ' +
    'doctor physician nurse manager supervisor holder cardholder tenant landlord driver passenger guest attendee ' +
    'participant subscriber buyer purchaser seller borrower insured policyholder claimant plaintiff defendant suspect ' +
    'victim witness parent guardian spouse husband wife father mother child son daughter sibling partner relative ' +
    'lead creator editor writer artist actor director producer speaker interviewer organizer organiser ' +
    'broker technician engineer coach captain founder ceo committer maintainer resident voter user ' +
    'billing shipping next kin emergency kunde kundin patientin mitarbeiter mitarbeiterin ansprechpartner ' +
    'inhaber empfanger absender auteur proprietaire employe destinataire expediteur cliente paciente empleado autor ' +
    'propietario destinatario remitente titular dipendente from to cc attn attention individual contacts staff ' +
    'leader mentor colleague personnel worker caller callee hcp provider prescriber donor heir trustee executor',
);

/** `created by`: verbs and the words around them. */
const ACTS = set(
  'by to for created updated modified assigned approved signed reviewed requested submitted uploaded prepared written ' +
    'posted edited reported closed opened completed entered verified authorized authorised issued ordered handled ship shipped bill billed sold deliver delivered send sent ' +
    'attending primary secondary main responsible on behalf of in charge care',
);

const FILLERS = set('the a an of value text field data info en fr de es line');

/** What a thing is, or a thing whose name it is. */
const THINGS = set(
  'file filename path folder directory host hostname server domain machine node user username login nickname handle ' +
    'product item sku article goods model brand make company companies organization organisation org business employer ' +
    'vendor supplier merchant manufacturer bank institution firm agency hospital clinic school university college ' +
    'department dept division team group unit event function func method class module package library repo repository ' +
    'branch project app application service tool plugin extension table column field schema database db index view ' +
    'queue topic channel bucket cluster namespace container image pod job task step stage pipeline workflow process ' +
    'thread rule policy role permission scope category tag label type kind status state country city town region ' +
    'province county district street place location venue site building room store shop restaurant hotel station ' +
    'airport language currency color colour font theme template page section chapter book movie film song album track ' +
    'show series game level character species breed drug medication medicine disease diagnosis procedure test course ' +
    'subject degree program programme plan package subscription license licence key token secret password variable ' +
    'env environment config setting option parameter param attribute property metric counter device sensor vehicle ' +
    'car vessel flight train route stop stadium club league competition tournament award party ticket issue ' +
    'milestone release version build artifact document doc report form sheet format encoding charset protocol ' +
    'interface network port zone record set list feature layer dataset variant unicode glyph emoji icon ' +
    'firma produkt ort stadt land strasse datei verein entreprise societe produit ville pays fichier empresa producto ' +
    'ciudad pais archivo azienda prodotto citta bedrijf stad pet dog cat campaign',
);
