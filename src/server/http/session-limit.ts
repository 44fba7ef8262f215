/** How many protocol sessions all principals together may have open. */
export class SessionLimit {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get isReached(): boolean {
    return this.#taken >= this.#max;
  }

  /** False when there is no room. */
  take(): boolean {
    if (this.isReached) return false;
    this.#taken += 1;
    return true;
  }

  giveBack(): void {
    this.#taken -= 1;
  }
}
