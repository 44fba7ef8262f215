import { z } from 'zod';
import { CLIENT_NAMES } from '../core/client-files.js';
import { MAX_OUTPUT_CHARS, MIN_OUTPUT_CHARS } from '../core/limits.js';
import { LOG_LEVELS } from '../core/logger.js';
import { httpKeys } from './http-schema.js';
import { privacyKeys } from './privacy-schema.js';
import { serverEntrySchema } from './server-schema.js';

/**
 * Every key of the configuration, with its default, its range and its description. The reference table, the JSON Schema
 * for editors and the messages about wrong values are all derived from here.
 */
const sandboxKeys = {
  backend: z
    .enum(['auto', 'native', 'wasm'])
    .default('auto')
    .describe(
      'The kind of sandbox. "native": the system\'s Python in a bubblewrap jail (Linux). "wasm": Pyodide in a Deno process without permissions. "auto": "native" if a run in a fresh jail has tried to get out and failed, else "wasm".',
    ),
  python: z
    .string()
    .min(1)
    .max(4_096)
    .regex(/^[^\0]*$/)
    .optional()
    .describe(
      "Python of the native sandbox, 3.9 or newer: a program, or the folder of a virtual environment. A relative path starts at the folder of the configuration file. Without it: the system's python3.",
    ),
  preload: z
    .array(z.string().regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/))
    .max(50)
    .default([])
    .describe(
      'Modules that the native sandbox imports once per jail instead of in each run that uses them, such as "numpy" and "pandas".',
    ),
  builtins: z
    .enum(['restricted', 'strict'])
    .default('restricted')
    .describe(
      '"restricted" refuses what makes no sense in the sandbox (input, sockets, subprocesses) with a clear error. "strict" also removes eval, exec, compile, open, globals, locals, vars and all modules but an allow-list. Neither is the security boundary.',
    ),
  timeoutSeconds: z
    .number()
    .min(0.1)
    .max(86_400)
    .default(30)
    .describe('Wall-clock limit of a run that names none, in seconds.'),
  maxTimeoutSeconds: z
    .number()
    .min(0.1)
    .max(86_400)
    .default(600)
    .describe('Longest wall-clock limit that a run may ask for, in seconds.'),
  memoryMb: z
    .number()
    .int()
    .min(64)
    .max(4096)
    .default(512)
    .describe('The most interpreter memory that a run may have, in MiB.'),
  workspaceMb: z
    .number()
    .int()
    .min(1)
    .max(1_048_576)
    .default(256)
    .describe('The most that the files of one workspace may take, in MiB.'),
  workspaceFiles: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('The most files that one workspace may hold, and as many folders.'),
  pool: z
    .number()
    .int()
    .min(0)
    .max(16)
    .default(2)
    .describe(
      'Interpreters kept started and waiting, so that a fresh run begins at once. Each takes about 130 MB of memory; fewer are kept when memory is short. 0: every run waits for its own start.',
    ),
  sessionIdleSeconds: z
    .number()
    .int()
    .min(10)
    .max(604_800)
    .default(1_800)
    .describe(
      'A named session that nobody used for this long is closed and its variables are gone, in seconds.',
    ),
  maxSessions: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(8)
    .describe('The most named sessions open at a time. Each holds an interpreter.'),
};

const outputKeys = {
  maxChars: z
    .number()
    .int()
    .min(MIN_OUTPUT_CHARS)
    .max(MAX_OUTPUT_CHARS)
    .default(8_000)
    .describe(
      'Longest answer to the model in characters, for a run that names no limit. The rest goes to a file in the workspace.',
    ),
};

const folder = z.string().min(1).max(4_096);

const skillsKeys = {
  dir: folder
    .optional()
    .describe(
      'Folder of the saved skills, one Agent Skills folder each; may be ".claude/skills" or ".agents/skills". A relative path starts at the folder of the configuration file. Without it: "skills/local" in dataDir.',
    ),
  readOnlyDirs: z
    .array(folder)
    .max(20)
    .default([])
    .describe(
      'Further folders with skills that can be used but not changed; the first that has a name counts.',
    ),
};

const rootKeys = {
  mcpServers: z
    .record(z.string(), serverEntrySchema)
    .default({})
    .describe(
      'MCP servers whose tools code can call, by name: letters, digits, "-", "_" and ".". "${VAR}", "${VAR:-default}" and "${env:VAR}" are replaced; an unset variable leaves out that server only. In a project file only if the user trusts the project.',
    ),
  servers: z
    .record(z.string(), serverEntrySchema)
    .default({})
    .describe('The same by the name that VS Code has for it; "mcpServers" counts first.'),
  importConfigs: z
    .array(z.enum(CLIENT_NAMES))
    .max(CLIENT_NAMES.length)
    .default([])
    .describe(
      "Programs from whose own files of this user the MCP servers are taken as well; this file's come first.",
    ),
  registry: z
    .array(folder)
    .max(100)
    .default([])
    .describe(
      'Folders with definitions of tools that can be found but not called: <category>/<tool>.json. A relative path starts at the folder of the configuration file.',
    ),
  trustedProjects: z
    .array(folder)
    .max(1_000)
    .default([])
    .describe(
      'Folders whose project file may name mcpServers, importConfigs and registry. Only in the file of the user.',
    ),
  dataDir: z
    .string()
    .min(1)
    .max(4_096)
    .regex(/^[^\0]*$/)
    .optional()
    .describe(
      'Folder for everything that is kept: workspaces, skills, tokens, the audit log. A relative path starts at the folder of the configuration file; "~/" is the home folder. Without it: the data folder of the system for this user.',
    ),
  logLevel: z
    .enum(LOG_LEVELS)
    .default('warn')
    .describe('How much is logged to standard error. "info" tells of every start and end as well.'),
};

/** The configuration file as its author writes it (after `${VAR}` expansion). All keys are optional. */
export const configFileSchema = z.strictObject({
  $schema: z.string().optional().describe('Address of the JSON Schema of this file, for editors.'),
  sandbox: z.strictObject(sandboxKeys).prefault({}).describe('Where and within which limits code runs.'),
  output: z.strictObject(outputKeys).prefault({}).describe('What the model gets to read.'),
  privacy: z.strictObject(privacyKeys).prefault({}).describe('What becomes of personal data and secrets.'),
  skills: z.strictObject(skillsKeys).prefault({}).describe('Where code that worked is kept.'),
  http: z.strictObject(httpKeys).prefault({}).describe('Serving many clients over HTTP.'),
  ...rootKeys,
});

export type ConfigFile = z.output<typeof configFileSchema>;

/** Key path (`sandbox.pool`) to the schema of its value. */
export function configKeys(): ReadonlyMap<string, z.ZodType> {
  const keys = new Map<string, z.ZodType>();
  for (const [name, schema] of Object.entries(sandboxKeys)) keys.set(`sandbox.${name}`, schema);
  for (const [name, schema] of Object.entries(outputKeys)) keys.set(`output.${name}`, schema);
  for (const [name, schema] of Object.entries(privacyKeys)) keys.set(`privacy.${name}`, schema);
  for (const [name, schema] of Object.entries(skillsKeys)) keys.set(`skills.${name}`, schema);
  for (const [name, schema] of Object.entries(httpKeys)) keys.set(`http.${name}`, schema);
  for (const [name, schema] of Object.entries(rootKeys)) keys.set(name, schema);
  return keys;
}

/** Objects that hold an entry for each server. */
export const SERVER_LISTS: readonly string[] = ['mcpServers', 'servers'];

/** Objects that hold keys. */
export const CONFIG_SECTIONS: readonly string[] = ['sandbox', 'output', 'privacy', 'skills', 'http'];

/** Keys of features that later versions bring: a file written for them is taken, with a warning for each. */
export const LATER_KEYS: ReadonlySet<string> = new Set(['sandbox.processes']);
