// @ts-check
/** @typedef {{ hours: number, value: number }} Point */

/**
 * The slope of a line through the points by least squares, per hour, and its standard error.
 * @param {readonly Point[]} points At least three.
 * @returns {{ perHour: number, error: number }}
 */
export function slopeOf(points) {
  if (points.length < 3) throw new Error(`a slope of ${points.length} points`);
  const n = points.length;
  const meanX = points.reduce((sum, { hours }) => sum + hours, 0) / n;
  const meanY = points.reduce((sum, { value }) => sum + value, 0) / n;
  const spread = points.reduce((sum, { hours }) => sum + (hours - meanX) ** 2, 0);
  const perHour =
    points.reduce((sum, { hours, value }) => sum + (hours - meanX) * (value - meanY), 0) / spread;
  const rest = points.reduce(
    (sum, { hours, value }) => sum + (value - meanY - perHour * (hours - meanX)) ** 2,
    0,
  );
  return { perHour, error: Math.sqrt(rest / (n - 2) / spread) };
}

/**
 * The least value of each stretch of time: what is there whatever the work of the moment needs.
 * @param {readonly Point[]} points
 * @param {number} hours Length of a stretch.
 * @returns {Point[]}
 */
export function leastOf(points, hours) {
  /** @type {Map<number, Point>} */
  const least = new Map();
  for (const point of points) {
    const stretch = Math.floor(point.hours / hours);
    const before = least.get(stretch);
    if (before === undefined || point.value < before.value) least.set(stretch, point);
  }
  return [...least.values()];
}
