import { describe, expect, test } from 'vitest';
import { findNames } from './find-names.js';

const people = (text: string): string[] =>
  findNames(text)
    .filter((found) => found.startsWith('PERSON: '))
    .map((found) => found.slice('PERSON: '.length));

describe('a person in prose', () => {
  test.each([
    ['a given name and a surname', 'Signed by Thandiwe Mkhize on Tuesday.', ['Thandiwe Mkhize']],
    ['initials', 'Kate M Begum and Maria J. R. Okafor signed.', ['Kate M Begum', 'Maria J. R. Okafor']],
    ['a title, which is no part of it', 'Please ask Dr. Abernathy or Frau Müller.', ['Abernathy', 'Müller']],
    ['an office before a surname', 'Officer Barnes took the report.', ['Barnes']],
    [
      'particles',
      'Sr. Joaquín de la Vega met Anneliese van der Berg.',
      ['Joaquín de la Vega', 'Anneliese van der Berg'],
    ],
    ['hyphens and apostrophes', "Mary-Jane O'Brien-Nakamura will come.", ["Mary-Jane O'Brien-Nakamura"]],
    ['Arabic particles', 'Omar bin Khalid al-Farsi arrived.', ['Omar bin Khalid al-Farsi']],
    [
      'letters that the list has without their marks',
      'Zdeněk Šťastný and Siobhán Łukasz called.',
      ['Zdeněk Šťastný', 'Siobhán Łukasz'],
    ],
    ['a suffix', 'Martin Luther King Jr. spoke.', ['Martin Luther King Jr']],
    ['a well-known given name alone', 'He told Priyanka that it was ready.', ['Priyanka']],
    ['a rare given name that is told as a name', 'My name is Rubija, what is yours?', ['Rubija']],
    ['a greeting', 'Hi Vinicio, the file is here.', ['Vinicio']],
    ['a signature', 'See you.\n\nBest regards,\nTunde Adeyemi\nHead of Sales', ['Tunde Adeyemi']],
    ['the name of a mail address', '"Oluwaseun Adebayo" <o@example.org>', ['Oluwaseun Adebayo']],
    ['a label', 'Assignee: Xyra Qwolsky\nBuild: Abra Qwozzle', ['Xyra Qwolsky']],
    [
      'a surname that is a word, behind a given name',
      'Anna Baker and Peter Green left.',
      ['Anna Baker', 'Peter Green'],
    ],
    [
      'a given name that is a word, before a surname',
      'Grace Okonkwo and Mark Johnson left.',
      ['Grace Okonkwo', 'Mark Johnson'],
    ],
    ['a list', 'Anna, Boris and Clara agreed.', ['Anna', 'Boris', 'Clara']],
    ['capital letters', 'JOHN SMITH', ['JOHN SMITH']],
    ['a French surname in capitals', 'Contactez Jean DUPONT demain.', ['Jean DUPONT']],
    ['no capital letters at all', 'hi, this is from anna kowalski about the bill', ['anna kowalski']],
    ['small letters behind "my name is"', 'My name is rebecca stone and I live here.', ['rebecca stone']],
    ['a Japanese form of address', '昨日、田中さんと話しました。', ['田中']],
  ])('is found by %s', (_, text, expected) => {
    expect(people(text)).toEqual(expected);
  });

  test('is found again by one part of the name, once the whole was told', () => {
    expect(people('Uxolani Ndwandwe called. Later Ndwandwe asked for Uxolani.')).toEqual([]);
    expect(people('Patient Uxolani Ndwandwe called. Later Ndwandwe asked for Uxolani.')).toEqual([
      'Uxolani Ndwandwe',
      'Ndwandwe',
      'Uxolani',
    ]);
  });

  test('is found by a part that stands before the whole name', () => {
    expect(people('So Ndwandwe agreed. Contact: Uxolani Ndwandwe.')).toEqual([
      'Ndwandwe',
      'Uxolani Ndwandwe',
    ]);
  });
});

describe('no person', () => {
  test.each([
    ['places', 'San Francisco, New York, St. Louis and Los Angeles; Austin, Texas; Saint Petersburg'],
    ['places that are names', 'Jordan, Georgia, Chad and Austin are on the map.'],
    [
      'organisations',
      'Stanford University, the Florence Nightingale Foundation, Kennedy Airport, Lincoln Park, Chase Bank',
    ],
    ['firms with two names', 'Sterling & Associates and Morgan Stanley met Goldman Sachs.'],
    ['brands', 'Apple, Siemens, Mercedes and Tesla'],
    ['software', 'Jenkins, Travis, Kafka, Django, Julia, Ruby and Cassandra run here.'],
    ['days and months', 'Monday in April, Tuesday in May, June or August'],
    [
      'words at the start of a sentence',
      'Grace period is over. Will this work? Mark the box. May I? Rose is a colour.',
    ],
    [
      'headings',
      'Terms And Conditions\nTable Of Contents\nInternal Server Error\nGrant Access Denied\nMax Retries Exceeded',
    ],
    ['code', 'class Foo extends Maria.Bar { anna() { return Peter(1) + /Anna/path } }'],
    ['acronyms', 'My IBAN, her NINO, the server IP and the Cisco MAC are here.'],
    ['greetings of nobody', 'Dear Customer, Dear Sir or Madam, Hi Team, Hello World'],
    ['compounds', 'Kafka-based, Maria-like and Access-Control-Max-Age'],
    ['placeholders', 'owner: Any\nauthor: None\nassignee: Unassigned'],
    ['an address of mail', 'JonathanPLaursen@example.com'],
  ])('is seen in %s', (_, text) => {
    expect(findNames(text)).toEqual([]);
  });
});
