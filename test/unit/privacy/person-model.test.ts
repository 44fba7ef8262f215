import { expect, test } from 'vitest';
import type { PiiType } from '../../../src/core/pii.js';
import { personModelOf, withPersonModel } from '../../../src/privacy/person-model.js';
import { DETECTOR } from './fakes.js';

const TEXT = 'Zyx met ann@x.test and Qwe';
const findPersons = () => [
  { start: 23, end: 26 },
  { start: 0, end: 3 },
  { start: 8, end: 11 },
];
const ALL: ReadonlySet<PiiType> = new Set<PiiType>(['EMAIL', 'PERSON']);

test('what the model finds is added, in order, and gives way to what the detector found', () => {
  const found = withPersonModel(DETECTOR, { findPersons }).begin(ALL).inText(TEXT);
  expect(found).toEqual([
    { start: 0, end: 3, type: 'PERSON' },
    { start: 8, end: 18, type: 'EMAIL' },
    { start: 23, end: 26, type: 'PERSON' },
  ]);
});

test('where people are not looked for the model is not asked', () => {
  const never = () => {
    throw new Error('asked');
  };
  const detection = withPersonModel(DETECTOR, { findPersons: never }).begin(new Set<PiiType>(['EMAIL']));
  expect(detection.inValue(TEXT, ['x'])).toEqual([{ start: 8, end: 18, type: 'EMAIL' }]);
});

test.each([
  [{ start: 0, end: 99 }],
  [{ start: -1, end: 2 }],
  [{ start: 2, end: 2 }],
  [{ start: 0.5, end: 2 }],
])('a place that is not in the text is a fault: nothing may be shown', (place) => {
  const detection = withPersonModel(DETECTOR, { findPersons: () => [place] }).begin(ALL);
  expect(() => detection.inText(TEXT)).toThrow('a place that is not in the text');
});

test('a module without the function is refused with the form it must have', () => {
  expect(() => personModelOf({}, 'm.mjs')).toThrow(
    'privacy.personModel: m.mjs exports no function findPersons',
  );
});
