import type { Finding } from '../detect/detector.js';
import { BareNumbers } from './bare-numbers.js';
import { type Replacing, tokenFor } from './replacing.js';

/**
 * The text with the findings replaced by tokens: each value is kept as it is written there, so that restoring gives the
 * same text byte for byte. A number of JSON becomes a number. The same string if nothing is replaced. Linear.
 *
 * @param findings in order, without overlap.
 * @param held valid tokens that the text holds and that are to be escaped; findings that touch one give way.
 */
export function replaceFindings(
  text: string,
  findings: readonly Finding[],
  using: Replacing,
  held: readonly Span[] = [],
): string {
  if (findings.length === 0 && held.length === 0) return text;
  const numbers = new BareNumbers(text);
  let out = '';
  let copied = 0;
  for (const found of inOrder(findings, held)) {
    const number = numbers.lexemeAt(found.start, found.end);
    const { start, end } = number ?? found;
    if (start < copied) continue;
    const value = text.slice(start, end);
    const form = number === undefined ? 'text' : 'number';
    const token =
      found.type === undefined ? escaped(using, value, form) : tokenFor(using, found.type, value, form);
    if (token === undefined) continue;
    out += text.slice(copied, start) + token;
    copied = end;
  }
  return out === '' ? text : out + text.slice(copied);
}

/** A token of ours becomes the token of a token: restoring then gives it back, and not its value. */
function escaped({ vault, origin }: Replacing, token: string, form: 'text' | 'number'): string {
  return form === 'number'
    ? vault.numberTokenOf('SECRET', token, origin)
    : vault.tokenOf('SECRET', token, origin);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function* inOrder(findings: readonly Finding[], held: readonly Span[]): Generator<Span & { type?: string }> {
  let at = 0;
  for (const finding of findings) {
    for (let span = held[at]; span !== undefined && span.end <= finding.start; span = held[++at])
      yield { start: span.start, end: span.end };
    if ((held[at]?.start ?? Number.POSITIVE_INFINITY) >= finding.end) yield finding;
  }
  for (const { start, end } of held.slice(at)) yield { start, end };
}
