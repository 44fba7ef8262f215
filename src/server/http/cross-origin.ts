/**
 * The headers that let a page of an allowed origin read the answer: of this one origin, never of all. `Vary` keeps shared
 * caches from giving them to another.
 */
export function crossOriginHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate, retry-after',
    vary: 'origin',
  };
}

/** The answer to the question a browser asks before it sends headers of its own (which it asks without them). */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, accept, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id',
      'access-control-max-age': '600',
    },
  });
}
