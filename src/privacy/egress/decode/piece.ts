/** A stretch of a text that is text in another form. UTF-16 offsets. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** What it says. */
  readonly text: string;
  /** For the model: "base64". Absent where every character stands for itself and can be replaced where it is. */
  readonly form?: string;
  /** For each character of `text`, and for its end, where it stands. Absent: the piece is replaced as a whole. */
  readonly places?: readonly number[];
  /** The whole encoded run is this text: it can be read together with what is around it. */
  readonly isWhole: boolean;
  /**
   * Which values are looked for; absent: all. `unmistakable`: it is a guess that fits much ordinary text, such as numbers in
   * a row. `known`: the text has been searched as it is written.
   */
  readonly search?: 'unmistakable' | 'known';
  /** It unpacks to more than anyone looks through: not shown at all. */
  readonly isOpaque?: boolean;
}

/** What may still be spent on one answer. */
export interface DecodeBudget {
  /** Compressed runs that are unpacked. */
  unpack: number;
}
