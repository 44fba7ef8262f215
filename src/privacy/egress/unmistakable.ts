import type { Finding } from '../detect/detector.js';

/** Kinds with a mark or a check digit of their own: found where nothing but the characters speaks for them. */
export function isUnmistakable({ type }: Finding): boolean {
  return TYPES.has(type);
}

const TYPES = new Set(['EMAIL', 'SECRET', 'URL_CREDENTIALS', 'CREDIT_CARD', 'IBAN', 'CRYPTO_WALLET']);
