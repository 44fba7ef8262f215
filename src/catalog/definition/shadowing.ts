/** Tools of all servers by names without case and separators, as a reader would mistake one for another. */
export type KnownTools = ReadonlyMap<string, { server: string; tools: ReadonlyMap<string, string> }>;

export function knownTools(tools: ReadonlyMap<string, Iterable<string>>): KnownTools {
  return new Map(
    [...tools].map(([server, names]) => [
      plain(server),
      { server, tools: new Map([...names].map((name) => [plain(name), name])) },
    ]),
  );
}

/**
 * The tool of another server that a name claims to be: `github.create_issue`, `github__create_issue`, `github:x` or
 * `mcp__github__x` offered by a server that is not github. Tools of the same bare name on two servers are ordinary.
 */
export function claimedTool(tool: string, server: string, known: KnownTools): string | undefined {
  const claim = CLAIM.exec(tool.slice(0, MAX_LOOKED));
  if (claim === null) return undefined;
  const [, name = '', rest = ''] = claim;
  const other = known.get(plain(name));
  if (other === undefined || plain(other.server) === plain(server)) return undefined;
  const claimed = other.tools.get(plain(rest));
  return claimed === undefined ? undefined : `${other.server}.${claimed}`;
}

const MAX_LOOKED = 300;
const CLAIM = /^(?:mcp__)?([\p{L}\p{N}-]+(?:_[\p{L}\p{N}-]+)*)(?:__|[.:/])(.+)$/u;

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
