/** `1234567` as `1,234,567`; fractions keep at most four significant decimals. */
export function count(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 });
}

/** Bytes in decimal units: `512 bytes`, `12 kB`, `1.4 MB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} bytes`;
  if (value < 999_500) return `${scaled(value / 1e3)} kB`;
  if (value < 999_500_000) return `${scaled(value / 1e6)} MB`;
  return `${scaled(value / 1e9)} GB`;
}

/** Milliseconds as seconds: `0.84 s`, `12.3 s`, `95 s`. */
export function seconds(ms: number): string {
  const value = ms / 1000;
  if (value < 10) return `${Number(value.toFixed(2))} s`;
  return `${value < 60 ? Number(value.toFixed(1)) : Math.round(value)} s`;
}

/**
 * LLM tokens of so many characters. An estimate (four characters a token is near the truth for English and JSON),
 * therefore always shown with `~`.
 */
export function llmTokens(characters: number): number {
  return Math.round(Math.max(0, characters) / 4);
}

/** A number of LLM tokens: `~850`, `~148k`, `~1.2M`. */
export function aboutTokens(tokens: number): string {
  if (tokens < 1000) return `~${tokens}`;
  return tokens < 999_500 ? `~${scaled(tokens / 1e3)}k` : `~${scaled(tokens / 1e6)}M`;
}

function scaled(value: number): string {
  return value < 10 ? String(Number(value.toFixed(1))) : String(Math.round(value));
}
