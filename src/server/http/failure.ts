/** Codes of JSON-RPC and of the SDK's transports, which clients know. */
export const RPC = {
  parse: -32_700,
  invalid: -32_600,
  internal: -32_603,
  refused: -32_000,
  noSession: -32_001,
} as const;

/** A refusal as HTTP and as JSON-RPC: no request of it was understood, so it bears no id. */
export function failure(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}
