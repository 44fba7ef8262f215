/**
 * Long works that take turns: in one round of the event loop one of them goes on, so that ten large answers at a time delay the
 * small ones no more than one does.
 */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/**
 * Work that gives others their turn: after every 12 ms the event loop goes round once, so that a result of 50 MB delays
 * no other answer by more than its smallest step takes.
 */
export class Turns {
  readonly #queue: TurnQueue;
  #began = performance.now();

  /** @param queue of the works that this one takes turns with; default: with none. */
  constructor(queue: TurnQueue = new TurnQueue()) {
    this.#queue = queue;
  }

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS;
  }

  async giveWay(): Promise<void> {
    if (!this.isOver) return;
    await this.#queue.next();
    this.#began = performance.now();
  }
}

const TURN_MS = 12;
