import { describe, expect, it } from 'vitest';
import { PII_TYPES } from '../../../../../src/core/pii.js';
import { createDetector } from '../../../../../src/privacy/detect/create-detector.js';
import { MACHINE_RECORDS } from '../../../../../src/privacy/detect/records/machine.js';

const detector = createDetector({ records: MACHINE_RECORDS });

function found(text: string): string[] {
  return detector
    .begin(new Set(PII_TYPES))
    .inText(text)
    .map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
}

/** A secret without a shape of its own: only its key tells. */
const SECRET = 'SECRET hunter22';

describe('JSON', () => {
  it.each([
    ['a member', '{"password":"hunter22"}'],
    ['a member below another', '{"db":{"password":{"value":"hunter22"}}}'],
    ['a string of JSON in JSON', JSON.stringify({ body: JSON.stringify({ password: 'hunter22' }) })],
    ['three strings deep', JSON.stringify([JSON.stringify({ a: JSON.stringify({ password: 'hunter22' }) })])],
    ['lines of JSON', '{"a":1}\n{"password":"hunter22"}\n'],
    ['a document in a line of a log', 'INFO sent body={"password": "hunter22"} in 3 ms'],
    ['an object of Python', "{'ok': True, 'password': 'hunter22'}"],
    ['an object of JavaScript', '{ok: true, password: "hunter22",}'],
    ['a document that ends too early', '{"a":[{"password":"hunter22'],
    ['a document with a fault', '{"a" 1, "password": "hunter22"}'],
    ['a name and a value', '[{"name":"DB_PASSWORD","value":"hunter22"}]'],
    ['rows with named columns', '{"columns":["id","password"],"rows":[[1,"hunter22"]]}'],
    ['a first row that names the columns', '[["id","password"],[1,"hunter22"]]'],
  ])('finds a value in %s', (_, text) => {
    expect(found(text)).toEqual([SECRET]);
  });

  it('never finds a key', () => {
    expect(found('{"jo@example.com":{"10.1.2.3":"x"}}')).toEqual([]);
  });

  it('gives places in the text as it was written, through escapes', () => {
    expect(found(String.raw`{"a":"mail \"jo\u0040example.com\" now"}`)).toEqual([
      String.raw`EMAIL jo\u0040example.com`,
    ]);
  });
});

describe('tables', () => {
  it.each([
    ['commas', 'id,password\n1,hunter22\n'],
    ['quoted cells', 'id,password\n"1, or 2","hunter22"\n'],
    ['a cell of two lines', 'note,password\n"a\nb",hunter22\n'],
    ['semicolons', 'id;Passwort\n1;hunter22\n'],
    ['tabs', 'id\tpassword\n1\thunter22\n'],
    ['pipes', '| id | password |\n|---|---|\n| 1 | hunter22 |\n'],
    ['psql', ' id | password \n----+----------\n  1 | hunter22\n'],
    ['blanks', 'ID   PASSWORD   AGE\n1    hunter22   3d\n'],
    ['INSERT', "INSERT INTO users (id, password) VALUES (1, 'hunter22');"],
  ])('takes the header of %s as keys', (_, text) => {
    expect(found(text)).toEqual([SECRET]);
  });

  it('takes no sentence for a header', () => {
    expect(found('Reset the password, please\nThanks, hunter22\n')).toEqual([]);
  });
});

describe('keys in text', () => {
  it.each([
    ['a line', 'host: db\npassword: hunter22\n'],
    ['a list', '- password: hunter22'],
    ['YAML below another key', 'db:\n  password: hunter22\n'],
    ['a value on the next line', 'Password:\nhunter22\n'],
    ['ini', '[client]\npassword = hunter22\n'],
    ['env', 'export DB_PASSWORD=hunter22'],
    ['a log', 'level=info password=hunter22 took=3ms'],
    ['a connection string', 'Server=db;Password=hunter22;Encrypt=True'],
    ['a query', 'https://x.example/?a=1&password=hunter22&b=2'],
    ['code', 'const password = "hunter22";'],
    ['an attribute', '<db host="a" password="hunter22"/>'],
    ['an element', '<db><password>hunter22</password></db>'],
    ['two in a line', 'a: 1, password: hunter22, c: 3'],
  ])('finds a value in %s', (_, text) => {
    expect(found(text)).toEqual([SECRET]);
  });

  it('takes neither an address nor a time for a key', () => {
    expect(found('Device cc:b3:78:fd:21:ea at 12:30:45')).toEqual(['MAC cc:b3:78:fd:21:ea']);
  });

  it('finds a private key of many lines as one', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nabc: def=\nxyz==\n-----END PRIVATE KEY-----';
    expect(found(`key: ${key}\nthanks`)).toEqual([`SECRET ${key}`]);
  });
});
