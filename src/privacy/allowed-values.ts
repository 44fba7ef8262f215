/** What the operator lets through. */
export interface AllowList {
  readonly allowValues: readonly string[];
  readonly allowDomains: readonly string[];
}

/** Decides by value, in any case, or for an e-mail address by its domain and the domains above it. */
export function allowedValues({
  allowValues,
  allowDomains,
}: AllowList): (type: string, value: string) => boolean {
  const values = new Set(allowValues.map(folded));
  const domains = new Set(allowDomains.map(folded));
  return (type, value) => {
    const text = folded(value);
    return values.has(text) || (type === 'EMAIL' && domains.size > 0 && isAt(domains, text));
  };
}

function isAt(domains: ReadonlySet<string>, address: string): boolean {
  let domain = address.slice(address.lastIndexOf('@') + 1);
  for (let levels = 0; levels < MAX_LEVELS; levels++) {
    if (domains.has(domain)) return true;
    const dot = domain.indexOf('.');
    if (dot < 0) return false;
    domain = domain.slice(dot + 1);
  }
  return false;
}

/** A domain name has at most 127 labels. */
const MAX_LEVELS = 127;

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
