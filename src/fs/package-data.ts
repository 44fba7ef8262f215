import { readFile } from 'node:fs/promises';

/** A file of this package's `data` folder (two folders up in `src` and in `dist`). */
export async function readPackageData(name: string): Promise<Uint8Array> {
  return readFile(new URL(`../../data/${name}`, import.meta.url));
}
