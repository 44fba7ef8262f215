const LINE = /^( {2})?([a-z][a-z_-]*):(?: (?:("(?:[^"\\]|\\.)*")|([a-z][a-z0-9]*(?:-[a-z0-9]+)*)))?$/;

/**
 * Reads frontmatter in the narrow form that `writeManifest` writes: one `key: "text"` a line, and one map. Undefined for
 * any other. A YAML parser takes a millisecond for each skill, this a hundredth.
 */
export function readNarrowYaml(yaml: string): ReadonlyMap<string, unknown> | undefined {
  const fields = new Map<string, unknown>();
  let inner: Map<string, string> | undefined;
  for (const line of yaml.trimEnd().split('\n')) {
    const match = LINE.exec(line);
    if (match === null) return undefined;
    const [, indent, key = '', quoted, plain] = match;
    const value = quoted === undefined ? plain : unquote(quoted);
    if (indent !== undefined) {
      if (inner === undefined || value === undefined || inner.has(key)) return undefined;
      inner.set(key, value);
    } else {
      if (fields.has(key) || (value === undefined && quoted !== undefined)) return undefined;
      inner = value === undefined ? new Map() : undefined;
      fields.set(key, value ?? inner);
    }
  }
  for (const [key, value] of fields) if (value instanceof Map && value.size === 0) fields.set(key, '');
  return fields;
}

/** JSON's escapes and the one that {@link writeManifest} adds; undefined if there is any other of YAML's. */
function unquote(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted.replaceAll('-\\x2d-', '---'));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
