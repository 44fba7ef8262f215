import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { isPlainPath, quotePath, RelativePath } from '../../../src/fs/relative-path.js';

function codeOf(text: string, options: { folder?: boolean; platform?: NodeJS.Platform } = {}): string {
  try {
    return `taken as ${RelativePath.parse(text, { platform: 'linux', ...options }).text}`;
  } catch (error) {
    return error instanceof CodeExecutionError ? error.code : 'another error';
  }
}

describe('a path of a file', () => {
  test.each([
    ['a/b.txt', 'a/b.txt'],
    ['./a', 'a'],
    ['a//b/./c', 'a/b/c'],
    ['/workspace/a', 'a'],
    ['workspace/a', 'workspace/a'],
    ['a/../b', 'b'],
    ['...', '...'],
    ['.hidden', '.hidden'],
    ['__proto__', '__proto__'],
    ['~/x', '~/x'],
    ['%2e%2e/x', '%2e%2e/x'],
    ['naïve 日本 🙂.csv', 'naïve 日本 🙂.csv'],
    ['aux.txt', 'aux.txt'],
    [`${'a/'.repeat(31)}f`, `${'a/'.repeat(31)}f`],
  ])('%j is taken as %j', (text, expected) => {
    expect(RelativePath.parse(text, { platform: 'linux' }).text).toBe(expected);
  });

  test.each([
    '/etc/passwd',
    '/',
    '//workspace/a',
    '/workspace2/a',
    '/workspace/../etc',
    '..',
    '../a',
    'a/../../b',
    './../a',
    'a/b/../../../c',
    'a\\b',
    '..\\..\\a',
    'C:',
    'c:/x',
    'a/../c:/x',
    '/workspace/c:x',
    '.code-execution',
    '.code-execution/x',
    'a/../.code-execution/x',
    '.Code-Execution/x',
    '.code-execution./x',
    '.code\u00ad-execution/x',
    '.co\u{1d41d}e-execution/x',
  ])('%j is path_denied', (text) => {
    expect(codeOf(text)).toBe('path_denied');
  });

  test.each([
    ['nothing', ''],
    ['the root', '.'],
    ['the root by its guest name', '/workspace'],
    ['a folder', 'a/'],
    ['NUL', 'ok.txt\u0000/../x'],
    ['a newline', 'a\nb'],
    ['escape', 'x\u001b[2Jy'],
    ['a C1 control', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['a lone surrogate', 'a\ud800'],
    ['a part of 256 bytes', 'é'.repeat(128)],
    ['1,025 bytes', `${'a'.repeat(204)}/`.repeat(5).slice(0, -1).concat('a')],
    ['33 parts', `${'a/'.repeat(32)}f`],
    ['a megabyte', 'a/'.repeat(500_000)],
  ])('%s is bad_name', (_what, text) => {
    expect(codeOf(text)).toBe('bad_name');
  });

  test('two spellings of a letter are two names', () => {
    expect(RelativePath.parse('e\u0301').text).not.toBe(RelativePath.parse('\u00e9').text);
  });

  test('the message tells the next step and is safe to print', () => {
    const error = (() => {
      try {
        RelativePath.parse('../x\u001b\u009b\u202e\n');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({
      message: 'The path "../x\\u001b\\u009b\\u202e\\n" holds a control character or line break.',
      hint: 'Give a path relative to the workspace with "/" between the parts, such as "reports/summary.csv".',
    });
  });

  test.each(['CON', 'aux.txt', 'a/nul', 'com1.log', 'ab:c', 'x?', 'dot.', 'space ', 'lpt¹'])(
    '%j is bad_name on Windows only',
    (text) => {
      expect(codeOf(text, { platform: 'win32' })).toBe('bad_name');
      expect(codeOf(text)).toBe(`taken as ${text}`);
    },
  );

  test('the short name that Windows gives to the private folder is denied there', () => {
    expect(codeOf('CODE-E~1/x', { platform: 'win32' })).toBe('path_denied');
  });
});

describe('a path of a folder', () => {
  test.each(['', '.', './', '/workspace', '/workspace/', 'a/..'])('%j means the root', (text) => {
    expect(RelativePath.parse(text, { folder: true }).parts).toEqual([]);
  });

  test('may end in a slash', () => {
    expect(RelativePath.parse('a/b/', { folder: true }).parts).toEqual(['a', 'b']);
  });

  test.each(['..', '../', '/', '/tmp'])('%j is path_denied', (text) => {
    expect(codeOf(text, { folder: true })).toBe('path_denied');
  });
});

test('no text at all gives a part that climbs, is empty, or holds a separator or NUL', () => {
  const piece = fc.oneof(
    fc.constantFrom('..', '.', '/', '\\', '\0', 'workspace', 'a', ':', '.code-execution'),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        const path = RelativePath.parse(pieces.join(''), { folder: true, platform: 'linux' });
        for (const part of path.parts) {
          expect(['', '.', '..']).not.toContain(part);
          expect(part).not.toMatch(/[/\\\0]/);
        }
        expect(path.parts[0]).not.toBe('.code-execution');
        expect(RelativePath.parse(path.text, { folder: true, platform: 'linux' }).text).toBe(path.text);
        if (path.parts.length > 0) expect(isPlainPath(path.parts, 'linux')).toBe(true);
      } catch (error) {
        if (!(error instanceof CodeExecutionError)) throw error;
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a listing shows no name that cannot be asked for', () => {
  for (const name of ['a\nb', 'a\\b', 'c:x', 'x\u001b', 'a\ud800', 'é'.repeat(128)]) {
    expect(isPlainPath([name], 'linux')).toBe(false);
  }
  expect(isPlainPath(['a b', 'c.txt'], 'linux')).toBe(true);
});

test('a quoted path is at most 80 characters and its quotes', () => {
  expect(quotePath('x'.repeat(1_000))).toBe(`"${'x'.repeat(77)}..."`);
});
