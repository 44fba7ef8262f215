import { z } from 'zod';
import { checkTokens, RECORD_KEYS } from './check-tokens.js';
import type { ConfigProblem } from './config.js';
import { type Setting, shortJson } from './config-file.js';
import { type Expanded, expandVariables } from './expand.js';
import { configKeys } from './schema.js';

/** A setting whose value has passed its schema. */
export interface CheckedSetting extends Setting {
  /** After expansion and conversion. */
  readonly resolved: unknown;
  /** JSON text of `resolved` for people, secrets masked. */
  readonly shown: string;
}

/**
 * Expands and checks one setting against its schema. Messages show the value as written, so that the content of a
 * variable never gets into an error.
 */
export function checkSetting(
  setting: Setting,
  env: Readonly<Record<string, string | undefined>>,
): { checked: CheckedSetting } | { problems: ConfigProblem[] } {
  const { key, place } = setting;
  if (RECORD_KEYS.has(key)) return checkTokens(setting, env);
  const problem = (message: string): { problems: ConfigProblem[] } => ({
    problems: [{ place, key, message }],
  });
  const schema = configKeys().get(key);
  if (!schema) return problem('unknown key');
  const expanded = typeof setting.value === 'string' ? expandVariables(setting.value, env) : undefined;
  if (Array.isArray(setting.value)) return checkList(setting, schema, env);
  if (expanded && expanded.problems.length > 0) {
    return { problems: expanded.problems.map((message) => ({ place, key, message })) };
  }
  const valid = validJson(schema);
  const value = expanded ? convert(expanded, valid) : setting.value;
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const found = shortJson(setting.value);
    return problem(`found ${found}, valid: ${describeValid(valid)}`);
  }
  const resolved = parsed.data;
  const hidden = expanded !== undefined && expanded.shown !== expanded.value;
  const shown = JSON.stringify(hidden ? expanded.shown : resolved);
  return { checked: { ...setting, resolved, shown } };
}

/** A list of texts, each expanded by itself. */
function checkList(
  setting: Setting,
  schema: z.ZodType,
  env: Readonly<Record<string, string | undefined>>,
): { checked: CheckedSetting } | { problems: ConfigProblem[] } {
  const { key, place, value } = setting;
  const parts: unknown[] = Array.isArray(value) ? value : [];
  const expanded = parts.map((part) => (typeof part === 'string' ? expandVariables(part, env) : part));
  const isExpanded = (part: unknown): part is Expanded =>
    typeof part === 'object' && part !== null && 'shown' in part;
  const faults = expanded.filter(isExpanded).flatMap(({ problems }) => problems);
  if (faults.length > 0) return { problems: faults.map((message) => ({ place, key, message })) };
  const parsed = schema.safeParse(expanded.map((part) => (isExpanded(part) ? part.value : part)));
  if (!parsed.success) {
    const message = `found ${shortJson(value)}, valid: ${describeValid(validJson(schema))}`;
    return { problems: [{ place, key, message }] };
  }
  const shown = JSON.stringify(expanded.map((part) => (isExpanded(part) ? part.shown : part)));
  return { checked: { ...setting, resolved: parsed.data, shown } };
}

interface ValidJson {
  readonly title?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: ValidJson;
  readonly anyOf?: readonly ValidJson[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

function validJson(schema: z.ZodType): ValidJson {
  return z.toJSONSchema(schema, { io: 'input' }) as ValidJson;
}

/** Environment variables are text: where a number belongs, a reference may stand for one. */
function convert(expanded: Expanded, valid: ValidJson): unknown {
  const wantsNumber = valid.type === 'number' || valid.type === 'integer';
  return wantsNumber && expanded.changed && /^-?\d+(\.\d+)?$/.test(expanded.value)
    ? Number(expanded.value)
    : expanded.value;
}

function describeValid(valid: ValidJson): string {
  if (valid.title !== undefined) return valid.title;
  if (valid.anyOf) return valid.anyOf.map(describeValid).join(', or ');
  if (valid.type === 'boolean') return 'true or false';
  if (valid.type === 'object') return `an object with ${Object.keys(valid.properties ?? {}).join(' and ')}`;
  if (valid.type === 'array') return `a list, each of ${describeValid(valid.items ?? {})}`;
  if (valid.enum) return valid.enum.map((value) => JSON.stringify(value)).join(', ');
  if (valid.type === 'integer') return `a whole number from ${valid.minimum} to ${valid.maximum}`;
  if (valid.type === 'number') return `a number from ${valid.minimum} to ${valid.maximum}`;
  return `a text of 1 to ${valid.maxLength} characters`;
}
