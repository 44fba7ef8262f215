import { describe, expect, it } from 'vitest';
import { createDetector } from '../../../../../src/privacy/detect/create-detector.js';
import { NUMBER_RECORDS } from '../../../../../src/privacy/detect/records/numbers.js';

const detector = createDetector({ records: NUMBER_RECORDS });
const types = new Set(NUMBER_RECORDS.map(({ type }) => type));

/** The text with what is found in it as `[TYPE value]`. */
function marked(text: string): string {
  let out = '';
  let last = 0;
  for (const { start, end, type } of detector.begin(types).inText(text)) {
    out += `${text.slice(last, start)}[${type} ${text.slice(start, end)}]`;
    last = end;
  }
  return out + text.slice(last);
}

const bare = (text: string): string => text.replace(/\[([A-Z_]{3,}) ([^\]]+)\]/g, '$2');

describe('numbers in what tools return', () => {
  it.each([
    '{"id":"cus_NffrFeUfNV2Hib","phone":"[PHONE +14155550123]","livemode":false}',
    '{"tax_ids":{"data":[{"type":"eu_vat","value":"[NATIONAL_ID DE123456789]"}]}}',
    '{"mobilephone":"[PHONE 555-987-6543]","date_of_birth":"[DATE_OF_BIRTH 1985-02-14]","id":"51"}',
    '{"identifier":[{"system":"http://hl7.org/fhir/sid/us-ssn","value":"[SSN 444-22-2222]"}]}',
    '{"telecom":[{"system":"phone","value":"[PHONE (03) 5555 6473]","use":"work"}]}',
    '{"MobilePhone":"[PHONE 0171 2345678]","HomePhone":"[PHONE 089/12345678]"}',
    '{"social_security_number":"[SSN 123456789]","ssn_last4":"[SSN 6789]"}',
    '{"national_id":"[NATIONAL_ID 860901-5789]","bsn":[NATIONAL_ID 123456782]}',
    '{"taxId":"[NATIONAL_ID 98-7654321]","identityNumber":"[NATIONAL_ID 8001015009087]"}',
    '{"account_number":"[BANK_ACCOUNT 000123456789]","routing_number":"[BANK_ACCOUNT 110000000]"}',
    '{"bank_account":{"number":"[BANK_ACCOUNT 12345678]","sort_code":"[BANK_ACCOUNT 20-00-00]"}}',
    '{"passportNumber":"[PASSPORT 533401372]","expires":"2031-01-02"}',
    '{"driver_license_number":"[DRIVER_LICENSE Y1234567]","state":"CA"}',
    '{"mrn":"[MEDICAL_ID E1234567]","patientId":"[MEDICAL_ID P-100234]","visits":12}',
    '{"birthday":"[DATE_OF_BIRTH 1990-05-01T00:00:00.000Z]","created":"2020-05-01T00:00:00.000Z"}',
    '| SSN | [SSN 219-09-9999] |',
    'TEL;TYPE=WORK,VOICE:[PHONE (212) 555-1212]\nBDAY:[DATE_OF_BIRTH 19870427]',
    '<a href="tel:[PHONE +442079460958]">call</a>',
  ])('structure: %s', (text) => {
    expect(marked(bare(text))).toBe(text);
  });

  it.each([
    'Tel.: [PHONE +43 1 234 56 78], Fax [PHONE +43 1 234 56 79]',
    'Bitte rufen Sie mich unter [PHONE 0151 23456789] an.',
    'Rückruf unter [PHONE (0221) 987 65-43] erbeten',
    'Vous pouvez me joindre au [PHONE 06 12 34 56 78].',
    'Mon numéro : [PHONE +33 (0)6 12 34 56 78]',
    'Llámame al [PHONE 612 345 678] mañana',
    'chiamami al [PHONE 347 123 4567]',
    'Bel me op [PHONE 06-12345678]',
    'kantoor: [PHONE 020-555 12 34]',
    'Liga para [PHONE (21) 99999-8888]',
    'telemóvel [PHONE 912 345 678]',
    'Reach her at [PHONE (02) 9876 5432] or [PHONE 0412 345 678].',
    'Mobile: [PHONE 98765 43210], alt [PHONE +91-98765-43210]',
    'WhatsApp [PHONE 5511987654321]',
    'his phone (cell) is [PHONE 646 555 0199]',
    'Contact: [PHONE 212-555-0100 x123], then [PHONE 212.555.0100 ext 5]',
    '2024-01-05 10:22:01 INFO caller [PHONE +15005550006] connected',
    '2024-01-05 10:22:01 WARN caller [PHONE 212-555-0131] hung up',
    '[PHONE 082 490 1693]-Office',
    'fax: [PHONE 0049-30-1234567]',
    'telefoonnummer [PHONE 0612345678], BSN [NATIONAL_ID 123456782]',
    '[PHONE +358 40 1234567] [PHONE +47 22 12 34 56] [PHONE +45 12 34 56 78]',
    '<td>Phone</td><td>[PHONE 020 7946 0123]</td><td>NHS</td><td>[MEDICAL_ID 943 476 5919]</td>',
  ])('telephones: %s', (text) => {
    expect(marked(bare(text))).toBe(text);
  });

  it.each([
    'SSN [SSN 123 45 6789]',
    'ITIN [SSN 912-78-1234]',
    'Employee 4411, [SSN 219-09-9998], active',
    'Steueridentifikationsnummer [NATIONAL_ID 12345678903]',
    'Steuer-IdNr.: [NATIONAL_ID 65 929 970 489]',
    'SVNR: [NATIONAL_ID 1237 010180]',
    'AHV-Nr. [NATIONAL_ID 756.1234.5678.97]',
    'N° de sécurité sociale : [NATIONAL_ID 1 84 12 76 451 089 46]',
    'DNI [NATIONAL_ID 12345678Z], NIE: [NATIONAL_ID X1234567L]',
    'Codice fiscale: [NATIONAL_ID RSSMRA80A01H501U]',
    'cpf: [NATIONAL_ID 11144477735], RG: [NATIONAL_ID 12.345.678-9]',
    'PESEL: [NATIONAL_ID 44051401359]',
    'personnummer [NATIONAL_ID 811218-9876]',
    'CPR-nr [NATIONAL_ID 010190-1234]',
    'fødselsnummer [NATIONAL_ID 01019012345]',
    'マイナンバー: [NATIONAL_ID 1234 5678 9018]',
    '身份证号码：[NATIONAL_ID 11010519491231002X]',
    'Aadhaar No. [NATIONAL_ID 2341 2341 2346]',
    'TFN [NATIONAL_ID 123 456 782]',
    'National Insurance No: [NATIONAL_ID AB123456C]',
    'UTR [NATIONAL_ID 1234567890], EIN: [NATIONAL_ID 12-3456789]',
    'CURP: [NATIONAL_ID HEGG560427MVZRRL04], RFC: [NATIONAL_ID VECJ880326XXX]',
    'cédula de ciudadanía [NATIONAL_ID 52345678]',
    'USt-IdNr. [NATIONAL_ID DE136695976]',
    'PPS number: [NATIONAL_ID 1234567FA]',
    'T.C. Kimlik No: [NATIONAL_ID 10000000146]',
    'passport no. [PASSPORT L8988901C]',
    'Numéro de passeport : [PASSPORT 09PT12345]',
    'Her passport, [PASSPORT K1234567], expired',
    'DL# [DRIVER_LICENSE D1234567]',
    'Driver License No: [DRIVER_LICENSE S530-460-68-822-0]',
    'permis de conduire n° [DRIVER_LICENSE 880692310285]',
    'NHS No. [MEDICAL_ID 485 777 3456], NPI [MEDICAL_ID 1234567893]',
    'DEA number [MEDICAL_ID AB1234563]',
    'Subscriber ID: [MEDICAL_ID W123456789] Group: 98765',
    'Versichertennr. [MEDICAL_ID A123456780]',
    '身份证号: [NATIONAL_ID 11010519491231002X] 手机: [PHONE 13812345678]',
  ])('papers: %s', (text) => {
    expect(marked(bare(text))).toBe(text);
  });

  it.each([
    'Kontonummer [BANK_ACCOUNT 0532013000] bei der Bank, BLZ [BANK_ACCOUNT 37040044]',
    'account number: [BANK_ACCOUNT 000123456789], routing: [BANK_ACCOUNT 110000000]',
    'Sort code [BANK_ACCOUNT 40-47-84], account no. [BANK_ACCOUNT 70872490]',
    'BSB [BANK_ACCOUNT 062-000] Account [BANK_ACCOUNT 12345678]',
    'A/C No [BANK_ACCOUNT 123456789012]',
    'acct # [BANK_ACCOUNT 99887766554]',
    'cuenta bancaria: [BANK_ACCOUNT 2100 0418 45 0200051332]',
    'debited from account [BANK_ACCOUNT XXXXXX4321]',
    'her personal account number [BANK_ACCOUNT 123-45-6789] from a bank',
  ])('accounts: %s', (text) => {
    expect(marked(bare(text))).toBe(text);
  });

  it.each([
    'Patient John (DOB [DATE_OF_BIRTH 3/4/1962])',
    'DOB:[DATE_OF_BIRTH 04-MAR-1962]',
    'born on the [DATE_OF_BIRTH 4th of March 1962]',
    'geboren am [DATE_OF_BIRTH 4. März 1962] in Bonn',
    'geb. [DATE_OF_BIRTH 04.03.62]',
    'Née le [DATE_OF_BIRTH 1er janvier 1970]',
    'nacido el [DATE_OF_BIRTH 4 de marzo de 1962]',
    'nata il [DATE_OF_BIRTH 4 marzo 1962]',
    'data de nascimento: [DATE_OF_BIRTH 04/03/1962]',
    'geboortedatum [DATE_OF_BIRTH 04-03-1962]',
    'her birthday is [DATE_OF_BIRTH May 4, 1990]',
    'D.O.B. [DATE_OF_BIRTH 1990/05/04], admitted 2024-01-02',
  ])('births: %s', (text) => {
    expect(marked(bare(text))).toBe(text);
  });
});

describe('numbers that are nobody’s', () => {
  it.each([
    '{"workflow_run":{"id":1234567890,"run_number":562,"check_suite_id":42}}',
    'run 9876543210 failed after 1200 s',
    '{"account":"123456789012","arn":"arn:aws:iam::123456789012:role/x"}',
    'sshd[1234]: session 4455667788 closed',
    '1700000000 1700003600 1700007200',
    'Version 10.15.7 build 19H2026',
    'ISBN-13: 978-0-306-40615-7, ISBN-10: 0-306-40615-2',
    'USPS 9400 1000 0000 0000 0000 00, UPS 1Z999AA10123456784',
    'GTIN 00012345600012',
    'EUR 1.234.567,89 and 12 345 678,90',
    'lat 52.520008, lon 13.404954; 52.5200 N 13.4050 E',
    'SOA ns1.example.com 2024010101 7200 3600 1209600 3600',
    'order #112-3456789-1234567',
    'Invoice no. 2024-000123 due 30.06.2024',
    'pid 12345 tid 140735123456789 at 0x7ffe12345678',
    'phone book has 1200 entries, 2024 edition',
    'The hotline received 12000 calls in 2023-2024',
    'tax 2023: 123456.78',
    'Medicare spending 2021: 900800700 dollars',
    'PAN-OS 10.1.3',
    'The passport office opens 09:00-17:00 on 2024-05-06',
    'account 42 has 1000000 rows, account balance 123456.78',
    'Patients enrolled 2019-2021 (2019-05-01 to 2021-06-30)',
    'Release (2024-05-01) by team',
    'Deployed on 2024-05-01 by Mr Smith',
    '{"dob_required":true,"phone_verified_at":"2024-01-01","ssn_status":"valid"}',
    '192.168.100.200 255.255.255.0 and 2001:0db8:85a3:0000:0000:8a2e:0370:7334',
    '10-20-30-40 and 1-2-3-4-5-6-7',
    'ZIP 94043-1351, PO Box 12345-6789',
    'doi:10.1000/182 10.1038/s41586-020-2649-2',
    'table 100 200 3000 400, matrix 123 456 7890 12',
    'chmod 0755 0644 0600',
    'hours 0800-1200, 09:00-17:30',
    '+12345678 requests, +1 123 45, +2024-05-01',
    'ein 12345678 und nie wieder 1234567',
    'sin(0.5) and nas 4 bay 12345 GB',
    'cf. 12345678 and CF-12345',
  ])('nothing in %s', (text) => {
    expect(marked(text)).toBe(text);
  });
});
