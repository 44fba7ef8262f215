import type { ServerTool } from './define-tool.js';
import type { ServerDeps } from './server-deps.js';
import { executeCode } from './tools/execute-code.js';
import { getExecutionStats } from './tools/get-execution-stats.js';
import { getToolDefinition } from './tools/get-tool-definition.js';
import { listSkills } from './tools/list-skills.js';
import { listWorkspaceFiles } from './tools/list-workspace-files.js';
import { loadSkill } from './tools/load-skill.js';
import { readWorkspaceFile } from './tools/read-workspace-file.js';
import { restorePii } from './tools/restore-pii.js';
import { sanitizePii } from './tools/sanitize-pii.js';
import { saveSkill } from './tools/save-skill.js';
import { searchTools } from './tools/search-tools.js';
import { writeWorkspaceFile } from './tools/write-workspace-file.js';

/** All server tools in the order of `tools/list`. The list depends on the configuration only and never changes later. */
export function serverTools(
  deps: Pick<ServerDeps, 'limits' | 'catalog' | 'decide' | 'skills'>,
): readonly ServerTool[] {
  const { limits, catalog, decide, skills } = deps;
  return [
    executeCode(limits),
    searchTools(catalog, limits, skills),
    getToolDefinition(catalog, decide),
    ...(skills ? [saveSkill(skills), loadSkill(skills), listSkills(skills, limits)] : []),
    sanitizePii,
    restorePii,
    writeWorkspaceFile,
    readWorkspaceFile(limits),
    listWorkspaceFiles(limits),
    getExecutionStats,
  ];
}
