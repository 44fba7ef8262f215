/** A text that was made from another one, with the way back. */
export interface MappedText {
  readonly text: string;
  /** Where the source of the unit at an offset begins, in the text it was made from. */
  sourceStart(offset: number): number;
  /** Where the source of the unit before an offset ends. */
  sourceEnd(offset: number): number;
}

/** Collects a text piece by piece. Only pieces are kept, not the place of each unit: most of a text stays as it is. */
export class MappedTextBuilder implements MappedText {
  text = '';
  readonly #source: string;
  /** Where each piece begins in `text` and in the source, and where it ends there. */
  readonly #places: number[] = [];
  readonly #froms: number[] = [];
  readonly #tos: number[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  /** Source text that stays as it is. */
  keep(from: number, to: number): void {
    if (to <= from) return;
    this.#add(from, to);
    this.text += this.#source.slice(from, to);
  }

  /** Text that stands for the source between two offsets. */
  put(text: string, from: number, to: number): void {
    if (text === '') return;
    this.#add(from, to);
    this.text += text;
  }

  /** Puts `text` in the place of the last unit; it then reaches to `to` in the source. */
  replaceLast(text: string, to: number): void {
    const from = this.sourceStart(this.text.length - 1);
    this.text = this.text.slice(0, -1);
    if (this.#places.at(-1) === this.text.length) {
      this.#places.pop();
      this.#froms.pop();
      this.#tos.pop();
    }
    this.put(text, from, to);
  }

  sourceStart(offset: number): number {
    const piece = this.#pieceAt(offset);
    const from = this.#froms[piece] as number;
    return this.#isKept(piece) ? from + offset - (this.#places[piece] as number) : from;
  }

  sourceEnd(offset: number): number {
    const piece = this.#pieceAt(offset - 1);
    if (!this.#isKept(piece)) return this.#tos[piece] as number;
    return (this.#froms[piece] as number) + offset - (this.#places[piece] as number);
  }

  #add(from: number, to: number): void {
    this.#places.push(this.text.length);
    this.#froms.push(from);
    this.#tos.push(to);
  }

  #isKept(piece: number): boolean {
    const end = this.#places[piece + 1] ?? this.text.length;
    return (
      end - (this.#places[piece] as number) === (this.#tos[piece] as number) - (this.#froms[piece] as number)
    );
  }

  /** The last piece that begins at the offset or before it. */
  #pieceAt(offset: number): number {
    let low = 0;
    let high = this.#places.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#places[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
