// @ts-check
import { homedir } from 'node:os';
import { Product } from './product.mjs';
import { DEFAULT_LIMITS } from './tool-call.mjs';

/**
 * Lets the server prepare what it keeps in its cache, once for all cases, and shows that it runs code here.
 * @param {string} backend
 * @returns {Promise<{ problem?: string }>}
 */
export async function warm(backend) {
  const options = {
    backend,
    home: homedir(),
    limits: { ...DEFAULT_LIMITS, wallMs: 30_000 },
    env: {},
    config: {},
  };
  try {
    const product = await Product.start({ ...options, transport: 'stdio', sessions: ['A'] });
    const answer = await product.call('execute_code', { code: 'print(6 * 7)' }, 'A');
    await product.close();
    return answer.stdout.includes('42') ? {} : { problem: answer.all };
  } catch (error) {
    return { problem: String(error) };
  }
}
