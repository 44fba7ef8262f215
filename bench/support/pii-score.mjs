// @ts-check
/**
 * Scores spans of personal data against a set: one JSON object a line, `{id, text, entities: [{start, end, type}],
 * ignore?: [{start, end}], negative?: true}`, offsets in UTF-16 code units.
 */

/** @typedef {{ start: number, end: number, type: string }} Span */
/** @typedef {{ id: string, text: string, entities: Span[], ignore?: { start: number, end: number }[], negative?: boolean, src?: string }} GoldRecord */
/** @typedef {{ gold: number, found: number, predicted: number, right: number, leaked: number }} Tally */

/** Types that a careful reader may confuse count as one. */
const GROUPS = new Map(
  Object.entries({
    SSN: 'government',
    NATIONAL_ID: 'government',
    PASSPORT: 'government',
    DRIVER_LICENSE: 'government',
    MEDICAL_ID: 'government',
    BANK_ACCOUNT: 'bank',
    IBAN: 'bank',
    SECRET: 'secret',
    URL_CREDENTIALS: 'secret',
  }),
);

/**
 * Overlap: the spans touch and the types are of one group. Leak: a letter or digit of a value that no span covers.
 * Spans that lie in what the set ignores by half or more neither help nor hurt.
 * @param {readonly GoldRecord[]} set
 * @param {ReadonlyMap<string, readonly Span[]>} predictions by id
 */
export function scorePii(set, predictions) {
  /** @type {Map<string, Tally>} */
  const byType = new Map();
  let negatives = 0;
  let falsePositives = 0;
  for (const record of set) {
    const spans = predictions.get(record.id) ?? [];
    if (record.negative) {
      negatives++;
      falsePositives += spans.length;
    } else scoreRecord(record, spans, byType);
  }
  const all = emptyTally();
  for (const tally of byType.values())
    for (const key of /** @type {(keyof Tally)[]} */ (Object.keys(all))) all[key] += tally[key];
  return {
    micro: figuresOf(all),
    byType: new Map(
      [...byType].filter(([, { gold }]) => gold > 0).map(([type, tally]) => [type, figuresOf(tally)]),
    ),
    negatives,
    falsePositives,
  };
}

/**
 * @param {GoldRecord} record
 * @param {readonly Span[]} spans
 * @param {Map<string, Tally>} byType
 */
function scoreRecord(record, spans, byType) {
  const { text, entities } = record;
  const matches = matchesOf(entities, spans);
  const found = new Set(matches.map(({ entity }) => entity));
  const right = new Set(matches.map(({ span }) => span));
  const covered = new Uint8Array(text.length);
  for (const { start, end } of spans) covered.fill(1, start, end);
  entities.forEach((entity, index) => {
    const tally = tallyOf(byType, entity.type);
    tally.gold++;
    if (found.has(index)) tally.found++;
    if (isLeaked(text, entity, covered)) tally.leaked++;
  });
  spans.forEach((span, index) => {
    if (!right.has(index)) {
      const ignored = (record.ignore ?? []).reduce(
        (sum, other) => sum + Math.max(0, overlap(other, span)),
        0,
      );
      const isSecondPart = entities.some((entity, at) => found.has(at) && touches(entity, span));
      if (isSecondPart || ignored * 2 >= span.end - span.start) return;
    }
    const tally = tallyOf(byType, span.type);
    tally.predicted++;
    if (right.has(index)) tally.right++;
  });
}

/**
 * Pairs of touching spans, the longest overlap first, each used once.
 * @param {readonly Span[]} entities
 * @param {readonly Span[]} spans
 */
function matchesOf(entities, spans) {
  const pairs = entities.flatMap((entity, at) =>
    spans.flatMap((span, index) =>
      touches(entity, span) ? [{ entity: at, span: index, length: overlap(entity, span) }] : [],
    ),
  );
  pairs.sort((a, b) => b.length - a.length);
  const entityUsed = new Set();
  const spanUsed = new Set();
  return pairs.filter(({ entity, span }) => {
    if (entityUsed.has(entity) || spanUsed.has(span)) return false;
    entityUsed.add(entity);
    spanUsed.add(span);
    return true;
  });
}

/**
 * @param {Span} entity
 * @param {Span} span
 */
function touches(entity, span) {
  const group = (/** @type {string} */ type) => GROUPS.get(type) ?? type;
  return overlap(entity, span) > 0 && group(entity.type) === group(span.type);
}

/**
 * @param {{ start: number, end: number }} a
 * @param {{ start: number, end: number }} b
 */
function overlap(a, b) {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

/**
 * @param {string} text
 * @param {Span} entity
 * @param {Uint8Array} covered
 */
function isLeaked(text, { start, end }, covered) {
  for (let at = start; at < end; at++)
    if (covered[at] === 0 && /[\p{L}\p{N}]/u.test(text.charAt(at))) return true;
  return false;
}

/**
 * @param {Map<string, Tally>} byType
 * @param {string} type
 */
function tallyOf(byType, type) {
  const known = byType.get(type) ?? emptyTally();
  byType.set(type, known);
  return known;
}

/** @returns {Tally} */
function emptyTally() {
  return { gold: 0, found: 0, predicted: 0, right: 0, leaked: 0 };
}

/** @param {Tally} tally */
function figuresOf({ gold, found, predicted, right, leaked }) {
  const recall = gold === 0 ? 0 : found / gold;
  const precision = predicted === 0 ? 0 : right / predicted;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { gold, predicted, precision, recall, f1, leak: gold === 0 ? 0 : leaked / gold };
}
