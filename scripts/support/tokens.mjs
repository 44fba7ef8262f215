// @ts-check
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * LLM tokens of a text, counted by the tokenizer o200k_base, not estimated.
 * @param {string} text
 * @returns {number}
 */
export function llmTokens(text) {
  return countTokens(text, { allowedSpecial: 'all' });
}
