import { describe, expect, test } from 'vitest';
import { findNames } from './find-names.js';

describe('a value under keys', () => {
  test.each([
    [['full name'], 'Xyra Qwolsky'],
    [['customer', 'name'], 'Xyra Qwolsky'],
    [['first name'], 'Mark'],
    [['vorname'], 'Jörg'],
    [['surname'], "d'Angelo"],
    [['last name'], 'van der Berg'],
    [['card', 'holder'], 'DUNCAN GLEICHNER'],
    [['name'], 'john smith'],
    [['name'], 'Alice'],
    [['assignee'], 'Fatou Diop'],
    [['created by'], 'Nadia Petrova-Jones'],
    [['contacts', '0', 'display name'], 'Okafor, Chidi'],
    [['name'], '李小龙'],
    [['full name'], '田中太郎'],
    [['name'], 'Иван Петров'],
    [['full name'], 'محمد علي'],
    [['customer', 'name'], 'अमित कुमार'],
  ])('%j is a person: %s', (keys, text) => {
    expect(findNames({ text, keys })).toEqual([`PERSON: ${text}`]);
  });

  test.each([
    [['product', 'name'], 'Aurora Berg'],
    [['company'], 'Charles Schwab'],
    [['brand'], 'Calvin Klein'],
    [['file name'], 'Anna Berg'],
    [['city'], 'San Jose'],
    [['host', 'name'], 'Athena'],
    [['name'], 'Blue Widget'],
    [['name'], 'Visual Studio Code'],
    [['name'], 'Jordan'],
    [['name'], 'getUser'],
    [['name'], '库存管理系统'],
    [['owner'], 'Platform Team'],
    [['owner'], 'support-team'],
    [['author'], 'octocat'],
    [['first name'], 'string'],
    [['full name'], 'N/A'],
    [['last name'], 'Unknown'],
    [['status'], 'Rose'],
    [['id'], 'Robert'],
  ])('%j is no person: %s', (keys, text) => {
    expect(findNames({ text, keys })).toEqual([]);
  });

  test('a title before the name in a field is no part of it', () => {
    expect(findNames({ text: 'Dr. Xyra Qwolsky', keys: ['patient', 'name'] })).toEqual([
      'PERSON: Xyra Qwolsky',
    ]);
  });

  test('a name told in a field is known in the text of another', () => {
    expect(
      findNames(
        { text: 'Xyra Qwolsky', keys: ['customer', 'name'] },
        { text: 'We spoke to Qwolsky about it at length.', keys: ['note'] },
      ),
    ).toEqual(['PERSON: Xyra Qwolsky', 'PERSON: Qwolsky']);
  });

  test('names of one session are unknown in the next', () => {
    findNames({ text: 'Xyra Qwolsky', keys: ['customer', 'name'] });
    expect(findNames('We spoke to Qwolsky about it.')).toEqual([]);
  });
});
