import type { ServerTool } from './define-tool.js';
import type { ServerLimits } from './server-deps.js';
import { executeCode } from './tools/execute-code.js';
import { getExecutionStats } from './tools/get-execution-stats.js';
import { listWorkspaceFiles } from './tools/list-workspace-files.js';
import { readWorkspaceFile } from './tools/read-workspace-file.js';
import { writeWorkspaceFile } from './tools/write-workspace-file.js';

/** All server tools in the order of `tools/list`. The list depends on the configuration only and never changes later. */
export function serverTools(limits: ServerLimits): readonly ServerTool[] {
  return [
    executeCode(limits),
    writeWorkspaceFile,
    readWorkspaceFile(limits),
    listWorkspaceFiles(limits),
    getExecutionStats,
  ];
}
