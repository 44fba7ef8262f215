import type { ListenAddress } from '../server/http/address.js';
import { UsageError } from './usage-error.js';

/**
 * The address of `--http`: nothing, `PORT`, `:PORT`, `HOST` or `HOST:PORT`, IPv6 in brackets. What it leaves out is for the
 * configuration to say.
 * @throws UsageError
 */
export function httpAddress(flag: string | true): Partial<ListenAddress> {
  if (flag === true) return {};
  const parts = ADDRESS.exec(/^\d+$/.test(flag) ? `:${flag}` : flag);
  const [, host = '', digits] = parts ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (parts === null || (host === '' && port === undefined) || (port !== undefined && port > 65_535))
    throw new UsageError(
      `--http ${flag} is no address`,
      'write --http HOST:PORT, such as 127.0.0.1:8848, [::1]:8848 or :0 (a port that is free)',
    );
  return { ...(host === '' ? {} : { host }), ...(port === undefined ? {} : { port }) };
}

const ADDRESS = /^((?:[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)?|\[[0-9A-Fa-f:.]+\])(?::(\d{1,6}))?$/;
