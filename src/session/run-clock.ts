/** The wall clock of one run. It stands still while a person is asked, for the person's time is not the code's. */
export class RunClock {
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  readonly #onEnd: () => void;

  /** @param ms time that may pass, pauses apart; starts at once. */
  constructor(ms: number, onEnd: () => void) {
    this.#left = ms;
    this.#onEnd = onEnd;
    this.#go();
  }

  /** Stops until the returned function is called, which tells how long it stood, in milliseconds. Pauses may overlap. */
  pause(): () => number {
    const began = performance.now();
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer);
      this.#left -= began - this.#since;
    }
    return () => {
      if (--this.#pauses === 0) this.#go();
      return performance.now() - began;
    };
  }

  stop(): void {
    this.#pauses = Number.MAX_SAFE_INTEGER;
    clearTimeout(this.#timer);
  }

  #go(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.max(0, this.#left));
  }
}
