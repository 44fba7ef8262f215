/**
 * Work that gives others their turn: after every 12 ms the event loop goes round once, so that a result of 50 MB delays
 * no other answer by more than its smallest step takes.
 */
export class Turns {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS;
  }

  async giveWay(): Promise<void> {
    if (!this.isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}

const TURN_MS = 12;
