/** The wall clock of one run. It stands still while a person is asked, for the person's time is not the code's. */
export class RunClock {
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  /** Up to here the standing time has been told. */
  #told = 0;
  #over = false;
  readonly #onEnd: () => void;

  /** @param ms time that may pass, pauses apart; starts at once. `onEnd` is called once, unless {@link stop} comes first. */
  constructor(ms: number, onEnd: () => void) {
    this.#left = ms;
    this.#onEnd = onEnd;
    this.#go();
  }

  /**
   * Stops until the returned function is called. It tells how long the clock stood, in milliseconds. Pauses may overlap:
   * together they tell of each moment once, so that the sum is the time by which the deadline has moved.
   */
  pause(): () => number {
    const began = performance.now();
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer);
      this.#left -= began - this.#since;
      this.#told = began;
    }
    let isOpen = true;
    return () => {
      if (!isOpen) return 0;
      isOpen = false;
      const now = performance.now();
      const stood = now - this.#told;
      this.#told = now;
      if (--this.#pauses === 0) this.#go();
      return stood;
    };
  }

  stop(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #go(): void {
    if (this.#over) return;
    this.#since = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#over = true;
        this.#onEnd();
      },
      Math.max(0, this.#left),
    );
  }
}
