/** A SKILL.md: what the Agent Skills format knows, and the text below it. */
export interface Manifest {
  /** The folder's name. */
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools?: string;
  readonly metadata: ReadonlyMap<string, string>;
  /** Markdown. */
  readonly body: string;
}

/**
 * The text of a SKILL.md, in the narrowest form: keys of the format only, every value on one line in double quotes. So
 * readers of any YAML version and of subsets agree on it.
 */
export function writeManifest(manifest: Manifest): string {
  const { name, description, license, compatibility, allowedTools, metadata, body } = manifest;
  const lines = [`name: ${name}`, `description: ${quoted(description)}`];
  if (license !== undefined) lines.push(`license: ${quoted(license)}`);
  if (compatibility !== undefined) lines.push(`compatibility: ${quoted(compatibility)}`);
  if (allowedTools !== undefined) lines.push(`allowed-tools: ${quoted(allowedTools)}`);
  if (metadata.size > 0) lines.push('metadata:');
  for (const [key, value] of metadata) {
    lines.push(`  ${/^[a-z][a-z_-]*$/.test(key) ? key : quoted(key)}: ${quoted(value)}`);
  }
  return `---\n${lines.join('\n')}\n---\n\n${body.trim()}\n`;
}

/**
 * A YAML string. JSON's escapes are a part of YAML's. `---` is broken up, for some readers split the file there; what
 * does not print is escaped, for YAML does not take it raw.
 */
function quoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll('---', '-\\x2d-')
    .replace(/[\u007f-\u009f\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
