import { expect, test } from 'vitest';
import { looksSecret, secretMasker } from '../../../src/config/secrets.js';

test.each([
  'GH_TOKEN',
  'github_token',
  'API_KEY',
  'OPENAI_APIKEY',
  'AWS_SECRET_ACCESS_KEY',
  'DB_PASSWORD',
  'DB_PWD',
  'PGPASS',
  'DATABASE_URL',
  'SENTRY_DSN',
  'GITHUB_PAT',
  'HTTP_AUTH',
  'COOKIE',
])('%s looks secret', (name) => {
  expect(looksSecret(name)).toBe(true);
});

test.each(['HOME', 'PATH', 'PWD', 'OLDPWD', 'LANG', 'USER', 'XDG_DATA_HOME', 'NODE_ENV'])(
  '%s does not look secret',
  (name) => {
    expect(looksSecret(name)).toBe(false);
  },
);

test('a masker hides secrets as they are and as JSON writes them, the longer one first', () => {
  const mask = secretMasker({ A_TOKEN: 'abcdef', B_TOKEN: 'abcdefgh', C_KEY: 'quo"ted', HOME: '/home/ada' });
  expect(mask('abcdefgh abcdef quo"ted {"x":"quo\\"ted"} /home/ada')).toBe(
    '*** *** *** {"x":"***"} /home/ada',
  );
});

test('values too short to tell from ordinary text are left alone', () => {
  expect(secretMasker({ A_TOKEN: 'user' })('the user')).toBe('the user');
});
