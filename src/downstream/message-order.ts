import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client';

type Receiver = NonNullable<Transport['onmessage']>;

/**
 * Makes a transport hand on its messages one by one. The SDK handles a notification a moment later and an answer at once, so
 * the progress of a call right in front of its answer would be lost: the call is forgotten by then.
 */
export function keepOrder(transport: Transport): void {
  let receiver: Receiver | undefined;
  /** The first one is being handed on. */
  const waiting: [JSONRPCMessage, MessageExtraInfo | undefined][] = [];
  const handOn = () => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const [message, extra] = first;
      receiver?.(message, extra);
      if ('method' in message) {
        // The SDK has queued its handler by now; this comes behind it.
        queueMicrotask(() => {
          waiting.shift();
          handOn();
        });
        return;
      }
      waiting.shift();
    }
  };
  const enqueue: Receiver = (message, extra) => {
    waiting.push([message, extra]);
    if (waiting.length === 1) handOn();
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receiver && enqueue,
    set: (next: Receiver | undefined) => {
      receiver = next === enqueue ? receiver : next;
    },
  });
}
