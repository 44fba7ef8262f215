import type { IncomingMessage } from 'node:http';
import { MAX_MESSAGE_BYTES } from '../stdio-transport.js';
import { failure, RPC } from './failure.js';

/** Bodies that are being read take together at most this: a dozen principals could else ask for a gigabyte at a time. */
const MAX_TOGETHER_BYTES = 4 * MAX_MESSAGE_BYTES;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

/** A body, or the answer to one that is not taken. */
export type Body = { readonly value: unknown } | { readonly refused: Response };

/** Reads JSON bodies of up to {@link MAX_MESSAGE_BYTES}. How long one may take is the listener's business. */
export class BodyReader {
  #held = 0;
  readonly #maxBytes: number;
  readonly #maxTogether: number;

  constructor(maxBytes = MAX_MESSAGE_BYTES, maxTogether = MAX_TOGETHER_BYTES) {
    this.#maxBytes = maxBytes;
    this.#maxTogether = maxTogether;
  }

  /** Rejects if the client goes away. */
  async read(request: IncomingMessage): Promise<Body> {
    if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
      return refused(415, RPC.refused, 'Content-Type must be application/json');
    if (Number(request.headers['content-length']) > this.#maxBytes) return this.#tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      // Leaving the loop would destroy the socket, and with it the answer that says why.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#held += chunk.length;
        if (size > this.#maxBytes) return this.#tooLarge();
        if (this.#held > this.#maxTogether) return busy();
        chunks.push(chunk);
      }
      return parse(Buffer.concat(chunks));
    } finally {
      this.#held -= size;
    }
  }

  #tooLarge(): Body {
    const message = `the body has more than ${this.#maxBytes} bytes; send large content in parts (write_workspace_file, mode append)`;
    return refused(413, RPC.refused, message, CLOSE);
  }
}

/** The rest of such a body is not read. */
const CLOSE = { connection: 'close' };

function parse(bytes: Buffer): Body {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return refused(400, RPC.parse, 'Parse error: the body is no JSON in UTF-8');
  }
}

function busy(): Body {
  const headers = { ...CLOSE, 'retry-after': '5' };
  return refused(503, RPC.refused, 'too many large requests at a time; try again in a few seconds', headers);
}

function refused(...args: Parameters<typeof failure>): Body {
  return { refused: failure(...args) };
}
