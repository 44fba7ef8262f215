// @ts-check
/**
 * The scenario of privacy, for the quickstart, the end-to-end test and the README: 500 customers behind a filesystem
 * server, reminders written through a second one, and what a curious program tries to make the model see.
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npmServer } from './npm-server.mjs';

/** What a person would ask the agent. */
export const PRIVACY_TASK =
  'Write a reminder for every customer with an invoice that was due before November and is not paid.';

/** What the agent writes: ordinary code over the files, with no thought of privacy. */
export const REMINDERS = `import csv, io

def load(name):
    return list(csv.DictReader(io.StringIO(tools.crm.read_text_file(path=f"{folder}/{name}")["content"])))

customers = {row["email"]: row for row in load("customers.csv")}
overdue = [row for row in load("invoices.csv") if row["paid"] == "no" and row["due"] < "2026-11-01"]
for invoice in overdue:
    customer = customers[invoice["email"]]
    tools.outbox.write_file(path=f"{outbox}/{invoice['invoice']}.txt", content=(
        f"To: {customer['name']} <{customer['email']}>\\nPhone: {customer['phone']}\\nIBAN: {customer['iban']}\\n\\n"
        f"Invoice {invoice['invoice']} over {invoice['amount']} EUR was due on {invoice['due']}.\\n"))
worst = max(overdue, key=lambda row: float(row["amount"]))
result = {"overdue": len(overdue), "total": round(sum(float(row["amount"]) for row in overdue), 2),
          "worst": customers[worst["email"]]}
`;

const FIRST_CUSTOMER = `import csv, io, base64
text = tools.crm.read_text_file(path=f"{folder}/customers.csv")["content"]
row = next(csv.DictReader(io.StringIO(text)))
email = row["email"]
`;

/** Ways of an honest or careless program to show a value. @type {Readonly<Record<string, string>>} */
export const ATTEMPTS = {
  'by printing it': `${FIRST_CUSTOMER}print(row["name"], email, row["phone"], row["iban"])`,
  'in base64': `${FIRST_CUSTOMER}base64.b64encode(email.encode()).decode()`,
  'in hexadecimal': `${FIRST_CUSTOMER}email.encode().hex()`,
  'URL-encoded': `${FIRST_CUSTOMER}import urllib.parse\nurllib.parse.quote("to=" + email)`,
  'by an exception': `${FIRST_CUSTOMER}raise ValueError(f"cannot mail {email}")`,
  'over several prints': `${FIRST_CUSTOMER}print(email[:5], end="")\nprint(email[5:])`,
  'as the key of a dict': `${FIRST_CUSTOMER}{email: 1}`,
  'by a file': `${FIRST_CUSTOMER}open("note.txt", "w").write(f"write to {email}, {row['phone']}")`,
};

/** Ways of a hostile program; only strict mode promises that they come to nothing. @type {Readonly<Record<string, string>>} */
export const HOSTILE_ATTEMPTS = {
  reversed: `${FIRST_CUSTOMER}email[::-1] + " " + row["iban"][::-1]`,
  'character by character': `${FIRST_CUSTOMER}for character in email: print(character)`,
  'as numbers': `${FIRST_CUSTOMER}[ord(character) * 7 + 3 for character in email]`,
};

/**
 * @typedef {object} PrivacyFolder
 * @property {string} customers Folder of the two tables, as the filesystem server names it.
 * @property {string} outbox
 * @property {Record<string, object>} mcpServers
 * @property {readonly string[]} values Every personal value of the tables.
 * @property {readonly Record<string, string>[]} people
 * @property {{ overdue: number, total: number }} expected
 * @property {Readonly<Record<string, string>>} letters The reminders as they must stand in the outbox, by file name.
 * @property {() => Record<string, string>} written The files of the outbox.
 * @property {() => void} remove
 */

/** The tables and the servers, in throw-away folders. @returns {PrivacyFolder} */
export function privacyFolder() {
  const customers = realpathSync(mkdtempSync(path.join(tmpdir(), 'customers-')));
  const outbox = realpathSync(mkdtempSync(path.join(tmpdir(), 'outbox-')));
  const people = Array.from({ length: 500 }, (_, index) => person(index));
  const invoices = people.map((one, index) => invoice(one, index));
  writeFileSync(path.join(customers, 'customers.csv'), csv(people));
  writeFileSync(path.join(customers, 'invoices.csv'), csv(invoices));
  const overdue = invoices.filter(({ paid, due }) => paid === 'no' && due < '2026-11-01');
  const filesystem = '@modelcontextprotocol/server-filesystem';
  return {
    customers,
    outbox,
    mcpServers: {
      crm: npmServer(filesystem, [customers]),
      // Writing a file replaces what was there, so the server calls it destructive: the operator lets it through.
      outbox: { ...npmServer(filesystem, [outbox]), tools: { allow: ['write_file'] } },
    },
    values: people.flatMap(({ name, email, phone, iban, address }) => [name, email, phone, iban, address]),
    people,
    expected: {
      overdue: overdue.length,
      total: Math.round(overdue.reduce((sum, { amount }) => sum + Number(amount) * 100, 0)) / 100,
    },
    letters: Object.fromEntries(overdue.map((one) => [`${one.invoice}.txt`, letter(one, people)])),
    written: () =>
      Object.fromEntries(
        readdirSync(outbox).map((name) => [name, readFileSync(path.join(outbox, name), 'utf8')]),
      ),
    remove() {
      for (const each of [customers, outbox]) rmSync(each, { recursive: true, force: true });
    },
  };
}

const GIVEN =
  'Marta Piotr Saoirse Henrik Amina Rafael Yuki Leila Tomasz Ingrid Declan Priya Sven Olga Mateo Chiara Anton Nadia Bruno Elif'.split(
    ' ',
  );
const FAMILY =
  'Kowalska Lindqvist Brennan Okafor Moreau Tanaka Haddad Nowak Sorensen Gallagher Iyer Bergman Petrova Castillo Ricci Weber Farouk Silva Yildiz Novotny Janssen Dubois Keller Marchetti Eriksson'.split(
    ' ',
  );
const STREETS = 'Harbour Road;Mill Lane;Station Street;Chapel Avenue;Orchard Drive'.split(';');

/** Made up, with valid check digits. @param {number} index */
function person(index) {
  const given = GIVEN[index % GIVEN.length] ?? '';
  const family = FAMILY[Math.floor(index / GIVEN.length)] ?? '';
  const street = STREETS[index % STREETS.length] ?? '';
  return {
    customer: `C${String(1000 + index)}`,
    name: `${given} ${family}`,
    email: `${given}.${family}${index}@mail.example.org`.toLowerCase(),
    phone: `+44 7700 900${String(index).padStart(3, '0')}`,
    iban: iban('DE', `37040044${String(532_013_000 + index * 7).padStart(10, '0')}`),
    address: `${index + 1} ${street}, Leeds LS${(index % 28) + 1} ${(index % 9) + 1}AB`,
  };
}

/**
 * @param {Record<string, string>} one
 * @param {number} index
 */
function invoice(one, index) {
  return {
    invoice: `INV-${String(20_000 + index)}`,
    email: String(one.email),
    amount: (35 + ((index * 7919) % 900) + 0.25).toFixed(2),
    due: `2026-${String(6 + (index % 6)).padStart(2, '0')}-15`,
    paid: index % 23 === 5 ? 'no' : 'yes',
  };
}

/** Check digits as ISO 13616 has them. @param {string} country @param {string} account */
function iban(country, account) {
  const digits = [...`${account}${country}00`].map((one) => parseInt(one, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
}

/** @param {readonly Record<string, string>[]} rows */
function csv(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (/** @type {string | undefined} */ text = '') => (/[",]/.test(text) ? `"${text}"` : text);
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.map(cell).join(',')}\n`)
    .join('');
}

/**
 * @param {ReturnType<typeof invoice>} one
 * @param {readonly Record<string, string>[]} people
 */
function letter(one, people) {
  const customer = people.find(({ email }) => email === one.email);
  return (
    `To: ${customer?.name} <${customer?.email}>\nPhone: ${customer?.phone}\nIBAN: ${customer?.iban}\n\n` +
    `Invoice ${one.invoice} over ${one.amount} EUR was due on ${one.due}.\n`
  );
}
