import { createRequire } from 'node:module';

/** Version of this package, from its package.json (two folders up in `src` and in `dist`). */
export function packageVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json');
  if (
    typeof manifest === 'object' &&
    manifest &&
    'version' in manifest &&
    typeof manifest.version === 'string'
  ) {
    return manifest.version;
  }
  throw new Error('package.json names no version');
}
