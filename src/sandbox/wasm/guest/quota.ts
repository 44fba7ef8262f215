/** Bytes and files that a mounted file system may still grow by; both may go back up when files shrink or go. */
export class Quota {
  #refusedAt = 0;

  constructor(
    private bytes: number,
    private files: number,
  ) {}

  reset(bytes: number, files: number): void {
    this.bytes = bytes;
    this.files = files;
  }

  /** When something last did not fit; 0: never. Tells which of two file systems an error is about. */
  get refusedAt(): number {
    return this.#refusedAt;
  }

  /** False when it does not fit; nothing is taken then. */
  takeBytes(count: number): boolean {
    if (count > 0 && count > this.bytes) return this.#refuse();
    this.bytes -= count;
    return true;
  }

  takeFile(): boolean {
    if (this.files <= 0) return this.#refuse();
    this.files--;
    return true;
  }

  returnFile(bytes: number): void {
    this.files++;
    this.bytes += bytes;
  }

  #refuse(): false {
    this.#refusedAt = performance.now();
    return false;
  }
}
