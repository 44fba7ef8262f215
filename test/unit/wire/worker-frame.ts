/** The bytes of a frame as a worker writes it; a header that is bytes already is taken as it is. */
export function workerFrame(header: unknown, payload: Uint8Array = new Uint8Array(0)): Buffer {
  const head = header instanceof Uint8Array ? header : Buffer.from(JSON.stringify(header), 'utf8');
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32BE(head.length, 0);
  prefix.writeUInt32BE(payload.length, 4);
  return Buffer.concat([prefix, head, payload]);
}
