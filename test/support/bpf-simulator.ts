/** What the kernel would do with a system call, as far as our filters go: classic BPF over struct seccomp_data. */
export interface SimulatedCall {
  readonly audit: number;
  readonly number: number;
  readonly arguments?: readonly (number | bigint)[];
}

/** `allow`, `kill`, or the errno. @throws Error for an instruction that the kernel would refuse to load */
export function simulateFilter(bytes: Uint8Array, call: SimulatedCall): 'allow' | 'kill' | number {
  const program = Buffer.from(bytes);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.audit, 4);
  (call.arguments ?? []).forEach(
    (value, index) => void data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index),
  );
  let accumulator = 0;
  for (let at = 0; ; at += 8) {
    const [code, jumpTrue, jumpFalse, operand] = [
      program.readUInt16LE(at),
      program.readUInt8(at + 2),
      program.readUInt8(at + 3),
      program.readUInt32LE(at + 4),
    ];
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x54) accumulator = (accumulator & operand) >>> 0;
    else if (code === 0x15) at += 8 * (accumulator === operand ? jumpTrue : jumpFalse);
    else if (code === 0x35) at += 8 * (accumulator >= operand ? jumpTrue : jumpFalse);
    else if (code === 0x06) {
      if (operand === 0x7fff0000) return 'allow';
      if (operand === 0x80000000) return 'kill';
      if (operand >>> 16 === 5) return operand & 0xffff;
      throw new Error(`returns ${operand.toString(16)}`);
    } else throw new Error(`an instruction that no filter of ours has: ${code.toString(16)}`);
  }
}
