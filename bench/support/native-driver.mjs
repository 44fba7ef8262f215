// @ts-check
/**
 * One run on a worker, without the rest of the server: its value. Calls of tools are answered at once.
 * @param {import('../../dist/sandbox/sandbox.js').Worker} worker
 * @param {string} code
 * @param {{ keepState?: boolean, unchanged?: boolean, tools?: boolean }} [options]
 * @returns {Promise<unknown>}
 */
export function drive(worker, code, { keepState = false, unchanged = false, tools = false } = {}) {
  const id = 'bench';
  const answer = Buffer.from('{"value":1}');
  return new Promise((resolve, reject) => {
    worker.onFrame(({ message, payload }) => {
      if (message.type === 'call') {
        worker.send({ message: { type: 'reply', id: message.id, ok: true }, payload: answer });
      } else if (message.type === 'done') {
        if (message.error) reject(new Error(`${message.error.type}: ${message.error.message}`));
        else resolve(payload.length > 0 ? JSON.parse(Buffer.from(payload).toString('utf8')) : undefined);
      }
    });
    void worker.exited.then((exit) => reject(new Error(`the worker ended: ${JSON.stringify(exit)}`)));
    worker.send({
      message: {
        type: 'run',
        id,
        timeoutMs: 60_000,
        memoryMb: 512,
        outputBytes: 1_000_000,
        resultBytes: 1_000_000,
        diskBytes: 1_000_000,
        diskFiles: 100,
        builtins: 'restricted',
        keepState,
        tools,
        skills: false,
        ...(unchanged ? {} : { manifest: [] }),
      },
      payload: Buffer.from(JSON.stringify({ code, context: {}, earlierNames: [] })),
    });
  });
}
