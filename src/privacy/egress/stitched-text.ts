/** Part of a source that a stretch of a stitched text comes from. UTF-16 offsets. */
export interface SourcePart {
  readonly source: number;
  readonly start: number;
  readonly end: number;
}

interface Piece {
  /** In the stitched text. */
  readonly at: number;
  readonly source: number;
  readonly offset: number;
  readonly length: number;
}

/** Pieces of several sources as one text, a line each, with the way back. */
export class StitchedText {
  readonly #pieces: Piece[] = [];
  readonly #texts: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get pieces(): number {
    return this.#pieces.length;
  }

  /**
   * @param offset of the piece in its source.
   * @param isApart nothing goes on from the piece before: what joins lines does not join these.
   */
  add(text: string, source: number, offset: number, isApart = false): void {
    if (isApart) this.#append(APART);
    this.#pieces.push({ at: this.#length, source, offset, length: text.length });
    this.#append(text);
  }

  get text(): string {
    return this.#texts.join('\n');
  }

  #append(text: string): void {
    this.#texts.push(text);
    this.#length += text.length + 1;
  }

  /** Where a stretch comes from, in order; the line ends between pieces come from nowhere. */
  partsOf(start: number, end: number): SourcePart[] {
    const parts: SourcePart[] = [];
    for (let i = this.#indexOf(start); i < this.#pieces.length; i++) {
      const piece = this.#pieces[i];
      if (piece === undefined || piece.at >= end) break;
      const from = Math.max(start, piece.at) - piece.at;
      const to = Math.min(end, piece.at + piece.length) - piece.at;
      if (to > from) parts.push({ source: piece.source, start: piece.offset + from, end: piece.offset + to });
    }
    return parts;
  }

  /** The last piece that begins at or before the offset. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pieces[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** In no text that means anything: no letter, no digit, no white space. */
const APART = '\u0000';
