// @ts-check
/** Valid messages of a worker, one of each kind and of each at its edges, as arbitraries and as bytes. */
import fc from 'fast-check';
import { hostileText } from './hostile.mjs';

const done = { type: 'done', id: 'x', notes: [], variables: [], names: [] };

/** @type {readonly object[]} */
export const MESSAGES = [
  { type: 'ready', python: '3.14.2' },
  { type: 'out', stream: 'stdout' },
  { type: 'out', stream: 'stderr' },
  { type: 'progress', done: 1 },
  { type: 'progress', done: 0.5, total: 1e300, message: 'half' },
  { type: 'read', id: 1, path: 'data/a.csv', ahead: ['b', 'c/d'] },
  { type: 'call', id: 9_007_199_254_740_991, op: 'tool', name: 'crm.find' },
  { type: 'file', path: 'out/r\u00e9sum\u00e9.txt', offset: 0, last: true },
  { type: 'folder', path: 'new' },
  { type: 'folder', path: 'x'.repeat(4_096) },
  { type: 'remove', path: 'old' },
  done,
  { ...done, value: { type: 'list', truncated: false } },
  {
    ...done,
    value: { type: 'DataFrame', truncated: true, form: 'table', label: '9 x 2', file: 'result-1.csv' },
    images: ['figure-1.png'],
  },
  {
    ...done,
    error: { code: 'python_error', type: 'E', message: 'm', line: 3, source: 's', hint: 'h', traceback: 't' },
    notes: ['n'.repeat(1_000)],
    variables: [{ name: 'df', type: 'DataFrame', size: 3, preview: 'p' }],
    names: ['a', 'b'],
  },
];

/** The bytes of a frame. @param {Uint8Array} header @param {Uint8Array} payload */
export function frameBytes(header, payload) {
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32BE(header.length, 0);
  prefix.writeUInt32BE(payload.length, 4);
  return Buffer.concat([prefix, header, payload]);
}

const short = hostileText.map((text) => text.slice(0, 200));
const path = hostileText.map((text) => text || 'x');
const count = fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
const ERROR_CODES = ['python_error', 'timeout', 'memory_limit', 'disk_limit', 'tool_denied', 'syntax_error'];

/** Messages that pass the schema, their texts hostile. `runId` stands in `done`. @param {string} runId */
export function workerMessages(runId) {
  const error = fc.record(
    {
      code: fc.constantFrom(...ERROR_CODES),
      type: short,
      message: hostileText,
      line: count,
      source: hostileText,
      hint: hostileText,
      traceback: hostileText,
    },
    { requiredKeys: ['code', 'type', 'message'] },
  );
  return fc.oneof(
    fc.record({ type: fc.constant('out'), stream: fc.constantFrom('stdout', 'stderr') }),
    fc.record({ type: fc.constant('file'), path, offset: fc.constantFrom(0, 1, 2), last: fc.boolean() }),
    fc.record({ type: fc.constant('folder'), path }),
    fc.record({ type: fc.constant('remove'), path }),
    fc.record({ type: fc.constant('read'), id: count, path, ahead: fc.array(path, { maxLength: 3 }) }),
    fc.record({ type: fc.constant('progress'), done: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    fc.record({
      type: fc.constant('call'),
      id: count,
      op: fc.constantFrom('tool', 'search', 'describe', 'names', 'skill', 'skills', 'save_skill', 'tokenise'),
      name: short,
    }),
    fc.record(
      {
        type: fc.constant('done'),
        id: fc.constantFrom(runId, 'another'),
        value: fc.record({ type: short, truncated: fc.boolean() }),
        error,
        notes: fc.array(short, { maxLength: 3 }),
        variables: fc.array(
          fc.record(
            { name: short, type: short, size: count, preview: short },
            { requiredKeys: ['name', 'type'] },
          ),
          { maxLength: 3 },
        ),
        names: fc.array(short, { maxLength: 3 }),
      },
      { requiredKeys: ['type', 'id', 'notes', 'variables', 'names'] },
    ),
  );
}
