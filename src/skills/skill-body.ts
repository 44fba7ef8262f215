import type { SkillName } from './skill-name.js';
import type { SkillShape } from './skills.js';

/** Examples of the call that are shown, and lines of the docstring. */
const MAX_DOCSTRING = 4_000;

/** The text of SKILL.md below the frontmatter: what the skill is for and how to use it, for a model of any client. */
export function skillBody(name: SkillName, description: string, shape: SkillShape): string {
  return [
    `# ${title(name)}`,
    description,
    ...contract(shape),
    '## Use through execute_code',
    'The server code-execution-mcp makes every skill importable in the code that it runs:',
    fenced('python', importLines(name, shape)),
    '## Run with plain Python',
    'The code is in `scripts/main.py`. From the folder of this skill:',
    fenced('sh', `PYTHONPATH=scripts python3 -c 'import main; help(main.${shape.entry})'`),
    '## Requirements',
    requirements(shape),
  ].join('\n\n');
}

function title({ identifier }: SkillName): string {
  const words = identifier.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function contract({ signature, docstring }: SkillShape): string[] {
  const parts = signature === '' ? [] : ['## Signature', fenced('python', signature)];
  const text = docstring?.trim().slice(0, MAX_DOCSTRING);
  return text ? [...parts, fenced('text', text)] : parts;
}

/** A skill is called by its own name, whatever its entry is called; other functions are reached through it. */
function importLines({ identifier }: SkillName, shape: SkillShape): string {
  const call = `${identifier}(${placeholders(shape.signature)})`;
  const others = shape.functions.filter((name) => name !== shape.entry).slice(0, 3);
  const lines = [`from skills import ${identifier}`, `result = ${call}`];
  if (others.length > 0) lines.push(`# also: from skills.${identifier} import ${others.join(', ')}`);
  return lines.join('\n');
}

function placeholders(signature: string): string {
  return /^[^(]*\(\s*\)/.test(signature) ? '' : '...';
}

function requirements({ requiresTools, requiresSkills }: SkillShape): string {
  const lines = [
    ...(requiresTools.length === 0
      ? []
      : [
          `- Tools of MCP servers: ${list(requiresTools)}. In execute_code they are there as \`tools\`; plain Python needs a module \`tools\` of its own.`,
        ]),
    ...(requiresSkills.length === 0 ? [] : [`- Other skills: ${list(requiresSkills)}.`]),
  ];
  return lines.length === 0 ? 'Python 3; no tools and no other skills.' : lines.join('\n');
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** A code block whose fence no line of the text can close. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
