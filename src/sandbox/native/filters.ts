import { CodeExecutionError } from '../../core/errors.js';
import { assembleFilter, type FilterStage, type SeccompFilter } from './filter.js';
import { systemCalls } from './system-calls.js';

export type Filters = Readonly<Record<FilterStage, SeccompFilter>>;

/** The filters of all stages for this machine. @throws CodeExecutionError `backend_unavailable` */
export function filtersForThisMachine(): Filters {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') {
    throw new CodeExecutionError(
      'backend_unavailable',
      `the native sandbox has no system call numbers for ${arch}`,
      'set sandbox.backend to "wasm"',
    );
  }
  const calls = systemCalls();
  return {
    jail: assembleFilter(calls, arch, 'jail'),
    sealed: assembleFilter(calls, arch, 'sealed'),
    run: assembleFilter(calls, arch, 'run'),
  };
}
