import { describe, expect, test } from 'vitest';
import {
  A_NAME,
  A_PERSON,
  A_ROLE,
  gradeOfKeys,
  OTHER_THING,
  SILENT,
} from '../../../../../src/privacy/detect/names/person-key.js';

describe('what keys say of a person', () => {
  test.each([
    [['name'], A_NAME],
    [['items', '3', 'name'], OTHER_THING],
    [['customer', 'name'], A_PERSON],
    [['customers', '12', 'name'], A_PERSON],
    [['full name'], A_PERSON],
    [['firstname'], A_PERSON],
    [['apellido'], A_PERSON],
    [['prénom'], A_PERSON],
    [['cardholder'], A_PERSON],
    [['emergency contact name'], A_PERSON],
    [['owner'], A_ROLE],
    [['assigned to'], A_ROLE],
    [['created by'], A_ROLE],
    [['file name'], OTHER_THING],
    [['user name'], OTHER_THING],
    [['host name'], OTHER_THING],
    [['company'], OTHER_THING],
    [['function name'], OTHER_THING],
    [['owner id'], SILENT],
    [['contact email'], SILENT],
    [['description'], SILENT],
    [['created at'], SILENT],
    [[], SILENT],
  ])('%j is graded %d', (keys, grade) => {
    expect(gradeOfKeys(keys)).toBe(grade);
  });
});
