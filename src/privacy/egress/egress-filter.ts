import type { PiiType } from '../../core/pii.js';
import type { Detection, Detector } from '../detect/detector.js';
import { BareNumbers } from '../rewrite/bare-numbers.js';
import { isToken } from '../rewrite/replacing.js';
import { textSlices } from '../rewrite/text-slices.js';
import { TurnQueue, Turns } from '../rewrite/turns.js';
import type { Origin, Vault } from '../vault/vault.js';
import { type Edit, united } from './edits.js';
import type { Hit, HitValue } from './hit.js';
import { KnownValues } from './known-values.js';
import { Leaves } from './leaves.js';
import { lookThrough, lookThroughNumbers, type Search } from './look-through.js';
import { Notebook, type RunNotes } from './run-notes.js';
import { StitchedText } from './stitched-text.js';

export interface EgressOptions {
  readonly detector: Detector;
  readonly vaults: { of(principal: string): Promise<Vault> };
  /** What is hidden from the model, wherever a value came from. */
  readonly types: ReadonlySet<PiiType>;
  /** Values and domains that the operator lets through. */
  readonly isAllowed: (type: string, value: string) => boolean;
}

/**
 * The filter between everything and the model. A value of the configured kinds becomes its token, unless the agent sent it
 * itself or the operator allows it.
 *
 * Found, in every string of the facts before it is shortened: what a detector finds; known values (those of the vault and
 * of the results noted) by their letters and digits alone, whatever stands between them, in any case, backwards, in ROT13,
 * over lines and over the strings of a list; both inside base64, base32, hex, character codes, escapes of all usual kinds
 * and gzip in base64, twice over; and what {@link lookThrough} says of values in pieces. Keys and numbers of the data under
 * `value`, too. Not found: values that a program changes in ways of its own (other ciphers, arithmetic, another order,
 * words between letters, a part of a value alone): against programs that want to tell, there is strict mode.
 *
 * Never throws for what is in the facts. Linear in them.
 */
export class EgressFilter {
  readonly #options: EgressOptions;
  readonly #turns = new TurnQueue();
  readonly #known = new WeakMap<Vault, KnownValues>();
  readonly #notebooks = new Map<string, Notebook>();

  constructor(options: EgressOptions) {
    this.#options = options;
  }

  /** The facts, with tokens; the same object if nothing is found. */
  async filter<T>(facts: T, principal: string): Promise<T> {
    const look = await this.#open(principal);
    const turns = new Turns(this.#turns);
    const leaves = new Leaves();
    const long: number[] = [];
    await leaves.collect(facts, turns, {
      string({ text, isData }, index, keys) {
        if (!isData && text.length > MAX_TEXT) return void long.push(index);
        const found = isData ? look.detection.inValue(text, keys) : inText(text, look.detection);
        for (const edit of found.length === 0 ? [] : look.editsOf(text, found)) leaves.edit(index, edit);
      },
      number(number, index, keys) {
        const lexeme = String(number);
        const type = look.detection.inNumber(lexeme, keys);
        const token = type === undefined ? undefined : look.numberToken({ type, value: lexeme });
        if (token !== undefined) leaves.replaceNumber(index, token);
      },
    });
    await editLong(leaves, long, look, turns);
    await editStrings(leaves, look, turns);
    await editNumbers(leaves, look, turns);
    for (const key of leaves.keys) {
      const shown = look.shown(key);
      if (shown !== key) leaves.replaceKey(key, shown);
    }
    return (leaves.isChanged ? await leaves.applied(facts, turns) : facts) as T;
  }

  /** What of a text is hidden, and what is shown in its place; in order, without overlap. */
  async hiddenIn(text: string, principal: string): Promise<readonly Edit[]> {
    return (await this.#open(principal)).hidden(text);
  }

  /** For one run: where the results of its tools are noted. */
  beginRun(principal: string): RunNotes {
    return this.#notebookOf(principal).begin();
  }

  async #open(principal: string): Promise<AnswerLook> {
    const vault = await this.#options.vaults.of(principal);
    const known = this.#knownOf(vault, principal);
    const detection = this.#options.detector.begin(this.#options.types);
    this.#notebookOf(principal).read(detection, known);
    return new AnswerLook(vault, known, detection, this.#options.isAllowed);
  }

  #knownOf(vault: Vault, principal: string): KnownValues {
    const before = this.#known.get(vault);
    if (before !== undefined) return before;
    const known = new KnownValues();
    this.#known.set(vault, known);
    vault.onValue((type, value) => known.add(type, value, HERE));
    vault.onErased(() => {
      known.clear();
      this.#notebooks.delete(principal);
    });
    return known;
  }

  #notebookOf(principal: string): Notebook {
    const notebook = this.#notebooks.get(principal) ?? new Notebook();
    this.#notebooks.set(principal, notebook);
    return notebook;
  }
}

/** One answer: what it is searched with, and what is shown in the place of a value. */
class AnswerLook {
  readonly #vault: Vault;
  readonly #isAllowed: EgressOptions['isAllowed'];
  readonly #search: Search;
  readonly detection: Detection;

  constructor(vault: Vault, known: KnownValues, detection: Detection, isAllowed: EgressOptions['isAllowed']) {
    this.#vault = vault;
    this.detection = detection;
    this.#search = { known, detection, budget: { unpack: MAX_UNPACKED_RUNS } };
    this.#isAllowed = isAllowed;
  }

  hits(text: string): Hit[] {
    return lookThrough(text, this.#search);
  }

  hitsInNumbers(text: string): Hit[] {
    return lookThroughNumbers(text, this.#search);
  }

  /** Edits for what a detector found; a number of JSON stays a number. */
  editsOf(text: string, found: readonly { start: number; end: number; type: string }[]): Edit[] {
    const numbers = new BareNumbers(text);
    return found.flatMap((one) => {
      const number = numbers.lexemeAt(one.start, one.end);
      const { start, end } = number ?? one;
      const value = { type: one.type, value: text.slice(start, end) };
      const token = number === undefined ? this.#token(value) : this.numberToken(value)?.toString();
      return token === undefined ? [] : [{ start, end, text: token }];
    });
  }

  hidden(text: string): Edit[] {
    const hits = this.hits(text).flatMap((hit) => {
      const shown = this.placeholder(hit);
      if (shown === undefined) return [];
      const rest = (hit.rest ?? []).map(({ start, end }) => ({ start, end, text: '' }));
      return [{ start: hit.start, end: hit.end, text: shown }, ...rest];
    });
    return united([...this.editsOf(text, inText(text, this.detection)), ...hits]);
  }

  shown(text: string): string {
    let out = '';
    let copied = 0;
    for (const { start, end, text: token } of this.hidden(text)) {
      out += text.slice(copied, start) + token;
      copied = end;
    }
    return out + text.slice(copied);
  }

  /** What stands in the place of a hit; undefined: it may be shown. */
  placeholder({ values, form }: Hit): string | undefined {
    if (values.length === 0) return `[${form ?? 'text'}: not shown, it is too long to be searched]`;
    const tokens = [...new Set(values.flatMap((value) => this.#token(value) ?? []))];
    if (tokens.length === 0) return undefined;
    if (form === undefined) return tokens.join(' ');
    const more = tokens.length > MAX_NAMED ? ` and ${tokens.length - MAX_NAMED} more` : '';
    return `[${form} of ${tokens.slice(0, MAX_NAMED).join(', ')}${more}]`;
  }

  numberToken({ type, value, origin }: HitValue): number | undefined {
    return this.#isSpared(type, value)
      ? undefined
      : Number(this.#vault.numberTokenOf(type, value, origin ?? HERE));
  }

  #token({ type, value, origin }: HitValue): string | undefined {
    return this.#isSpared(type, value) ? undefined : this.#vault.tokenOf(type, value, origin ?? HERE);
  }

  #isSpared(type: string, value: string): boolean {
    return this.#isAllowed(type, value) || this.#vault.wasSent(value, type) || isToken(this.#vault, value);
  }
}

/** What a program printed may be 16 MiB: a detector takes seconds for that, and other answers do not wait. */
async function editLong(
  leaves: Leaves,
  long: readonly number[],
  look: AnswerLook,
  turns: Turns,
): Promise<void> {
  for (const index of long) {
    const text = leaves.strings[index]?.text ?? '';
    const found: Finding[] = [];
    for (const slice of findingsBySlice(text, look.detection)) {
      found.push(...slice);
      await turns.giveWay();
    }
    for (const edit of found.length === 0 ? [] : look.editsOf(text, found)) leaves.edit(index, edit);
  }
}

/** Looks through all strings as one text, in windows that overlap, so that a value may be in pieces anywhere. */
async function editStrings(leaves: Leaves, look: AnswerLook, turns: Turns): Promise<void> {
  let window = new StitchedText();
  const flush = () => {
    for (const hit of look.hits(window.text)) {
      const token = look.placeholder(hit);
      if (token === undefined) continue;
      const parts = [hit, ...(hit.rest ?? [])].flatMap(({ start, end }) => window.partsOf(start, end));
      parts.forEach(({ source, start, end }, i) => {
        leaves.edit(source, { start, end, text: i === 0 ? token : '' });
      });
    }
  };
  let wasData = false;
  for (const [index, { text, isData }] of leaves.strings.entries()) {
    const isApart = !(isData && wasData);
    wasData = isData;
    for (let at = 0; at < text.length; ) {
      const end = Math.min(text.length, at + WINDOW - window.length);
      window.add(text.slice(at, end), index, at, isApart && at === 0);
      at = end;
      if (window.length < WINDOW) continue;
      flush();
      window = tailOf(window, leaves);
      await turns.giveWay();
    }
  }
  if (window.length > 0) flush();
}

/** A window that begins with the end of another. */
function tailOf(window: StitchedText, leaves: Leaves): StitchedText {
  const tail = new StitchedText();
  for (const { source, start, end } of window.partsOf(window.length - OVERLAP, window.length))
    tail.add(leaves.strings[source]?.text.slice(start, end) ?? '', source, start);
  return tail;
}

/** Numbers of the data: whole values, digits of one number by number, and character codes. */
async function editNumbers(leaves: Leaves, look: AnswerLook, turns: Turns): Promise<void> {
  for (let from = 0; from < leaves.numbers.length; from += NUMBERS - NUMBER_OVERLAP) {
    await turns.giveWay();
    const row = new StitchedText();
    leaves.numbers.slice(from, from + NUMBERS).forEach((number, i) => {
      row.add(String(number), from + i, 0);
    });
    for (const hit of look.hitsInNumbers(row.text)) {
      const parts = row.partsOf(hit.start, hit.end);
      const [value] = hit.values;
      const token = value === undefined ? undefined : look.numberToken(value);
      if (token === undefined) continue;
      parts.forEach(({ source }, i) => {
        leaves.replaceNumber(source, i === 0 ? token : 0);
      });
    }
  }
}

/** A very long text is searched in slices, for a detector holds many times its length in memory. */
function inText(text: string, detection: Detection): Finding[] {
  if (text.length <= MAX_TEXT) return [...detection.inText(text)];
  return [...findingsBySlice(text, detection)].flat();
}

interface Finding {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

function* findingsBySlice(text: string, detection: Detection): Generator<Finding[]> {
  for (const { start, end, header } of textSlices(text, MAX_TEXT)) {
    const shift = start - header.length;
    yield [...detection.inText(header + text.slice(start, end))]
      .filter((finding) => finding.start >= header.length)
      .map((one) => ({ type: one.type, start: one.start + shift, end: one.end + shift }));
  }
}

const HERE: Origin = { kind: 'tool', server: 'run' };
/** Compressed runs of one answer; 1 MiB of each is looked through, and any more are not shown. */
const MAX_UNPACKED_RUNS = 8;
/** Tokens named in the place of one encoded stretch. */
const MAX_NAMED = 5;
const WINDOW = 256 * 1024;
const OVERLAP = 4 * 1024;
const NUMBERS = 50_000;
const NUMBER_OVERLAP = 200;
/** A detector takes 10 to 40 ms for it; no other answer can go out meanwhile. */
const MAX_TEXT = 256 * 1024;
