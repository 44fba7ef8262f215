import type { Entry } from './entry.js';
import { type IssuedTokens, MissedTokens } from './missed-tokens.js';
import type { TokenScanner } from './token-scanner.js';
import type { FoundToken, NotRestored, RestoredText, TokenUse } from './vault.js';

/** The value of what the scanner has found. Asked once for every place. */
export type LookUp = (scanner: TokenScanner) => Entry | undefined;

let calls = 0;

/**
 * The text with values in place of the tokens that `look` knows and `may` allows; `may` is asked once for each.
 *
 * @param scanner has found the first one.
 */
export function restoreText(
  text: string,
  scanner: TokenScanner,
  look: LookUp,
  may: (entry: Entry) => boolean,
  issued: IssuedTokens,
): RestoredText {
  const call = ++calls;
  const restored: TokenUse[] = [];
  const refused: NotRestored[] = [];
  const missed = new MissedTokens(issued);
  let result = '';
  let from = 0;
  let missedUntil = 0;
  do {
    const entry = look(scanner);
    if (entry === undefined) {
      missed.add(scanner);
      missedUntil = scanner.end;
      continue;
    }
    scanner.accept();
    if (scanner.start < missedUntil) missed.retract();
    if (entry.decidedIn !== call) {
      entry.isAllowed = may(entry);
      entry.decidedIn = call;
      if (entry.isAllowed) restored.push(entry.use);
      else refused.push({ token: entry.token, reason: 'refused' });
    }
    if (!entry.isAllowed) continue;
    result += text.slice(from, scanner.start);
    result += entry.value;
    from = scanner.end;
  } while (scanner.next());
  return {
    text: from === 0 ? text : result + text.slice(from),
    restored,
    notRestored: [...refused, ...missed.list()],
  };
}

/** The tokens that `look` knows, in order. The scanner has found the first one. */
export function findTokens(scanner: TokenScanner, look: LookUp): FoundToken[] {
  const found: FoundToken[] = [];
  do {
    const entry = look(scanner);
    if (entry === undefined) continue;
    scanner.accept();
    found.push({ use: entry.use, start: scanner.start, end: scanner.end });
  } while (scanner.next());
  return found;
}
