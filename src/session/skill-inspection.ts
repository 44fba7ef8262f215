import { CodeExecutionError } from '../core/errors.js';
import type { Outcome, RunReport } from '../core/outcome.js';
import type { SkillShape, TestOutcome } from '../skills/skills.js';
import { examplesSchema, inspectionSchema } from '../wire/inspection.js';
import type { Runner, RunRequest } from './runner.js';
import type { SkillSituation } from './skill-access.js';

/** What is known about a text that was parsed. */
export interface Inspected {
  readonly shape: SkillShape;
  /** Imports that only this sandbox does not need: `import json`. */
  readonly missingImports: readonly string[];
}

export interface InspectionOptions {
  readonly runner: Runner;
  /** MiB. */
  readonly memoryMb: number;
}

/** Programs of ours; python/src/ce_runtime/skills has the functions. */
const INSPECT = 'skills.__inspect__(code, name)';
const EXAMPLES = 'skills.__examples__(code, name)';
/** Who reads source text: a principal without files, tools and skills of its own, should the text take the parser over. */
const READER = 'skill inspection';
/** Parsing takes milliseconds; what takes this long is made to. */
const INSPECT_MS = 10_000;
const EXAMPLES_MS = 30_000;
const MAX_MESSAGE = 1_500;

/** Reads and tests source text in fresh workers: foreign code is never parsed in this process. */
export class SkillInspection {
  readonly #options: InspectionOptions;

  constructor(options: InspectionOptions) {
    this.#options = options;
  }

  /** @throws CodeExecutionError `syntax_error` with line and text, `bad_arguments` for no function, `too_large`. */
  async inspect(name: string, code: string, situation: SkillSituation): Promise<Inspected> {
    const report = await this.#run(READER, INSPECT, INSPECT_MS, { name, code }, situation);
    const found = inspectionSchema.safeParse(reportedValue(report.outcome));
    if (!found.success) throw unreadable(report);
    const inspection = found.data;
    if (!('problem' in inspection)) {
      const { missingImports, docstring, ...shape } = inspection;
      return { shape: { ...shape, ...(docstring === undefined ? {} : { docstring }) }, missingImports };
    }
    const { problem, message, line, text } = inspection;
    if (problem === 'no_function') {
      throw new CodeExecutionError(
        'bad_arguments',
        `the code is no skill: ${message}`,
        `put it into a function, for example def ${name}(...)`,
      );
    }
    const place = line === undefined ? '' : ` in line ${line}`;
    throw new CodeExecutionError(
      'syntax_error',
      `the code does not compile${place}: ${message}${text === undefined || text === '' ? '' : `: ${text}`}`,
      'mend it, run it with execute_code, and save it then',
    );
  }

  /** Every end of the examples is an outcome. @throws CodeExecutionError when they could not be begun. */
  async test(principal: string, name: string, code: string, situation: SkillSituation): Promise<TestOutcome> {
    const report = await this.#run(principal, EXAMPLES, EXAMPLES_MS, { name, code }, situation);
    if (report.outcome.kind === 'cancelled') throw cancelled();
    const time = new Date().toISOString();
    const told = examplesSchema.safeParse(reportedValue(report.outcome));
    if (!told.success) return { passed: 0, failed: 1, message: endOf(report.outcome), time };
    const { passed, failed, message } = told.data;
    return { passed, failed, ...(message === undefined ? {} : { message }), time };
  }

  #run(
    principal: string,
    code: string,
    timeoutMs: number,
    context: Record<string, unknown>,
    { nested, signal, approve }: SkillSituation,
  ): Promise<RunReport> {
    const request: RunRequest = {
      code,
      context,
      timeoutMs,
      memoryMb: this.#options.memoryMb,
      ...(nested === undefined ? {} : { nested }),
      ...(signal === undefined ? {} : { signal }),
      ...(approve === undefined ? {} : { approve }),
    };
    return this.#options.runner.run(principal, request);
  }
}

function reportedValue(outcome: Outcome): unknown {
  if (outcome.kind !== 'value' || outcome.value === undefined) return undefined;
  try {
    return JSON.parse(outcome.value.json);
  } catch {
    return undefined;
  }
}

/** Why the text could not be read, whatever it did to the interpreter. */
function unreadable({ outcome }: RunReport): CodeExecutionError {
  if (outcome.kind === 'cancelled') return cancelled();
  const how =
    outcome.kind === 'value' || outcome.kind === 'crashed' ? 'it brings the parser down' : endOf(outcome);
  return new CodeExecutionError(
    'too_large',
    `the code cannot be read: ${how}`,
    'make it smaller: no huge constants, no deep nesting, data in files',
  );
}

function cancelled(): CodeExecutionError {
  return new CodeExecutionError('cancelled', 'the call was cancelled');
}

function endOf(outcome: Outcome): string {
  if (outcome.kind === 'value') return 'the examples gave no outcome';
  const { type, message, line, source } = outcome.error;
  const place = line === undefined || source === undefined ? '' : ` (line ${line}: ${source})`;
  return `${type}: ${message}${place}`.slice(0, MAX_MESSAGE);
}
