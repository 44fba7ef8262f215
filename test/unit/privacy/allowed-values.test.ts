import { expect, test } from 'vitest';
import { allowedValues } from '../../../src/privacy/allowed-values.js';

const isAllowed = allowedValues({
  allowValues: ['Help@Acme.test', '+1 555 0100'],
  allowDomains: ['example.org'],
});

test.each([
  ['EMAIL', 'help@acme.TEST', true],
  ['EMAIL', 'ann@acme.test', false],
  ['PHONE', '+1 555 0100', true],
  ['EMAIL', 'ann@example.org', true],
  ['EMAIL', 'ann@mail.Example.org', true],
  ['EMAIL', 'ann@badexample.org', false],
  ['EMAIL', 'ann@example.org.evil.test', false],
  ['USERNAME', 'ann@example.org', false],
])('%s %s: %s', (type, value, expected) => {
  expect(isAllowed(type, value)).toBe(expected);
});
