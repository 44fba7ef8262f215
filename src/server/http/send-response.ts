import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes an answer of the SDK to a connection, no faster than the client reads. The headers leave at once: the first event
 * of a stream may be minutes away. Rejects if the client goes away; the answer's stream is cancelled then.
 */
export async function sendResponse(answer: Response, to: ServerResponse): Promise<void> {
  if (to.destroyed) {
    await answer.body?.cancel();
    return;
  }
  to.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    to.end();
    return;
  }
  to.flushHeaders();
  await pipeline(Readable.fromWeb(answer.body), to);
}
