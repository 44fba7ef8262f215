// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../ensure-installed.mjs';

const MAX_LINES = 500;
const CODE = /\.(ts|mjs|js|py|sh)$/;
const BINARY = /\.(png|jpe?g|gif|zip|wasm|gz|tgz|whl)$/;

// Written in parts, so that this file does not name what it forbids.
const FORBIDDEN = [
  {
    what: 'a path of one machine',
    pattern: new RegExp(
      `(^|[^\\w.-])/(${['wo' + 'rk', 'farm'].join('|')})/(main|shared|steering|in|\\.)|/ro` +
        `ot/|/tmp/la` +
        `b`,
    ),
  },
  { what: 'a folder of one workplace', pattern: new RegExp(`\\.lib` + `rary/`) },
  {
    what: 'the host of a package registry',
    pattern: new RegExp(
      [
        'registry\\.npm' + 'js',
        'pypi\\.o' + 'rg',
        'files\\.python' + 'hosted',
        'registry\\.yarn' + 'pkg',
      ].join('|'),
    ),
  },
];

/**
 * Code files that are too long to read at once.
 * @param {string[]} files
 * @returns {string[]}
 */
export function longFiles(files) {
  return files
    .filter((file) => CODE.test(file))
    .map((file) => ({ file, lines: readFileSync(path.join(ROOT, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ file, lines }) => `${file}: ${lines} lines; at most ${MAX_LINES}: split it by decision`);
}

/**
 * Lines that only make sense on one machine or name what the project does not depend on.
 * @param {string[]} files
 * @returns {string[]}
 */
export function forbiddenText(files) {
  return files
    .filter((file) => !BINARY.test(file))
    .flatMap((file) =>
      readFileSync(path.join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          FORBIDDEN.filter(({ pattern }) => pattern.test(line)).map(
            ({ what }) => `${file}:${index + 1}: ${what}`,
          ),
        ),
    );
}
