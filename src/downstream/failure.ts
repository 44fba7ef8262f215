import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

/** Why a server cannot be used, as the end of a sentence that begins with its name. For a model: no values, no paths. */
export function describeFailure(error: unknown, ending?: string): string {
  if (ending !== undefined) return `ended (${ending})`;
  const code = systemCode(error);
  if (code === 'ENOENT')
    return 'could not be started: its command, or the folder it starts in, was not found';
  if (code === 'EACCES') return 'could not be started: its command may not be run by this user';
  if (code === 'ECONNREFUSED') return 'refused the connection';
  if (code === 'ETIMEDOUT' || code?.startsWith('UND_ERR_')) return 'did not answer in time';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'has an address that could not be found';
  if (error instanceof UnauthorizedError) return SIGN_IN;
  if (error instanceof SdkHttpError) return httpFailure(error.status);
  // The SDK wraps what went wrong while it tried out protocols.
  if (error instanceof SdkError && error.cause !== undefined) return describeFailure(error.cause);
  if (error instanceof SdkError) return sdkFailure(error);
  if (error instanceof ProtocolError) return `refused the connection with error ${error.code}`;
  return code === undefined ? 'could not be reached' : `could not be reached (${code})`;
}

/** The SDK's own timer, which may fire before ours when both are overdue. */
export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

const SIGN_IN = 'wants a sign-in (HTTP 401): the operator puts a token into its headers in the configuration';

function httpFailure(status: number | undefined): string {
  return status === 401 ? SIGN_IN : `answered with HTTP ${status ?? 'nonsense'}`;
}

function sdkFailure(error: SdkError): string {
  if (error.code === SdkErrorCode.RequestTimeout) return 'did not answer in time';
  if (error.code === SdkErrorCode.ConnectionClosed) return 'closed the connection';
  if (error.code === SdkErrorCode.EraNegotiationFailed)
    return 'speaks no protocol version that is known here';
  return 'did not keep to the protocol';
}

/** The second kind is that of `fetch` for a connection, headers or a body that did not come in time. */
const SYSTEM_CODE = /^(?:E[A-Z]+|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** The code of a failed system call, also where `fetch` has wrapped the error. */
function systemCode(error: unknown): string | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && typeof one.code === 'string' && SYSTEM_CODE.test(one.code)) return one.code;
    if (one instanceof AggregateError && one.errors[0] instanceof Error) return systemCode(one.errors[0]);
  }
  return undefined;
}
