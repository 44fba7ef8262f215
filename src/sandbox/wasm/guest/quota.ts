/** Bytes and files that a mounted file system may still grow by; both may go back up when files shrink or go. */
export class Quota {
  constructor(
    private bytes: number,
    private files: number,
  ) {}

  reset(bytes: number, files: number): void {
    this.bytes = bytes;
    this.files = files;
  }

  /** False when it does not fit; nothing is taken then. */
  takeBytes(count: number): boolean {
    if (count > 0 && count > this.bytes) return false;
    this.bytes -= count;
    return true;
  }

  takeFile(): boolean {
    if (this.files <= 0) return false;
    this.files--;
    return true;
  }

  returnFile(bytes: number): void {
    this.files++;
    this.bytes += bytes;
  }
}
