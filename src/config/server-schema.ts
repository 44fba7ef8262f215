import { z } from 'zod';
import { MAX_GLOB_LENGTH } from '../core/glob.js';
import { detectSchema } from './privacy-schema.js';

/** No program takes a NUL in an argument. */
const text = z
  .string()
  .max(32_768)
  .regex(/^[^\0]*$/);
// A longer glob matches nothing, and a list `deny` must never fail to deny.
const globs = z.array(z.string().min(1).max(MAX_GLOB_LENGTH)).max(1_000).default([]);

const serverMode = z.enum(['egress', 'strict']);
const serverPrivacy = z.strictObject({
  mode: serverMode.optional(),
  detect: detectSchema.optional(),
  restore: z.strictObject({ allow: globs, deny: globs }).prefault({}),
});

/**
 * One entry of `mcpServers` (or `servers`, as VS Code has it). Keys that other programs know are let through: they are
 * warned about, never refused.
 */
export const serverEntrySchema = z.looseObject({
  type: z
    .enum(['stdio', 'http', 'streamable-http', 'sse'])
    .optional()
    .describe('How the server is reached. Without it: "stdio" with a command, "http" with a url.'),
  command: text.min(1).optional().describe('Program to start, found through PATH. No shell is involved.'),
  args: z.array(text).max(1_000).default([]).describe('Its arguments.'),
  env: z
    .record(z.string().regex(/^[^\0=]+$/), text)
    .default({})
    .describe(
      'Variables for its environment, which otherwise holds only HOME, PATH, SHELL, TERM, LANG, USER and TMPDIR.',
    ),
  cwd: text.min(1).optional().describe('Folder it starts in; default: the working directory of this server.'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of a remote server.'),
  headers: z
    .record(z.string(), text)
    .default({})
    .describe('HTTP headers for every request, such as Authorization.'),
  disabled: z.boolean().default(false).describe('Leaves the entry out.'),
  timeout: z
    .number()
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(60_000)
    .describe('The most that one call may take, in milliseconds.'),
  category: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe('Category of its tools in searches; default: the name.'),
  protocol: z
    .enum(['auto', 'legacy', 'modern'])
    .optional()
    .describe(
      'Which handshake it gets: "legacy" (with initialize, the default on stdio), "modern" (2026-07-28), or "auto", which tries both and is the default over HTTP.',
    ),
  tools: z
    .strictObject({ allow: globs, deny: globs, ask: globs })
    .prefault({})
    .describe(
      'Globs over the names of its tools. "deny" refuses, "ask" asks the person before each call, "allow" lets through even what calls itself destructive; in that order.',
    ),
  privacy: z
    .union([serverMode, serverPrivacy])
    .default({ restore: { allow: [], deny: [] } })
    .describe(
      'Personal data of this server: "strict" hides it from code as well, "egress" from the model only; or an object with mode, detect and restore: {allow, deny}, globs over "tool" and "tool.argument" that say where tokens are turned back into values.',
    ),
});

export type ServerEntry = z.output<typeof serverEntrySchema>;

export const SERVER_KEYS: readonly string[] = Object.keys(serverEntrySchema.shape);

/** Keys of later versions. */
export const LATER_SERVER_KEYS: ReadonlySet<string> = new Set(['oauth']);

export const SERVER_NAME = /^[A-Za-z0-9_.-]{1,100}$/;
