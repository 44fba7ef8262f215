/** Picks that consider what earlier picks explained. Constant, so that pages do not depend on their size. */
const PICKS = 10;

/**
 * Picks one by one; each pick lowers what its words are worth for the next, so that every clause gets its tool.
 * Ties go to the row that is better without that.
 */
export function pickInTurn(
  rows: readonly number[],
  scores: readonly number[],
  table: Float64Array,
  width: number,
  explained: number,
): number[] {
  const full = rows.map((row) => rowSum(table, row, width));
  const current = [...full];
  const left = new Float64Array(width).fill(1);
  const taken = new Set<number>();
  const picked: number[] = [];
  while (picked.length < PICKS && picked.length < rows.length) {
    let best = -1;
    let most = -1;
    for (let position = 0; position < rows.length; position++) {
      if (taken.has(position)) continue;
      const value =
        ((scores[rows[position] as number] as number) * (current[position] as number)) /
        (full[position] || 1);
      if (value > most) {
        most = value;
        best = position;
      }
    }
    const row = rows[best] as number;
    taken.add(best);
    picked.push(row);
    for (let column = 0; column < width; column++) {
      if (table[row * width + column] === 0) continue;
      const before = left[column] as number;
      left[column] = before * explained;
      const lost = before - (left[column] as number);
      for (let position = 0; position < rows.length; position++) {
        const value = table[(rows[position] as number) * width + column] as number;
        if (value !== 0) current[position] = (current[position] as number) - value * lost;
      }
    }
  }
  return [...picked, ...rows.filter((_, position) => !taken.has(position))];
}

function rowSum(table: Float64Array, row: number, width: number): number {
  let sum = 0;
  for (let column = 0; column < width; column++) sum += table[row * width + column] as number;
  return sum;
}
