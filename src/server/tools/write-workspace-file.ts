import { z } from 'zod';
import { CodeExecutionError } from '../../core/errors.js';
import { MAX_WRITE_BYTES } from '../../core/limits.js';
import { answer } from '../answer.js';
import { loneSurrogate } from '../check-run.js';
import { defineTool } from '../define-tool.js';
import { count, bytes as size } from '../quantities.js';
import { visibleLine } from '../visible-text.js';

/** Writes a file of the workspace. */
export const writeWorkspaceFile = defineTool({
  name: 'write_workspace_file',
  title: 'Write a workspace file',
  description: 'Write a file that code in execute_code can open by the same name. Missing folders are made.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    filename: z.string().min(1).describe('Path in the workspace, like data/sales.csv'),
    content: z.string().describe('Text, or base64 of the bytes'),
    encoding: z.enum(['utf-8', 'base64']).default('utf-8').describe('What content is'),
    mode: z
      .enum(['overwrite', 'append', 'create'])
      .default('overwrite')
      .describe('create: fail if it exists'),
  }),
  output: z.object({
    success: z.boolean(),
    filename: z.string(),
    size: z.number().describe('bytes'),
    workspace_bytes: z.number(),
    workspace_limit: z.number(),
  }),
  async handle({ filename, content, encoding, mode }, { deps, principal }) {
    const bytes = encoding === 'base64' ? fromBase64(content) : fromText(content);
    if (bytes.length > MAX_WRITE_BYTES) {
      throw new CodeExecutionError(
        'too_large',
        `content has ${count(bytes.length)} bytes; the most in one call is ${count(MAX_WRITE_BYTES)}`,
        'write it in parts with mode "append"',
      );
    }
    const workspace = await deps.workspace(principal);
    const entry = await workspace.write(filename, bytes, mode);
    const usage = await workspace.recentUsage();
    const facts = {
      success: true,
      filename: entry.path,
      size: entry.size,
      workspace_bytes: usage.bytes,
      workspace_limit: usage.limitBytes,
    };
    return answer(facts, (shown) => ({
      text: `ok · wrote ${visibleLine(shown.filename)} (${size(shown.size)}) · workspace ${size(shown.workspace_bytes)} of ${size(shown.workspace_limit)}`,
      structured: shown,
    }));
  },
});

function fromText(content: string): Uint8Array {
  const lone = loneSurrogate(content);
  if (lone < 0) return Buffer.from(content, 'utf8');
  throw new CodeExecutionError(
    'bad_encoding',
    `content has half of a surrogate pair at character ${lone}, which UTF-8 cannot hold`,
    'remove it, or pass the bytes with encoding "base64"',
  );
}

/** Node decodes anything and stops silently at the first oddity, so the text is checked first. Linear time. */
function fromBase64(content: string): Uint8Array {
  const text = content.replace(/[\r\n\t ]+/g, '');
  const odd = text.search(/[^A-Za-z0-9+/]/);
  const digits = odd < 0 ? text : text.slice(0, odd);
  const padding = odd < 0 ? '' : text.slice(odd);
  const whole = padding === '' || padding === '=' || padding === '==';
  if (whole && digits.length % 4 !== 1 && (padding === '' || (digits.length + padding.length) % 4 === 0)) {
    return Buffer.from(digits, 'base64');
  }
  const what = whole
    ? `its length of ${text.length} fits no bytes`
    : `character ${odd} is none of its alphabet`;
  throw new CodeExecutionError(
    'bad_encoding',
    `content is not valid base64: ${what}`,
    text.startsWith('data:')
      ? 'pass only what follows the comma of the data URL'
      : 'pass plain base64 (A-Z a-z 0-9 + /), or encoding "utf-8" for text',
  );
}
