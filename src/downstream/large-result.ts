/**
 * The result of a call that is too long to be made into values on the event loop: the parts that matter of the JSON
 * text, as the server sent them. Only our own reader makes one, so a server cannot pass one off as its answer.
 */
export class LargeResult {
  constructor(
    readonly isError: boolean,
    /** UTF-8 JSON text of `{"structured":...,"content":[...]}` when put together; not proved to be valid JSON. */
    readonly parts: readonly Uint8Array[],
    readonly bytes: number,
  ) {}
}

/** Key in the `_meta` of a result under which a {@link LargeResult} passes through the SDK. */
export const LARGE_KEY = 'code-execution-mcp/large';
