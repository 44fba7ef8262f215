import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { describeFailure } from '../../../src/downstream/failure.js';
import { entry, fake, open } from './fake-downstream.js';

const system = (code: string) => Object.assign(new Error('secret.example:443'), { code });

test.each<[string, unknown, string]>([
  ['a request that timed out', new SdkError(SdkErrorCode.RequestTimeout, 'x'), 'did not answer in time'],
  ['a connection that timed out', system('ETIMEDOUT'), 'did not answer in time'],
  [
    'headers that did not come',
    new TypeError('fetch failed', { cause: system('UND_ERR_HEADERS_TIMEOUT') }),
    'did not answer in time',
  ],
  ['a refused connection', system('ECONNREFUSED'), 'refused the connection'],
  ['an unknown address', system('ENOTFOUND'), 'has an address that could not be found'],
  [
    'several attempts',
    new AggregateError([system('ECONNREFUSED'), system('EHOSTUNREACH')]),
    'refused the connection',
  ],
  ['another fault of the system', system('ECONNRESET'), 'could not be reached (ECONNRESET)'],
  ['an error without a code', new Error('secret.example:443'), 'could not be reached'],
  ['no error', 'secret.example:443', 'could not be reached'],
])('%s is told without addresses', (_, error, expected) => {
  expect(describeFailure(error)).toBe(expected);
});

test.each(['call', 'start'])(
  'a server that is too slow to %s is unavailable; "timeout" is the deadline of a run alone',
  async (slow) => {
    const [behaviour, timeoutMs] = slow === 'call' ? ['ordinary', 2_000] : ['hang', 300];
    const { downstream } = open([entry('fake', fake(behaviour), { timeoutMs })]);
    const error = await downstream.call('fake', 'echo', { do: 'hang' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'tool_unavailable',
      message: 'the server "fake" did not answer in time',
    });
  },
);
