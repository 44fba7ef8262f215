import { type ArgumentTest, type CallRule, treatment, type Verdict } from './call-rules.js';
import type { Architecture, SystemCall } from './system-calls.js';

/** A classic BPF program for seccomp, as the kernel takes it: 8 bytes an instruction, little-endian. */
export interface SeccompFilter {
  readonly bytes: Uint8Array;
  /** Where the pid of the process that loads it belongs: offsets of 32-bit numbers in {@link bytes}. */
  readonly pidOffsets: readonly number[];
}

/**
 * `jail`: what anything in the jail may do; bubblewrap loads it. `sealed`: no more programs; the parent loads it first of
 * all. `run`: what a run may not do of that; it loads it before any code of a run.
 */
export type FilterStage = 'jail' | 'sealed' | 'run';

/** Audit numbers of the kernel: a call by another calling convention would have other numbers. */
const AUDIT: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** From here on x64 counts the calls of x32, a third convention with the audit number of the first. */
const X32 = 0x40000000;

const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const KILL_PROCESS = 0x80000000;
const FAIL = 0x00050000;
const ALLOW = 0x7fff0000;

// Offsets in struct seccomp_data.
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const ARGUMENTS_AT = 16;

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, operand: number | 'own-pid'];

/** Puts together the filter of a stage. @throws Error for a cell of the table that means nothing */
export function assembleFilter(
  calls: readonly SystemCall[],
  architecture: Architecture,
  stage: FilterStage,
): SeccompFilter {
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_IF_EQUAL, 1, 0, AUDIT[architecture]],
    ret('kill'),
    [LOAD, 0, 0, NUMBER_AT],
  ];
  if (architecture === 'x64') program.push([JUMP_IF_AT_LEAST, 0, 1, X32], ret('kill'));
  for (const call of calls) {
    const number = call.numbers[architecture];
    const cell = cellOf(call, stage);
    if (number === undefined || cell === undefined) continue;
    const block = blockOf(treatment(cell));
    program.push([JUMP_IF_EQUAL, 0, block.length, number], ...block);
  }
  // The jail has a list of what is allowed; ENOSYS is what libraries expect of an older kernel.
  program.push(ret(stage === 'jail' ? { errno: 38 } : 'allow'));
  return encode(program);
}

function cellOf(call: SystemCall, stage: FilterStage): string | undefined {
  if (stage === 'jail') return call.jail;
  if (stage === 'run') return call.run;
  return call.name === 'execve' || call.name === 'execveat' ? 'EPERM' : undefined;
}

/** Ends in a return, so that no jump is longer than one block. */
function blockOf(what: Verdict | CallRule): Instruction[] {
  if (typeof what === 'string' || 'errno' in what) return [ret(what)];
  return [...what.tests.flatMap(testOf), ret(what.otherwise)];
}

function testOf({ argument, high, mask, is, verdict }: ArgumentTest): Instruction[] {
  const code: Instruction[] = [[LOAD, 0, 0, ARGUMENTS_AT + 8 * argument + (high ? 4 : 0)]];
  if (mask !== undefined) code.push([AND, 0, 0, mask]);
  // `any`: not zero.
  code.push(is === 'any' ? [JUMP_IF_EQUAL, 1, 0, 0] : [JUMP_IF_EQUAL, 0, 1, is]);
  return [...code, ret(verdict)];
}

function ret(verdict: Verdict): Instruction {
  const value = verdict === 'allow' ? ALLOW : verdict === 'kill' ? KILL_PROCESS : FAIL + verdict.errno;
  return [RETURN, 0, 0, value];
}

function encode(program: readonly Instruction[]): SeccompFilter {
  const bytes = Buffer.alloc(program.length * 8);
  const pidOffsets: number[] = [];
  program.forEach(([code, jumpTrue, jumpFalse, operand], index) => {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jumpTrue, at + 2);
    bytes.writeUInt8(jumpFalse, at + 3);
    bytes.writeUInt32LE(operand === 'own-pid' ? 0 : operand, at + 4);
    if (operand === 'own-pid') pidOffsets.push(at + 4);
  });
  return { bytes, pidOffsets };
}
