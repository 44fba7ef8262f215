import type { Folder } from './folder.js';
import { errnoOf } from './system-error.js';

/** Opens a folder, making it (mode 0700) if nothing is there. */
export async function openOrMakeFolder(parent: Folder, name: string): Promise<Folder> {
  try {
    return await parent.openFolder(name);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  await parent.verify();
  try {
    await parent.disk.mkdir(parent.at(name), 0o700);
  } catch (error) {
    // Someone else made it; whether it is a folder is for openFolder to say.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  return parent.openFolder(name);
}
