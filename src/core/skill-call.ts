/** How code calls a skill: by the skill's name, with the arguments of its entry function. */
export function skillCall(name: string, signature: string): string {
  const bracket = signature.indexOf('(');
  return bracket < 0 ? `${name}(...)` : name + signature.slice(bracket);
}
