// @ts-check

/** @typedef {{ wallMs: number, cpuMs: number, memoryMb: number, outputBytes: number, diskBytes: number, files: number, processes: number }} Limits */

/** What holds where a case names no limits (its README). @type {Limits} */
export const DEFAULT_LIMITS = {
  wallMs: 5_000,
  cpuMs: 5_000,
  memoryMb: 512,
  outputBytes: 256 * 1024,
  diskBytes: 64 * 1024 * 1024,
  files: 2_000,
  processes: 16,
};

/** On one line, so that the lines of the case keep their numbers but for one. */
const ADAPTER =
  'CALL_TOOL = lambda server, tool, arguments=None: tools.call(server + "." + tool, dict(arguments or {}))\n';

/** Names of arguments that the product spells otherwise. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const RENAMED = {
  read_workspace_file: { path: 'filename' },
  write_workspace_file: { path: 'filename' },
  list_workspace_files: { path: 'subpath' },
  get_tool_definition: { tool: 'tool_name', name: 'tool_name' },
  search_tools: { detail: 'detail_level' },
  execute_code: { context: 'context_vars' },
};

/**
 * What a case means, as the call of the product that does it.
 * @param {string} action
 * @param {Record<string, any>} input
 * @param {Limits} limits
 * @returns {{ name: string, arguments: Record<string, unknown> }}
 */
export function toolCall(action, input, limits) {
  const { repeatCall: _, limits: own, recursive: __, ...rest } = input;
  const renamed = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [RENAMED[action]?.[key] ?? key, value]),
  );
  if (action !== 'execute_code') return { name: action, arguments: renamed };
  const held = { ...limits, ...own };
  return {
    name: action,
    arguments: {
      ...renamed,
      code: withAdapter(String(input.code)),
      timeout_seconds: held.wallMs / 1000,
      memory_mb: Math.max(64, held.memoryMb),
    },
  };
}

/** @param {string} code */
export function withAdapter(code) {
  return code.includes('CALL_TOOL') ? ADAPTER + code : code;
}

/**
 * The product's configuration for a case.
 * @param {string} backend
 * @param {Limits} limits
 * @param {{ sandbox?: object }} rest
 */
export function configuration(backend, limits, { sandbox, ...rest }) {
  return {
    sandbox: {
      backend,
      pool: 1,
      timeoutSeconds: limits.wallMs / 1000,
      memoryMb: Math.max(64, limits.memoryMb),
      workspaceMb: Math.max(1, Math.round(limits.diskBytes / 1024 ** 2)),
      workspaceFiles: limits.files,
      maxSessions: 100,
      ...sandbox,
    },
    output: { maxChars: Math.min(100_000, Math.max(400, limits.outputBytes)) },
    logLevel: 'info',
    ...rest,
  };
}
