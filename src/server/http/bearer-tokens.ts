import { createHash, timingSafeEqual } from 'node:crypto';

/** Who a bearer token belongs to. Only digests are kept and compared, all of them each time, in constant time. */
export class BearerTokens {
  readonly #digests: readonly { readonly principal: string; readonly digest: Buffer }[];

  /** @param tokens by principal. */
  constructor(tokens: Readonly<Record<string, string>>) {
    this.#digests = Object.entries(tokens).map(([principal, token]) => ({
      principal,
      digest: digestOf(token),
    }));
  }

  /** The principal of an `Authorization` header; undefined if it names none. */
  principalOf(authorization: string | undefined): string | undefined {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const given = digestOf(token);
    let found: string | undefined;
    for (const { principal, digest } of this.#digests) {
      if (timingSafeEqual(given, digest)) found = principal;
    }
    return found;
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
