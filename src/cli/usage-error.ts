/** The command line is wrong: printed with its hint, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
