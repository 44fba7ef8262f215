import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { MAX_MESSAGE_BYTES } from './message-lines.js';

type Fetch =
  NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]> extends { fetch?: infer F }
    ? NonNullable<F>
    : never;

/** Redirects are followed within the origin only (the SDK's default), so that headers with secrets stay there. */
export function streamableHttp(
  url: string,
  headers: Readonly<Record<string, string>>,
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: cappedFetch(),
  });
}

export function sse(url: string, headers: Readonly<Record<string, string>>): SSEClientTransport {
  return new SSEClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: cappedFetch(),
  });
}

/** `fetch` whose answers end with an error once one message in them has more than `maxBytes`. */
export function cappedFetch(base: Fetch = fetch, maxBytes = MAX_MESSAGE_BYTES): Fetch {
  return async (input, init) => {
    const response = await base(input, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const body = response.body.pipeThrough(messageCap(maxBytes, isStream));
    const capped = new Response(body, response);
    // The SDK compares it to tell a redirect; a new response has none.
    Object.defineProperty(capped, 'url', { value: response.url });
    Object.defineProperty(capped, 'redirected', { value: response.redirected });
    return capped;
  };
}

function messageCap(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxBytes) controller.error(new Error(`an answer of more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
      // An empty line ends an event. One that two chunks share is missed, which costs nothing below the cap.
      if (isStream) bytes = sinceEmptyLine(chunk) ?? bytes;
    },
  });
}

function sinceEmptyLine(chunk: Uint8Array): number | undefined {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'), text.lastIndexOf('\r\r'));
  return end < 0 ? undefined : text.length - end;
}
