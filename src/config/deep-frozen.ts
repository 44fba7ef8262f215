/** Its argument, frozen with all that is in it. */
export function deepFrozen<T extends object>(value: T): T {
  for (const child of Object.values(value))
    if (typeof child === 'object' && child !== null) deepFrozen(child);
  return Object.freeze(value);
}
