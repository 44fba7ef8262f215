import type { Provenance, SkillShape } from './skills.js';

/** Where a skill of ours has its code. */
export const CODE_PATH = 'scripts/main.py';

/** What of a version stands in the metadata of SKILL.md, so that a copied folder still tells it. */
export interface StatedVersion {
  readonly entrypoint?: string;
  readonly version?: number;
  /** ISO 8601. */
  readonly updated?: string;
  readonly hash?: string;
  readonly principal?: string;
  readonly run?: string;
  readonly tags: readonly string[];
  readonly shape: SkillShape;
}

/** Longest value, so that the frontmatter stays one that readers take, in UTF-16 units. */
const MAX_VALUE = 2_000;

const OWN_KEYS: readonly string[] = [
  'entrypoint',
  'version',
  'updated',
  'hash',
  'saved_by',
  'run',
  'tags',
  'signature',
  'entry',
  'functions',
  'requires_tools',
  'requires_skills',
  'examples',
];

/** Metadata of a version, after what others have put there. The format takes text only, so lists are joined by spaces. */
export function statedMetadata(
  version: Provenance & { readonly version: number },
  tags: readonly string[],
  shape: SkillShape,
  others: ReadonlyMap<string, string>,
): Map<string, string> {
  const metadata = new Map([...others].filter(([key]) => !OWN_KEYS.includes(key)));
  const own: Readonly<Record<string, string | undefined>> = {
    entrypoint: CODE_PATH,
    version: String(version.version),
    updated: version.time,
    hash: `sha256:${version.hash}`,
    saved_by: version.principal,
    run: version.run,
    tags: tags.join(', '),
    signature: shape.signature.length > MAX_VALUE ? undefined : shape.signature,
    entry: shape.entry,
    functions: joined(shape.functions),
    requires_tools: joined(shape.requiresTools),
    requires_skills: joined(shape.requiresSkills),
    examples: String(shape.examples),
  };
  for (const [key, value] of Object.entries(own)) {
    if (value !== undefined && value !== '') metadata.set(key, value);
  }
  return metadata;
}

/** The version in the history has all of them. */
function joined(names: readonly string[]): string {
  const text = names.join(' ');
  return text.length <= MAX_VALUE ? text : text.slice(0, text.lastIndexOf(' ', MAX_VALUE));
}

/** Anybody may have written it: what makes no sense is left out. */
export function readMetadata(metadata: ReadonlyMap<string, string>): StatedVersion {
  const words = (key: string) => (metadata.get(key) ?? '').split(/\s+/).filter((word) => word !== '');
  const version = wholeNumber(metadata.get('version'));
  const entrypoint = metadata.get('entrypoint');
  const updated = metadata.get('updated');
  const hash = /^sha256:([0-9a-f]{64})$/.exec(metadata.get('hash') ?? '')?.[1];
  const principal = metadata.get('saved_by');
  const run = metadata.get('run');
  return {
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(version === undefined || version === 0 ? {} : { version }),
    ...(updated === undefined || Number.isNaN(Date.parse(updated)) ? {} : { updated }),
    ...(hash === undefined ? {} : { hash }),
    ...(principal === undefined ? {} : { principal }),
    ...(run === undefined ? {} : { run }),
    tags: (metadata.get('tags') ?? '')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    shape: {
      signature: metadata.get('signature') ?? '',
      entry: metadata.get('entry') ?? '',
      functions: words('functions'),
      requiresTools: words('requires_tools'),
      requiresSkills: words('requires_skills'),
      examples: wholeNumber(metadata.get('examples')) ?? 0,
    },
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
