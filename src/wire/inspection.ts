import { z } from 'zod';

/**
 * What a worker tells about the text of a skill, as the value of a run of ours (`skills.__inspect__`, `skills.__examples__` in
 * python/). The text may have taken the interpreter over, so this is a claim: it is bounded here and decides nothing.
 */

const name = z.string().min(1).max(200);
const names = z.array(name).max(100);
const count = z.number().int().min(0).max(1_000_000);

export const inspectionSchema = z.union([
  z.strictObject({
    problem: z.enum(['syntax', 'no_function']),
    message: z.string().max(2_000),
    line: count.optional(),
    text: z.string().max(400).optional(),
  }),
  z.strictObject({
    entry: name,
    signature: z.string().max(500),
    functions: names,
    docstring: z.string().max(10_000).optional(),
    requiresTools: names,
    requiresSkills: names,
    examples: count,
    /** Statements: `import json`. */
    missingImports: names,
  }),
]);

export type Inspection = z.infer<typeof inspectionSchema>;

export const examplesSchema = z.strictObject({
  passed: count,
  failed: count,
  message: z.string().max(2_000).optional(),
});
