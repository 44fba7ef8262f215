/** Waits for `work` unless the signal comes first; then rejects with what `reason` makes. The work itself goes on. */
export async function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  reason: () => Error,
): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    work.catch(() => undefined);
    throw reason();
  }
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(reason());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // A run's signal sees hundreds of calls.
    signal.removeEventListener('abort', onAbort);
  }
}
