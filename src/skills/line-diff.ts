/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Changed lines up to which the shortest difference is looked for: time and memory grow with the square. */
const MAX_CHANGES = 1_000;

interface Step {
  readonly kind: ' ' | '-' | '+';
  readonly line: string;
}

/**
 * The difference of two texts in the unified format; empty when they are equal. Myers' greedy algorithm between the
 * common beginning and end; what differs in more than {@link MAX_CHANGES} lines is shown as replaced.
 */
export function unifiedDiff(before: string, after: string, names: { from: string; to: string }): string {
  if (before === after) return '';
  const steps = stepsBetween(linesOf(before), linesOf(after));
  const lines = hunksOf(steps).flatMap((hunk) => textOf(steps, hunk));
  return [`--- ${names.from}`, `+++ ${names.to}`, ...lines].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function stepsBetween(a: readonly string[], b: readonly string[]): Step[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  return [
    ...a.slice(0, head).map((line): Step => ({ kind: ' ', line })),
    ...(shortest(middleA, middleB) ?? replacement(middleA, middleB)),
    ...a.slice(a.length - tail).map((line): Step => ({ kind: ' ', line })),
  ];
}

function replacement(a: readonly string[], b: readonly string[]): Step[] {
  return [...a.map((line): Step => ({ kind: '-', line })), ...b.map((line): Step => ({ kind: '+', line }))];
}

/** `rounds[d]` holds, per diagonal, how far d changes reach; undefined beyond the limit. */
function shortest(a: readonly string[], b: readonly string[]): Step[] | undefined {
  const rounds: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let changes = 0; changes <= Math.min(a.length + b.length, MAX_CHANGES); changes += 1) {
    rounds.push(reach);
    const next = new Map(reach);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = startOf(reach, diagonal, changes);
      let y = x - diagonal;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x += 1;
        y += 1;
      }
      next.set(diagonal, x);
      if (x >= a.length && y >= b.length) return trace(rounds, a, b);
    }
    reach = next;
  }
  return undefined;
}

function startOf(reach: ReadonlyMap<number, number>, diagonal: number, changes: number): number {
  const down = reach.get(diagonal + 1) ?? -1;
  const right = reach.get(diagonal - 1) ?? -1;
  return goesDown(diagonal, changes, down, right) ? down : right + 1;
}

function goesDown(diagonal: number, changes: number, down: number, right: number): boolean {
  return diagonal === -changes || (diagonal !== changes && right < down);
}

/** Walks back from the end of both texts. */
function trace(rounds: readonly Map<number, number>[], a: readonly string[], b: readonly string[]): Step[] {
  const steps: Step[] = [];
  let x = a.length;
  let y = b.length;
  for (let changes = rounds.length - 1; changes >= 0; changes -= 1) {
    const reach = rounds[changes] ?? new Map<number, number>();
    const diagonal = x - y;
    const down = reach.get(diagonal + 1) ?? -1;
    const right = reach.get(diagonal - 1) ?? -1;
    const isDown = goesDown(diagonal, changes, down, right);
    const fromX = isDown ? down : right;
    const fromY = fromX - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1;
      y -= 1;
      steps.push({ kind: ' ', line: a[x] ?? '' });
    }
    if (changes === 0) break;
    if (isDown) steps.push({ kind: '+', line: b[--y] ?? '' });
    else steps.push({ kind: '-', line: a[--x] ?? '' });
  }
  return steps.reverse();
}

interface Hunk {
  readonly from: number;
  readonly to: number;
}

/** Ranges of steps that hold changes with their context; ranges that touch are one. */
function hunksOf(steps: readonly Step[]): Hunk[] {
  const hunks: { from: number; to: number }[] = [];
  for (const [at, { kind }] of steps.entries()) {
    if (kind === ' ') continue;
    const from = Math.max(0, at - CONTEXT);
    const to = Math.min(steps.length, at + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  }
  return hunks;
}

function textOf(steps: readonly Step[], { from, to }: Hunk): string[] {
  const count = (list: readonly Step[], other: '+' | '-') => list.filter(({ kind }) => kind !== other).length;
  const shown = steps.slice(from, to);
  const range = (other: '+' | '-') => {
    const length = count(shown, other);
    const before = count(steps.slice(0, from), other);
    return `${length === 0 ? before : before + 1},${length}`;
  };
  return [`@@ -${range('+')} +${range('-')} @@`, ...shown.map(({ kind, line }) => `${kind}${line}`)];
}
