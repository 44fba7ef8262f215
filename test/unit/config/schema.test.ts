import { expect, test } from 'vitest';
import { z } from 'zod';
import { CONFIG_SECTIONS, configFileSchema, configKeys, LATER_KEYS } from '../../../src/config/schema.js';

test('the file schema holds exactly the known keys, each described', () => {
  const described = new Map<string, string | undefined>();
  const visit = (schema: Record<string, unknown>, prefix: string) => {
    for (const [name, value] of Object.entries(
      (schema.properties ?? {}) as Record<string, Record<string, unknown>>,
    )) {
      if (value.properties) visit(value, `${prefix}${name}.`);
      else described.set(prefix + name, value.description as string | undefined);
    }
  };
  visit(z.toJSONSchema(configFileSchema, { io: 'input' }) as Record<string, unknown>, '');
  described.delete('$schema');
  expect([...described.keys()].sort()).toEqual([...configKeys().keys()].sort());
  expect([...described].filter(([, text]) => !text)).toEqual([]);
});

test('no key is both known and of a later version', () => {
  expect([...configKeys().keys(), ...CONFIG_SECTIONS].filter((key) => LATER_KEYS.has(key))).toEqual([]);
});
