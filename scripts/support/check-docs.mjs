// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../ensure-installed.mjs';

/**
 * JSON code blocks that do not parse.
 * @param {string[]} files
 * @returns {string[]}
 */
export function brokenSnippets(files) {
  return markdown(files).flatMap(({ file, text }) =>
    [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].flatMap((match) => {
      try {
        JSON.parse(match[1] ?? '');
        return [];
      } catch (error) {
        return [
          `${file}:${lineOf(text, match.index)}: JSON block: ${error instanceof Error ? error.message : error}`,
        ];
      }
    }),
  );
}

/**
 * Relative links to files or headings that are not there.
 * @param {string[]} files
 * @returns {string[]}
 */
export function brokenLinks(files) {
  return markdown(files).flatMap(({ file, text }) => {
    const prose = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
      const link = match[1] ?? '';
      if (/^[a-z]+:/i.test(link)) return [];
      const [target = '', heading] = link.split('#');
      const absolute = target === '' ? path.join(ROOT, file) : path.resolve(ROOT, path.dirname(file), target);
      const where = `${file}:${lineOf(text, match.index)}`;
      if (!existsSync(absolute)) return [`${where}: link to ${link}, which is not there`];
      if (!heading || !absolute.endsWith('.md') || anchors(readFileSync(absolute, 'utf8')).has(heading))
        return [];
      return [`${where}: link to ${link}, which has no such heading`];
    });
  });
}

/** @param {string[]} files */
function markdown(files) {
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

/**
 * Anchors of the headings, made as GitHub makes them.
 * @param {string} text
 */
function anchors(text) {
  return new Set(
    [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = '']) =>
      title
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/ /g, '-'),
    ),
  );
}

/**
 * @param {string} text
 * @param {number} index
 */
function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}
