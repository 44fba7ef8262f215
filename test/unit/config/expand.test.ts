// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration references look like that
import { expect, test } from 'vitest';
import { expandVariables } from '../../../src/config/expand.js';

const ENV = { HOME: '/home/ada', EMPTY: '', API_TOKEN: 'tok-123', NESTED: '${HOME}' };

test.each([
  ['plain text', 'plain text'],
  ['${HOME}/data', '/home/ada/data'],
  ['${env:HOME}/data', '/home/ada/data'],
  ['${HOME}${HOME}', '/home/ada/home/ada'],
  ['${MISSING:-/tmp/x}', '/tmp/x'],
  ['${MISSING:-}', ''],
  ['${EMPTY:-default}', 'default'],
  ['${EMPTY}', ''],
  ['${HOME:-/tmp/x}', '/home/ada'],
  ['${env:MISSING:-a:-b}', 'a:-b'],
  ['$HOME', '$HOME'],
  ['${NESTED}', '${HOME}'],
])('%s expands to %s', (text, value) => {
  expect(expandVariables(text, ENV)).toMatchObject({ value, problems: [] });
});

test.each([
  ['${MISSING}', 'the environment variable MISSING is not set: set it, or write ${MISSING:-default}'],
  ['${toString}', 'the environment variable toString is not set: set it, or write ${toString:-default}'],
  ['${HOME', '"${HOME" is no variable reference: write ${NAME}, ${NAME:-default} or ${env:NAME}'],
  ['${}', '"${}" is no variable reference: write ${NAME}, ${NAME:-default} or ${env:NAME}'],
  ['${1A}', '"${1A}" is no variable reference: write ${NAME}, ${NAME:-default} or ${env:NAME}'],
  ['${input:key}', '"${input:key}" is no variable reference: write ${NAME}, ${NAME:-default} or ${env:NAME}'],
])('%s is a problem', (text, problem) => {
  expect(expandVariables(text, ENV).problems).toEqual([problem]);
});

test('several references that fail are all reported', () => {
  expect(expandVariables('${A}${B}', ENV).problems).toHaveLength(2);
});

test('what is shown hides the value of a variable whose name looks secret, and only that', () => {
  expect(expandVariables('${HOME}/${API_TOKEN}/x', ENV)).toEqual({
    value: '/home/ada/tok-123/x',
    shown: '/home/ada/***/x',
    changed: true,
    problems: [],
  });
});
