// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration references look like that
import { expect, test } from 'vitest';
import { inspectConfig, loadConfig } from '../../../src/config/load.js';
import { fakeHost, PROJECT, USER } from './fake-host.js';

const TOKEN = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Ng';
const OTHER = 'b3RoZXIgdG9rZW4gb2YgMzIgY2hhcmFjdGVycw==';
const MAKE = `make one with: node -p "require('node:crypto').randomBytes(32).toString('base64url')"`;
const withTokens = (tokens: unknown) => ({ [USER]: JSON.stringify({ http: { tokens } }) });

test('tokens are read, expanded, frozen, and never shown', async () => {
  const host = fakeHost(withTokens({ ann: '${ANN_TOKEN}', 'ci-1': OTHER }), { ANN_TOKEN: TOKEN });
  const { config, shown, warnings } = await loadConfig({}, host);
  expect(config.http.tokens).toEqual({ ann: TOKEN, 'ci-1': OTHER });
  expect([Object.isFrozen(config.http), Object.isFrozen(config.http.tokens)]).toEqual([true, true]);
  expect(shown.find(({ key }) => key === 'http.tokens')?.value).toBe('{"ann":"***","ci-1":"***"}');
  expect(JSON.stringify([shown, warnings])).not.toMatch(new RegExp(`${TOKEN}|${OTHER}`));
});

test.each([
  [
    'too short',
    { ann: 'short-secret' },
    `the token of "ann" has 12 characters, valid: 32 to 500 of A-Z a-z 0-9 - . _ ~ + /; ${MAKE}`,
  ],
  [
    'with a blank',
    { ann: `${TOKEN} ${TOKEN}` },
    `the token of "ann" has 77 characters, valid: 32 to 500 of A-Z a-z 0-9 - . _ ~ + /; ${MAKE}`,
  ],
  [
    'a pattern',
    { ann: '1234'.repeat(10) },
    `the token of "ann" can be guessed: it has 4 different characters; ${MAKE}`,
  ],
  ['of two', { ann: TOKEN, bob: TOKEN }, `"bob" and "ann" have the same token; ${MAKE}`],
  [
    'of an unset variable',
    { ann: '${NO_SUCH}' },
    'the token of "ann": the environment variable NO_SUCH is not set: set it, or write ${NO_SUCH:-default}',
  ],
  ['no text', { ann: { token: TOKEN } }, `the token of "ann" is no text; ${MAKE}`],
  [
    'under a bad name',
    { '../ann': TOKEN },
    'the name "../ann" is not valid: 1 to 64 letters, digits, ".", "_" and "-", the first a letter or digit',
  ],
  ['in a list', [TOKEN], 'valid: an object with a bearer token under the name of each principal'],
  ['without a name', TOKEN, 'valid: an object with a bearer token under the name of each principal'],
])('a token that is %s is a problem that tells nothing of it', async (_, tokens, message) => {
  const { problems } = await inspectConfig({}, fakeHost(withTokens(tokens)));
  expect(problems.map((problem) => [problem.key, problem.message])).toEqual([['http.tokens', message]]);
  expect(JSON.stringify(problems)).not.toMatch(new RegExp(`${TOKEN}|short-secret|1234`));
});

test('a project that is not trusted opens no server', async () => {
  const http = { tokens: { eve: TOKEN }, host: '0.0.0.0', port: 1, allowedOrigins: ['https://evil.example'] };
  const host = fakeHost({ [PROJECT]: JSON.stringify({ http }) });
  const { config, warnings } = await loadConfig({}, host);
  expect(config.http).toMatchObject({ tokens: {}, host: '127.0.0.1', port: 8_848, allowedOrigins: [] });
  expect(warnings.filter((line) => line.includes('is ignored: the project is not trusted'))).toHaveLength(4);
});

test.each([
  ['host', 'http://x', 'found "http://x", valid: a host name or address without port, IPv6 in brackets'],
  ['port', 70_000, 'found 70000, valid: a whole number from 0 to 65535'],
  [
    'allowedHosts',
    ['*'],
    'found ["*"], valid: a list, each of a host name or address without port, IPv6 in brackets',
  ],
  [
    'allowedOrigins',
    ['*'],
    'found ["*"], valid: a list, each of an origin such as "https://app.example.com"',
  ],
  [
    'allowedOrigins',
    ['https://a.example/path'],
    'found ["https://a.example/path"], valid: a list, each of an origin such as "https://app.example.com"',
  ],
])('http.%s: %j is refused with what is valid', async (key, value, message) => {
  const { problems } = await inspectConfig(
    {},
    fakeHost({ [USER]: JSON.stringify({ http: { [key]: value } }) }),
  );
  expect(problems.map((problem) => problem.message)).toEqual([message]);
});
