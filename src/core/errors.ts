/**
 * The error codes of the product, one table. A code is stable: clients may branch on it, never on the text.
 *
 * `forModel: true` means that the message was written for the model to read and may be shown to it. The message of
 * any other code is for the operator's log; the model gets the code and a neutral sentence instead.
 */
export const ERROR_CODES = {
  timeout: { forModel: true, about: 'The run was still going at its wall-clock limit.' },
  memory_limit: { forModel: true, about: 'The run needed more memory than it may have.' },
  output_limit: { forModel: true, about: 'The run printed more than it may.' },
  disk_limit: {
    forModel: true,
    about: 'The workspace or the scratch space is full (bytes or number of files).',
  },
  process_limit: { forModel: true, about: 'The run tried to start more processes than it may.' },
  call_budget: { forModel: true, about: 'The run made more tool calls than it may.' },
  crashed: { forModel: true, about: 'The interpreter died, or spoke nonsense, in the middle of the run.' },
  cancelled: { forModel: true, about: 'The client cancelled the run or went away.' },
  syntax_error: { forModel: true, about: 'The code does not compile.' },
  python_error: { forModel: true, about: 'The code raised an exception.' },
  import_denied: { forModel: true, about: 'The code imported a module that makes no sense in the sandbox.' },
  busy: { forModel: true, about: 'The session already runs something, or the server is at its capacity.' },
  session_unknown: { forModel: true, about: 'No session of that name exists.' },
  session_broken: { forModel: true, about: 'The session lost its interpreter; its variables are gone.' },
  tool_unknown: { forModel: true, about: 'No tool of that name exists.' },
  tool_denied: { forModel: true, about: 'The policy, or the person who was asked, does not allow the call.' },
  tool_needs_approval: {
    forModel: true,
    about: 'The call needs the approval of a person, whom this client cannot ask.',
  },
  restore_denied: {
    forModel: true,
    about: 'A token may not be turned back into its value here.',
  },
  personal_data: { forModel: true, about: 'The text holds a secret or personal data, and must not be kept.' },
  test_failed: { forModel: true, about: 'An example of the skill does not hold, so it was not saved.' },
  tool_failed: { forModel: true, about: 'The tool reported a failure.' },
  tool_unavailable: {
    forModel: true,
    about: 'The server of the tool cannot be reached, died, or did not answer in time.',
  },
  bad_arguments: { forModel: true, about: 'An argument is missing, unknown or of the wrong kind.' },
  path_denied: {
    forModel: true,
    about: 'The path leaves the workspace, or names something that is no regular file.',
  },
  not_found: { forModel: true, about: 'No such file.' },
  exists: { forModel: true, about: 'The file is already there, and mode "create" does not replace it.' },
  too_large: { forModel: true, about: 'The input is larger than the server takes.' },
  bad_name: { forModel: true, about: 'The name has characters or a length that are not allowed.' },
  bad_encoding: { forModel: true, about: 'The content is not valid in the encoding that was named.' },
  backend_unavailable: { forModel: true, about: 'The sandbox cannot be started on this machine.' },
  config_error: { forModel: true, about: 'The configuration is wrong.' },
  internal: { forModel: false, about: 'A fault of this server.' },
} as const satisfies Record<string, { forModel: boolean; about: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * Our own failing, or a request that cannot be served. User code that fails is an {@link Outcome}, never this.
 *
 * `message` says what was wrong; `hint` is the next step ("one of: ...", "use mode overwrite").
 */
export class CodeExecutionError extends Error {
  override readonly name = 'CodeExecutionError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint?: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** How a wait for something that a run needs ends when the client cancels the call or goes away. */
export function cancelledByClient(): CodeExecutionError {
  return new CodeExecutionError('cancelled', 'the client cancelled the run before it began');
}
