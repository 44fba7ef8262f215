import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CodeExecutionError } from '../core/errors.js';
import type { ApprovalQuestion } from '../session/tool-access.js';
import type { Conversation, WaitingConversations } from './conversation.js';

type Request = ServerContext['mcpReq'];

export const MAX_QUESTION_CHARS = 3_000;
const KEY = 'approval';
/** One field, so that every client can show it; the person sets it, the model cannot. */
const FORM = z.object({ allow: z.boolean().describe('Allow this one call') });

/** True if the client of this request can put a form before a person (both protocol eras). */
export function canAskPerson(mcp: McpServer, request: Request): boolean {
  const envelope = request.envelope as Record<string, unknown> | undefined;
  const declared =
    envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? mcp.server.getClientCapabilities();
  return typeof declared === 'object' && declared !== null && 'elicitation' in declared;
}

/** The answer that asks the person; the client repeats the call with what the person said. */
export async function askPerson(
  question: ApprovalQuestion,
  state: string,
  visible: (text: string) => Promise<string>,
): Promise<InputRequiredResult> {
  const text = `The agent's code wants to call ${question.tool} (${question.reason}).\nArguments: ${question.argumentsText}`;
  const form = inputRequired.elicit({ message: await visible(text), requestedSchema: FORM });
  return inputRequired({ inputRequests: { [KEY]: form }, requestState: state });
}

/** The call that this request goes on with, its question answered; undefined if it is over. */
export function resumed(
  waiting: WaitingConversations<CallToolResult>,
  tool: string,
  state: string,
  request: Request,
): Conversation<CallToolResult> | undefined {
  const conversation = waiting.take(state, tool);
  // Anything but a clear yes is a no.
  conversation?.answer(
    acceptedContent(request.inputResponses, KEY, FORM)?.allow === true ? 'approved' : 'declined',
  );
  return conversation;
}

/** The answer to a question that was answered before, has expired, or was never asked. */
export function tooLate(): CodeExecutionError {
  return new CodeExecutionError(
    'cancelled',
    'the question that this call answers is closed; the code that asked it has gone on without the approval',
    'call the tool again without request state',
  );
}
