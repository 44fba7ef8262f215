import { z } from 'zod';
import type { Catalog, CatalogEntry, SearchAnswer } from '../../catalog/catalog.js';
import { CodeExecutionError } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import { skillCall } from '../../core/skill-call.js';
import type { SourceProblem } from '../../core/tool.js';
import type { FittingSkill, RivalTool, SkillAccess } from '../../session/skill-access.js';
import { type Answer, answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { cursorOffset, offsetCursor } from '../page-cursor.js';
import { count } from '../quantities.js';
import type { ServerLimits } from '../server-deps.js';
import { visibleLine } from '../visible-text.js';
import { clip } from '../visible-value.js';

const MAX_LIMIT = 50;
const MAX_QUERY = 4_000;
/** Below it the best hits leave most of the query unexplained: the words that matched nothing are named. */
const SURE = 0.5;
const MAX_WORDS = 5;
const MAX_PROBLEMS = 10;
const MAX_CATEGORIES = 100;

const problem = z.object({ server: z.string(), message: z.string(), cached: z.boolean() });
const output = z.object({
  success: z.boolean(),
  query: z.string(),
  category: z.string().optional(),
  detail_level: z.string(),
  count: z.number().describe('tools here'),
  total: z.number().describe('tools on all pages'),
  tools: z.array(
    z.object({
      name: z.string(),
      signature: z.string().optional(),
      description: z.string().optional(),
      category: z.string().optional(),
      input_schema: z.record(z.string(), z.unknown()).optional(),
      available: z.boolean().optional().describe('false: known from a registry only'),
    }),
  ),
  skills: z
    .array(z.object({ name: z.string(), signature: z.string(), description: z.string() }))
    .optional()
    .describe('saved skills that fit as well: from skills import NAME'),
  next_cursor: z.string().optional(),
  confidence: z.number().optional().describe('share of the query that the best tools cover'),
  unmatched_words: z.array(z.string()).optional(),
  categories: z.record(z.string(), z.object({ description: z.string(), tool_count: z.number() })).optional(),
  problems: z.array(problem).optional().describe('servers whose tools are not, or not freshly, known'),
});
type Output = z.infer<typeof output>;
type ToolFacts = Output['tools'][number] & { text: string };
type Level = 'name' | 'summary' | 'signature' | 'full';

type SearchedCatalog = Pick<Catalog, 'search' | 'categories' | 'problems' | 'describe' | 'details'>;

/** Finds tools that code can call. */
export const searchTools = (
  catalog: SearchedCatalog,
  limits: Pick<ServerLimits, 'maxOutputChars'>,
  skills?: Pick<SkillAccess, 'fitting'>,
) =>
  defineTool({
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Find tools of the connected servers, to call in execute_code as tools.NAME(...); "?" marks optional arguments. Say what is to be done; an empty query lists the categories.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.strictObject({
      query: z.string().max(MAX_QUERY).default('').describe('Task, or a tool name'),
      category: z.string().optional().describe('Only this category'),
      detail_level: z.enum(['name', 'summary', 'signature', 'full']).default('signature').describe('Detail'),
      limit: z.number().int().min(1).max(MAX_LIMIT).default(5).describe('Tools in one answer'),
      cursor: z.string().optional().describe('next_cursor of the previous answer'),
    }),
    output,
    async handle(
      { query, category, detail_level: level, limit, cursor },
      { principal },
    ): Promise<Answer<Output>> {
      const offset = cursorOffset(cursor);
      if (category !== undefined) await checkCategory(catalog, category);
      if (query.trim() === '' && category === undefined) return overview(catalog);
      const found = await catalog.search(query, {
        limit,
        offset,
        ...(category === undefined ? {} : { category }),
      });
      const tools = page(
        found.hits.map(({ entry }) => toolFacts(catalog, entry, level)),
        limits.maxOutputChars,
      );
      const end = offset + tools.length;
      const isFirst = offset === 0 && category === undefined;
      const rivals = found.hits.map(({ entry }) => entry);
      const fitting = isFirst ? await skills?.fitting(principal, query, rivals.map(rivalOf)) : undefined;
      const facts = {
        query,
        ...(category === undefined ? {} : { category }),
        tools,
        skills: (fitting ?? []).map(skillFacts),
        unmatched: found.unmatchedWords.slice(0, MAX_WORDS),
        problems: found.problems,
        ...(end < found.total && tools.length > 0 ? { next: offsetCursor(end) } : {}),
      };
      return answer(facts, (shown) => ({
        text: [
          headline(shown.query, shown.tools.length, found.total, shown.next, shown.skills.length),
          ...skillLines(shown.skills, true),
          ...shown.tools.map((tool) => tool.text),
          ...skillLines(shown.skills, false),
          ...notConnected(shown.tools),
          ...(shown.skills.length > 0 ? [] : advice(found, shown.unmatched)),
          ...problemLines(shown.problems),
        ].join('\n'),
        structured: {
          success: true,
          query: shown.query,
          ...(shown.category === undefined ? {} : { category: shown.category }),
          detail_level: level,
          count: shown.tools.length,
          total: found.total,
          tools: shown.tools.map(({ text: _text, ...tool }) => tool),
          ...(shown.skills.length === 0
            ? {}
            : { skills: shown.skills.map(({ named: _named, ...skill }) => skill) }),
          confidence: Math.round(found.confidence * 100) / 100,
          ...(shown.next === undefined ? {} : { next_cursor: shown.next }),
          ...(shown.unmatched.length === 0 ? {} : { unmatched_words: [...shown.unmatched] }),
          ...problemFacts(shown.problems),
        },
      }));
    },
  });

async function checkCategory(catalog: SearchedCatalog, category: string): Promise<void> {
  const names = [...(await catalog.categories()).keys()];
  if (names.some((name) => name.toLowerCase() === category.trim().toLowerCase())) return;
  const near = nearest(category, names);
  const listed = names.slice(0, 20).join(', ') + (names.length > 20 ? ', ...' : '');
  throw new CodeExecutionError(
    'bad_arguments',
    `there is no category ${JSON.stringify(clip(category, 80))}${near === undefined ? '' : ` (did you mean "${near}"?)`}`,
    names.length === 0
      ? 'leave category out: no tools are known'
      : `categories are: ${listed}; or leave category out`,
  );
}

/** The answer to an empty query: where tools are. */
async function overview(catalog: SearchedCatalog): Promise<Answer<Output>> {
  const problems = await catalog.problems();
  const all = [...(await catalog.categories())];
  const total = all.reduce((sum, [, { tools }]) => sum + tools, 0);
  const facts = {
    categories: all.slice(0, MAX_CATEGORIES).map(([name, { description, tools }]) => ({
      name,
      description,
      tools,
    })),
    problems,
  };
  return answer(facts, (shown) => ({
    text: [
      total === 0
        ? 'ok · no tools are known: no MCP servers are configured, or none has answered'
        : `ok · ${tools(total)} in ${all.length === 1 ? '1 category' : `${count(all.length)} categories`}`,
      ...shown.categories.map(
        (one) => `${one.name} (${count(one.tools)})${one.description === '' ? '' : `: ${one.description}`}`,
      ),
      ...(all.length > shown.categories.length
        ? [`... +${all.length - shown.categories.length} categories`]
        : []),
      ...problemLines(shown.problems),
    ].join('\n'),
    structured: {
      success: true,
      query: '',
      detail_level: 'name',
      count: 0,
      total,
      tools: [],
      categories: Object.fromEntries(
        shown.categories.map((one) => [one.name, { description: one.description, tool_count: one.tools }]),
      ),
      ...problemFacts(shown.problems),
    },
  }));
}

function toolFacts(catalog: SearchedCatalog, entry: CatalogEntry, level: Level): ToolFacts {
  const available = entry.source.kind === 'registry' ? { available: false } : {};
  const base = { name: entry.id, text: catalog.describe(entry, level), ...available };
  switch (level) {
    case 'name':
      return base;
    case 'summary':
      return { ...base, description: entry.summary };
    case 'signature':
      return { ...base, signature: entry.signature, description: entry.summary };
    case 'full': {
      const { inputSchema, signature } = catalog.details(entry);
      return {
        ...base,
        signature,
        description: entry.definition.description ?? '',
        category: entry.source.category,
        ...(typeof inputSchema === 'object' ? { input_schema: { ...inputSchema } } : {}),
      };
    }
  }
}

/** As many tools as an answer may be long; one at least. */
function page(all: readonly ToolFacts[], maxChars: number): ToolFacts[] {
  let chars = 0;
  const shown: ToolFacts[] = [];
  for (const tool of all) {
    chars += tool.text.length;
    if (chars > maxChars && shown.length > 0) break;
    shown.push(tool);
  }
  return shown;
}

function tools(number: number): string {
  return number === 1 ? '1 tool' : `${count(number)} tools`;
}

function headline(
  query: string,
  shown: number,
  total: number,
  next: string | undefined,
  skills: number,
): string {
  const saved = skills === 0 ? '' : skills === 1 ? ' · 1 saved skill' : ` · ${skills} saved skills`;
  if (total === 0) return `ok · no tools for ${visibleLine(JSON.stringify(clip(query, 60)))}${saved}`;
  const which = shown < total ? `${count(shown)} of ${tools(total)}` : tools(total);
  return `ok · ${which}${saved}${next === undefined ? '' : ` · next cursor ${next}`}`;
}

type SkillFacts = NonNullable<Output['skills']>[number] & { named: boolean };

function skillFacts({ skill: { name, signature, description }, named }: FittingSkill): SkillFacts {
  return { name, signature: skillCall(name, signature), description, named };
}

/** Marked, for it is no tool: it is imported, and other code than the server's made it. */
function skillLines(skills: readonly SkillFacts[], named: boolean): string[] {
  return skills
    .filter((skill) => skill.named === named)
    .map(({ name, signature, description }) =>
      visibleLine(`skill ${signature}: ${description} [saved earlier; from skills import ${name}]`),
    );
}

function rivalOf({ id, signature, summary }: CatalogEntry): RivalTool {
  return { id, signature, description: summary };
}

function notConnected(shown: readonly ToolFacts[]): string[] {
  const names = shown.filter((tool) => tool.available === false).map((tool) => tool.name);
  return names.length === 0 ? [] : [`known from a registry only, not callable: ${names.join(', ')}`];
}

/** What to do when the hits may be off the mark. */
function advice({ total, confidence }: SearchAnswer, unmatched: readonly string[]): string[] {
  const words = unmatched.map((word) => visibleLine(JSON.stringify(word))).join(', ');
  if (total === 0) return ['next: use other words, or an empty query for the categories'];
  if (confidence >= SURE) return [];
  const why = unmatched.length === 0 ? 'few words of the query fit' : `nothing answers to ${words}`;
  return [`unsure: ${why}; an empty query lists the categories`];
}

function problemLines(problems: readonly SourceProblem[]): string[] {
  if (problems.length === 0) return [];
  const listed = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ server, message, cached }) => `${server} (${message}${cached ? '; shown as last known' : ''})`);
  const more = problems.length > MAX_PROBLEMS ? `, ... +${problems.length - MAX_PROBLEMS}` : '';
  return [`servers with problems: ${visibleLine(listed.join(', '))}${more}`];
}

function problemFacts(problems: readonly SourceProblem[]): { problems?: SourceProblem[] } {
  return problems.length === 0 ? {} : { problems: [...problems] };
}
