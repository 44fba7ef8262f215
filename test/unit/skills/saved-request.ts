import type { SaveRequest, SkillShape } from '../../../src/skills/skills.js';

export const SHAPE: SkillShape = {
  signature: 'filter_high_risk(rows: list, limit: float = 0.8) -> list',
  entry: 'filter_high_risk',
  functions: ['filter_high_risk'],
  docstring: 'Rows at risk.',
  requiresTools: ['crm.list_customers'],
  requiresSkills: [],
  examples: 1,
};

export const CODE =
  'def filter_high_risk(rows, limit=0.8):\n    return [r for r in rows if r["risk"] > limit]\n';

export function request(changes: Partial<SaveRequest> = {}): SaveRequest {
  return {
    name: 'filter_high_risk',
    code: CODE,
    description: 'Keeps the customers whose risk is above a limit.',
    tags: ['crm', 'risk'],
    overwrite: false,
    shape: SHAPE,
    provenance: { principal: 'local', run: 'r1' },
    ...changes,
  };
}
