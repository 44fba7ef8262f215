import type { ContentBlock } from '@modelcontextprotocol/server';
import type { RunReport } from '../../core/outcome.js';
import type { Workspace } from '../../workspace/workspace.js';
import { type ImageBytes, imageBytes, MAX_SHOWN_BYTES } from './image-bytes.js';

/** Images that one answer carries. */
export const MAX_IMAGES = 4;
/** What lies around the pixels of a file may be dropped; a file much larger than what is shown is not read. */
const MAX_FILE_BYTES = 2 * MAX_SHOWN_BYTES;

/** An image of a run, a file of the workspace. */
export interface RunImage {
  readonly path: string;
  /** Absent: it is not shown. */
  readonly shown?: ImageBytes;
  /** Why it is not shown, in words. */
  readonly reason?: string;
}

/**
 * The images that a run names, each of which must be a file that it has written. Read from the workspace after the run, so they
 * have passed its paths and its quota, and looked through again: what the run says of them counts for nothing.
 */
export async function runImages(report: RunReport, workspace: () => Promise<Workspace>): Promise<RunImage[]> {
  const images: RunImage[] = [];
  for (const path of new Set(report.images)) {
    const size = report.filesChanged.find((file) => file.path === path && file.change !== 'deleted')?.size;
    if (size === undefined) continue;
    const shownSoFar = images.filter(({ shown }) => shown !== undefined).length;
    images.push(
      shownSoFar >= MAX_IMAGES
        ? { path, reason: `an answer shows ${MAX_IMAGES} images` }
        : await look(path, size, workspace),
    );
  }
  return images;
}

/** The images of an answer as content. */
export function imageBlocks(images: readonly RunImage[]): ContentBlock[] {
  return images.flatMap(({ shown }) =>
    shown === undefined
      ? []
      : [{ type: 'image', data: Buffer.from(shown.bytes).toString('base64'), mimeType: shown.mimeType }],
  );
}

async function look(path: string, size: number, workspace: () => Promise<Workspace>): Promise<RunImage> {
  if (size > MAX_FILE_BYTES) return { path, reason: 'it is too large' };
  let bytes: Uint8Array;
  try {
    bytes = await (await workspace()).read(path);
  } catch {
    return { path, reason: 'it cannot be read any more' };
  }
  const shown = imageBytes(bytes);
  return shown === undefined ? { path, reason: 'it is too large, or no PNG or JPEG' } : { path, shown };
}
