/** True when a bech32 or bech32m text (BIP 173, BIP 350) has the right check characters. */
export function passesBech32(text: string): boolean {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return false;
  const split = lower.lastIndexOf('1');
  if (split < 1 || lower.length - split < 7) return false;
  const values: number[] = [];
  for (let at = 0; at < split; at++) values.push(lower.charCodeAt(at) >> 5);
  values.push(0);
  for (let at = 0; at < split; at++) values.push(lower.charCodeAt(at) & 31);
  for (let at = split + 1; at < lower.length; at++) {
    const value = ALPHABET.indexOf(lower.charAt(at));
    if (value === -1) return false;
    values.push(value);
  }
  const sum = polymod(values);
  return sum === BECH32 || sum === BECH32M;
}

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (let bit = 0; bit < 5; bit++) if ((top >> bit) & 1) sum ^= GENERATOR[bit] as number;
  }
  return sum;
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32 = 1;
const BECH32M = 0x2bc830a3;
