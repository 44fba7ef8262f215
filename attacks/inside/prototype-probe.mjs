// @ts-check
/** Loaded into the server before it: on SIGUSR2 it writes to ATTACKS_PROBE_FILE whether objects have got a member. */
import { writeFileSync } from 'node:fs';

const file = process.env.ATTACKS_PROBE_FILE ?? '';
delete process.env.ATTACKS_PROBE_FILE;
const members = () => Object.getOwnPropertyNames(Object.prototype).sort().join();
const before = members();
process.on('SIGUSR2', () => {
  const plain = /** @type {Record<string, unknown>} */ ({});
  writeFileSync(file, JSON.stringify({ polluted: plain.polluted ?? null, members: members() === before }));
});
