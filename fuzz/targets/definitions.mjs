// @ts-check
/** Definitions of tools, as a downstream server sends them: through src/core/read-definition.ts and src/catalog/ to what a model reads. */
import fc from 'fast-check';
import { checkArguments } from '../../dist/catalog/python/check-arguments.js';
import { ToolCatalog } from '../../dist/catalog/tool-catalog.js';
import { readDefinition } from '../../dist/core/read-definition.js';
import { edited, hostileKey, hostileText, hostileValue, objectOf } from '../support/hostile.mjs';
import { attempt, insist, insistUnpolluted } from '../support/oracle.mjs';
import { faultInPython } from '../support/python-text.mjs';

/** @typedef {{ server: string, tools: readonly unknown[], query: string, positional: unknown[], keyword: Record<string, unknown> }} Offered */

/** @returns {Promise<import('../support/campaign.mjs').Target<Offered>>} */
export async function open() {
  return {
    promise:
      'whatever a server calls its tools and schemas, the catalogue answers, in names and one-line texts that hold nothing but their grammar',
    runs: 80,
    input: offered,
    check,
  };
}

/** @param {Offered} offered */
async function check({ server, tools, query, positional, keyword }) {
  const read = tools.map(readDefinition).flatMap((one) => ('definition' in one ? [one.definition] : []));
  const catalog = new ToolCatalog({
    listings: {
      servers: [server],
      discover: async () => [],
      onTools: (listener) => listener({ source: { server, kind: 'server', category: server }, tools: read }),
    },
    registry: [],
    lock: { read: async () => undefined, write: async () => undefined },
    log: { warn: () => undefined },
    discoverMs: 0,
  });
  const { hits, total } = await catalog.search('', { limit: 100, offset: 0 });
  insist(total === new Set(read.map((one) => one.name)).size, 'a tool is missing, or there twice');
  insist(new Set(hits.map(({ entry }) => entry.id)).size === total, 'two tools of one name');
  for (const { entry } of hits) {
    insist((await catalog.resolve(entry.id))?.id === entry.id, 'a tool that its own name does not find');
    checkTexts(catalog, entry);
    // What a call with such arguments comes to: a binding or words.
    const bound = attempt(['bad_arguments'], () => catalog.bind(entry, positional, keyword));
    insist(bound.refused || typeof bound.value === 'object', 'arguments became something else');
    const checked = checkArguments(entry.pythonName, entry.definition.inputSchema, positional, keyword);
    insist(checked.ok || checked.problems.length > 0, 'refused without a word');
    catalog.learnResult(entry.id, keyword);
    insist(typeof catalog.describe(entry, 'full') === 'string', 'no description after a result');
  }
  await catalog.search(query, { limit: 5, offset: 0 });
  await catalog.nearest(query);
  await catalog.names(query);
  insistUnpolluted();
  return Math.max(1, hits.length);
}

/** @param {ToolCatalog} catalog @param {import('../../dist/catalog/catalog.js').CatalogEntry} entry */
function checkTexts(catalog, entry) {
  const { id, summary, signature } = entry;
  const whole = catalog.details(entry);
  insist(NAME.test(id) && id.normalize('NFKC') === id, 'a name that is none in Python');
  insist(summary.length <= 80 && !/\n/.test(summary), 'a summary of more than a line');
  for (const text of [signature, whole.signature]) {
    const fault = faultInPython(text, IN_SIGNATURE);
    insist(fault === undefined, () => `in a signature ${fault}: ${JSON.stringify(text)}`);
    insist(text.startsWith(`${id}(`), 'a signature of another tool');
  }
  const fault = faultInPython(whole.example, IN_CALL);
  insist(fault === undefined, () => `in an example ${fault}: ${JSON.stringify(whole.example)}`);
  insist(
    whole.example.startsWith(`tools.${id}(`) || whole.example.startsWith(`tools.call("${id}", {`),
    'an example of another tool',
  );
  for (const level of /** @type {const} */ (['name', 'summary', 'signature', 'full'])) {
    const text = catalog.describe(entry, level);
    insist(!HIDDEN.test(text), () => `hidden characters at ${level}`);
    insist(text.length < 200_000, () => `${text.length} characters at ${level}`);
  }
}

const NAME = /^\p{XID_Start}\p{XID_Continue}*\.\p{XID_Start}\p{XID_Continue}*$/u;
/** Outside of strings: names, numbers and types; `?` and `+5 optional` are ours. */
const IN_SIGNATURE = /[\p{XID_Continue} .,:=|*?@+/>-]/u;
const IN_CALL = /[\p{XID_Continue} .,:=+-]/u;
const HIDDEN = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}|(?![\n\t])\p{Cc}/u;

const name = fc.oneof(
  fc.constantFrom(
    'get_user',
    'get-user',
    'class',
    '__init__',
    'x'.repeat(300),
    'a) -> None: import os #',
    'a\nb',
    'tools.call',
    '\ufb01le',
  ),
  hostileText,
);
const argument = fc.oneof(
  fc.constantFrom(
    'path',
    'from',
    'per-page',
    '__proto__',
    'constructor',
    'a: str) -> x\n# ',
    'a"b',
    'x y',
    '\u00e9',
    'a\tb',
  ),
  hostileKey,
);
const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object', 'str', 'any', 'toString'];
const schemas = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      true,
      false,
      null,
      {},
      { $ref: '#' },
      { $ref: '#/properties/path' },
      { $ref: '#/__proto__' },
    ),
    fc.record(
      {
        type: fc.oneof(fc.constantFrom(...types), fc.array(fc.constantFrom(...types)), hostileValue),
        description: hostileText,
        title: hostileText,
        properties: fc.oneof(objectOf(argument, tie('schema')), hostileValue),
        required: fc.oneof(fc.array(argument, { maxLength: 3 }), hostileValue),
        additionalProperties: tie('schema'),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        enum: fc.oneof(fc.array(hostileValue, { maxLength: 4 }), hostileValue),
        const: hostileValue,
        default: hostileValue,
        examples: fc.array(hostileValue, { maxLength: 2 }),
        pattern: fc.constantFrom('(a+)+$', '[', '\u202e'),
        format: hostileText,
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 3 }),
        nullable: fc.boolean(),
        minimum: fc.double(),
        $ref: fc.constantFrom('#/properties/a', '#/allOf/0', '#/%', '#/~1', 'http://x/y'),
      },
      { requiredKeys: [] },
    ),
    hostileValue,
  ),
}));
const schema = /** @type {fc.Arbitrary<unknown>} */ (schemas.schema);
const inputSchema = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        objectOf(argument, schema),
        fc.array(argument, { maxLength: 4 }),
        fc.option(schema, { nil: undefined }),
      )
      .map(([properties, required, additionalProperties]) => ({
        type: 'object',
        properties,
        required: [...required, ...Object.keys(properties).slice(0, 2)],
        ...(additionalProperties === undefined ? {} : { additionalProperties }),
      })),
  },
  { weight: 1, arbitrary: schema },
);
const tool = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        name,
        title: hostileText,
        description: edited(fc.constantFrom('Finds a user.\n\nArgs:\n  id: the id', 'x'.repeat(9_000))),
        inputSchema,
        outputSchema: schema,
        annotations: hostileValue,
      },
      { requiredKeys: ['name', 'inputSchema'] },
    ),
  },
  { weight: 1, arbitrary: hostileValue },
);
/** @type {fc.Arbitrary<Offered>} */
const offered = fc.record({
  server: fc.oneof(
    fc.constantFrom('crm', 'search', '__proto__', 'a.b'),
    hostileText.map((text) => text || 'x'),
  ),
  tools: fc.array(tool, { maxLength: 4 }),
  query: hostileText,
  positional: fc.array(hostileValue, { maxLength: 2 }),
  keyword: objectOf(argument, hostileValue),
});
