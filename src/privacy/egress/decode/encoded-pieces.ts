import { base32Pieces } from './base32.js';
import { base64Pieces } from './base64.js';
import { codePieces } from './codes.js';
import { escapedPieces } from './escapes.js';
import { hexPieces } from './hex.js';
import type { DecodeBudget, Piece } from './piece.js';

/** Every stretch of a text that can be read as text in another form; they may overlap. Linear. */
export function encodedPieces(text: string, budget: DecodeBudget): Piece[] {
  return [
    ...escapedPieces(text),
    ...base64Pieces(text, budget),
    ...hexPieces(text),
    ...codePieces(text),
    ...base32Pieces(text),
  ];
}
