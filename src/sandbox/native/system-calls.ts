import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Processors for which the table has numbers, by Node's names. */
export type Architecture = 'x64' | 'arm64';

/** A row of the table: what becomes of one system call, and why. */
export interface SystemCall {
  readonly name: string;
  /** Its number, where the processor has it. */
  readonly numbers: Readonly<Partial<Record<Architecture, number>>>;
  /** Cell for the whole jail, from the first program in it on. */
  readonly jail: string;
  /** Cell for what a run may not do of that; absent: the same. */
  readonly run?: string;
  readonly reason: string;
}

const TABLE = fileURLToPath(new URL('../../../data/system-calls.tsv', import.meta.url));

/** The table, in its order: the frequent ones come first, since a filter is read from top to bottom. */
export function systemCalls(): SystemCall[] {
  const [, ...lines] = readFileSync(TABLE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [name = '', x64 = '-', arm64 = '-', jail = '', run = '-', reason = ''] = line.split('\t');
    return {
      name,
      numbers: {
        ...(x64 === '-' ? {} : { x64: Number(x64) }),
        ...(arm64 === '-' ? {} : { arm64: Number(arm64) }),
      },
      jail,
      ...(run === '-' ? {} : { run }),
      reason,
    };
  });
}
