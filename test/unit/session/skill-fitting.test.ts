import { expect, test } from 'vitest';
import { SearchIndex } from '../../../src/catalog/search/search-index.js';
import { fittingSkills } from '../../../src/session/fitting-skills.js';
import type { SkillSummary } from '../../../src/skills/skills.js';

const skill = (name: string, description: string, signature = `${name}(rows)`): SkillSummary => ({
  name,
  description,
  signature,
  tags: [],
  version: 1,
  updated: '2026-12-01T00:00:00.000Z',
  uses: 0,
  readOnly: false,
});
const tool = (id: string, description: string, signature = `${id}(query: str)`) => ({
  id,
  description,
  signature,
});

const RISK = skill('filter_high_risk', 'Keep only the customers with a high risk score.');
const REPORT = skill('monthly_report', 'Sums up sales per month and region.');
const TOOLS = [
  tool('crm.list_customers', 'List the customers of the company.'),
  tool('crm.get_customer', 'Get one customer by id.'),
  tool('mail.send', 'Send a mail to a person.'),
];
const found = (query: string, skills = [RISK, REPORT], tools = TOOLS) =>
  fittingSkills(query, skills, tools, new SearchIndex()).map(({ skill: { name }, named }) => [name, named]);

test('a skill that fits better than the tools is found', () => {
  expect(found('customers with high risk')).toEqual([['filter_high_risk', false]]);
  expect(found('sales per month', [RISK, REPORT], TOOLS)).toEqual([['monthly_report', false]]);
});

test('a skill that only shares a word with the query stays away', () => {
  expect(found('get one customer by id')).toEqual([]);
  expect(found('send a mail to the customers')).toEqual([]);
  expect(found('translate a text into French')).toEqual([]);
});

test('without tools the skills that cover the query are found, no others', () => {
  expect(found('high risk customers', [RISK, REPORT], [])).toEqual([['filter_high_risk', false]]);
  expect(found('delete old customers from the archive of the branch', [RISK], [])).toEqual([]);
});

test('a query that names the skill says so', () => {
  expect(found('filter_high_risk')).toEqual([['filter_high_risk', true]]);
  expect(found('the filter for high risk')).toEqual([['filter_high_risk', true]]);
});

test('at most two are found', () => {
  const many = ['a', 'b', 'c', 'd'].map((one) => skill(`risk_${one}`, 'Filters rows of high risk.'));
  expect(found('filter rows of high risk', many)).toHaveLength(2);
});
