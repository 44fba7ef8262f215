import { RE2JS } from 're2js';
import { CodeExecutionError } from '../core/errors.js';
import type { OwnPattern } from '../core/pii.js';
import type { Detection, Detector, Finding } from './detect/detector.js';

/**
 * A detector that also finds the operator's own kinds; of overlapping findings the operator's stays. The patterns run on
 * RE2's automata, whose time is linear in the text, whatever the pattern.
 *
 * @throws CodeExecutionError `config_error`: a pattern is no RE2 syntax, or matches the empty text.
 */
export function withOwnPatterns(detector: Detector, patterns: readonly OwnPattern[]): Detector {
  if (patterns.length === 0) return detector;
  const compiled = patterns.map(compile);
  return {
    begin: (types) => new OwnDetection(detector.begin(types), compiled),
  };
}

interface Compiled {
  readonly type: string;
  readonly expression: RE2JS;
}

function compile({ type, pattern }: OwnPattern, index: number): Compiled {
  const place = `privacy.patterns[${index}] (${type})`;
  try {
    const expression = RE2JS.compile(pattern);
    if (!expression.matcher('').find()) return { type, expression };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw new CodeExecutionError(
      'config_error',
      `${place}: ${reason}`,
      'use the syntax of RE2: no backreferences and no look-around',
    );
  }
  throw new CodeExecutionError(
    'config_error',
    `${place}: the pattern matches the empty text`,
    'make it match something',
  );
}

class OwnDetection implements Detection {
  readonly #detection: Detection;
  readonly #patterns: readonly Compiled[];

  constructor(detection: Detection, patterns: readonly Compiled[]) {
    this.#detection = detection;
    this.#patterns = patterns;
  }

  inText(text: string): readonly Finding[] {
    return this.#joined(text, this.#detection.inText(text));
  }

  inValue(text: string, keys: readonly string[]): readonly Finding[] {
    return this.#joined(text, this.#detection.inValue(text, keys));
  }

  inNumber(lexeme: string, keys: readonly string[]): string | undefined {
    const whole = this.#patterns.find(({ expression }) => expression.matches(lexeme));
    return whole?.type ?? this.#detection.inNumber(lexeme, keys);
  }

  #joined(text: string, found: readonly Finding[]): readonly Finding[] {
    const own = this.#patterns
      .flatMap((pattern) => findingsOf(pattern, text))
      .sort((a, b) => a.start - b.start);
    if (own.length === 0) return found;
    const kept: Finding[] = [];
    for (const finding of own) if (finding.start >= (kept.at(-1)?.end ?? 0)) kept.push(finding);
    return withoutOverlap(kept, found);
  }
}

function findingsOf({ type, expression }: Compiled, text: string): Finding[] {
  const matcher = expression.matcher(text);
  const findings: Finding[] = [];
  while (matcher.find()) findings.push({ start: matcher.start(), end: matcher.end(), type });
  return findings;
}

/** The first ones, and of the others those that touch none of them. Both are in order and without overlap in themselves. Linear. */
export function withoutOverlap(own: readonly Finding[], others: readonly Finding[]): Finding[] {
  const all: Finding[] = [...own];
  let at = 0;
  for (const finding of others) {
    while (at < own.length && (own[at]?.end ?? 0) <= finding.start) at++;
    const next = own[at];
    if (next === undefined || next.start >= finding.end) all.push(finding);
  }
  return all.sort((a, b) => a.start - b.start);
}
