import { looksSecret } from './secrets.js';
import type { ServerEntry } from './server-schema.js';

const MASK = '***';
/** Shorter values are not masked in logs by content: replacing every "user" would make a log useless. */
const MIN_LENGTH = 6;
/** `--api-key=abc`, `TOKEN=abc` */
const ASSIGNMENT = /^(-{0,2}[\w.-]+)=(.+)$/s;

/** The entry as people may see it, from its form in which secret variables are masked already. */
export function maskedEntry(
  entry: ServerEntry,
  shown: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const args = Array.isArray(shown.args) ? shown.args.map(String) : undefined;
  const masked: Record<string, unknown> = { ...shown };
  if (args) masked.args = args.map((one, i) => maskedArgument(one, args[i - 1]));
  if (shown.env) masked.env = mapValues(shown.env, (value, key) => (looksSecret(key) ? MASK : value));
  if (shown.headers) masked.headers = mapValues(shown.headers, () => MASK);
  if (entry.url !== undefined) masked.url = maskedUrl(String(shown.url));
  return masked;
}

/** Values of the entry that no log may show, the longest first. */
export function secretsOf({ args, env, headers, url }: ServerEntry): string[] {
  const found = [
    ...Object.entries(env).flatMap(([key, value]) => (looksSecret(key) ? [value] : [])),
    // `Bearer abc`: the token alone as well.
    ...Object.values(headers).flatMap((value) => [value, ...value.split(' ').slice(1)]),
    ...args.flatMap((one, i) => {
      if (maskedArgument(one, args[i - 1]) === one) return [];
      return [ASSIGNMENT.exec(one)?.[2] ?? one];
    }),
    ...(url === undefined ? [] : urlSecrets(url)),
  ];
  const long = found.filter((value) => value.length >= MIN_LENGTH);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

function maskedArgument(argument: string, before: string | undefined): string {
  const [, name, value] = ASSIGNMENT.exec(argument) ?? [];
  if (name !== undefined && value !== undefined) return looksSecretFlag(name) ? `${name}=${MASK}` : argument;
  const isValue = before?.startsWith('-') === true && !before.includes('=') && !argument.startsWith('-');
  return isValue && looksSecretFlag(before) ? MASK : argument;
}

/** Flags name a url or a key file plainly more often than a secret; what holds one says so. */
function looksSecretFlag(name: string): boolean {
  return /token|secret|pass|credential|auth|api-?_?key|header/i.test(name);
}

function maskedUrl(text: string): string {
  if (!URL.canParse(text)) return MASK;
  const url = new URL(text);
  if (url.username) url.username = MASK;
  if (url.password) url.password = MASK;
  for (const key of new Set(url.searchParams.keys())) url.searchParams.set(key, MASK);
  return url.href;
}

function urlSecrets(text: string): string[] {
  const url = new URL(text);
  return [decoded(url.username), decoded(url.password), ...url.searchParams.values()];
}

/** A URL may have a `%` that begins no escape. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function mapValues(from: unknown, map: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(from)).map(([key, value]) => [key, map(value, key)]));
}
