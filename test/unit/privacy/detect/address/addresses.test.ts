import { describe, expect, test } from 'vitest';
import { findNames } from '../names/find-names.js';

describe('a postal address in text', () => {
  test.each([
    ['221B Baker Street, London NW1 6XE, United Kingdom'],
    ['1600 Pennsylvania Ave NW, Washington, DC 20500'],
    ['350 Fifth Avenue, Suite 3300\nNew York, NY 10118'],
    ['Flat 4, 10 Downing Street'],
    ['42 Wallaby Way, Sydney'],
    ['12345 224 Forrest Hill Road'],
    ['PO Box 1234, Springfield, IL 62701'],
    ['Unit 4719 Box 7394\nDPO AP 70942'],
    ['Musterstraße 12a, 80331 München'],
    ['Am Kirchhof 5, 12345 Berlin'],
    ['12 bis rue de Rivoli, 75004 Paris'],
    ['Calle de Alcalá, 45, 28014 Madrid'],
    ['Via Garibaldi 7, 20121 Milano'],
    ['Keizersgracht 174, 1016 DW Amsterdam'],
    ['ul. Marszałkowska 10/12, 00-590 Warszawa'],
    ['Rua Augusta 1500, São Paulo'],
    ['Storgata 5, 0155 Oslo'],
    ['Hegedűs utca 76. Apt. 289 Mogyorósbánya Hungary'],
  ])('is one span: %s', (address) => {
    expect(findNames(`Ship it to ${address}.`)).toEqual([`ADDRESS: ${address}`]);
  });

  test('ends where the next field begins', () => {
    expect(findNames('Address: 12 Oak Street, Leeds\nPhone: 12345 Mobile')).toEqual([
      'ADDRESS: 12 Oak Street, Leeds',
    ]);
  });

  test('hides the person after whom its street is named', () => {
    expect(findNames('29 rue Victor Hugo, 69018 Paris')).toEqual([
      'ADDRESS: 29 rue Victor Hugo, 69018 Paris',
    ]);
  });

  test.each([
    ['Berlin, Germany'],
    ['62704'],
    ['Room 12, Building 5'],
    ['Chapter 5 Section 3 Page 2'],
    ['The 2024 Annual Report has 99 Bottles of Beer and 12 Angry Men.'],
    ['Version 12 Street Fighter, 5 Star Review'],
    ['Order 5, 20000 Units'],
    ['str of 200, STRING 5, the place. UTF-16'],
  ])('is not seen in %s', (text) => {
    expect(findNames(text)).toEqual([]);
  });
});

describe('a value under the key of an address', () => {
  test.each([
    [['address'], 'Lindenallee 4\n50667 Köln'],
    [['billing', 'street'], 'Shibuya 2-21-1, Tokyo'],
    [['shipping address'], 'Rose Cottage, Little Snoring'],
    [['address line 2'], 'Flat 3'],
    [['dirección'], 'Plaza Mayor 1'],
    [['address'], '東京都渋谷区2-21-1'],
  ])('%j is one: %s', (keys, text) => {
    expect(findNames({ text, keys })).toEqual([`ADDRESS: ${text}`]);
  });

  test.each([
    [['ip address'], '10.0.0.1 Main'],
    [['email address'], 'Anna 5'],
    [['wallet address'], 'Bc1 Qar0'],
    [['address'], 'anna@example.com 5'],
    [['address'], '127.0.0.1:8080'],
    [['address'], '0x52908400098527886E0F7030069857D2E4169EE7'],
    [['address'], 'enter your address'],
    [['address'], 'required|string'],
  ])('%j is none: %s', (keys, text) => {
    expect(findNames({ text, keys })).toEqual([]);
  });
});
