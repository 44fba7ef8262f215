// @ts-check
import { createServer, request } from 'node:http';

/**
 * A proxy for a program that cannot send a bearer token: it adds the header, and changes nothing else. Listens on a free
 * port of 127.0.0.1.
 * @param {string} url Where requests go.
 * @param {string} token
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function startTokenProxy(url, token) {
  const { hostname, port, pathname } = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const options = { hostname, port, method: incoming.method, path: incoming.url, headers };
    const onward = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${pathname}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
