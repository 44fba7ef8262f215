/** What the first bytes of a file say that it is. */
export interface FileKind {
  /** Media type of an image that clients show; undefined for all else. */
  readonly image?: string;
  /** In words: `gzip data`, `SQLite database`. */
  readonly name: string;
}

type Signature = readonly [offset: number, hex: string, kind: FileKind];

const SIGNATURES: readonly Signature[] = [
  [0, '89504e470d0a1a0a', { image: 'image/png', name: 'PNG image' }],
  [0, 'ffd8ff', { image: 'image/jpeg', name: 'JPEG image' }],
  [0, '474946383761', { image: 'image/gif', name: 'GIF image' }],
  [0, '474946383961', { image: 'image/gif', name: 'GIF image' }],
  [8, '57454250', { image: 'image/webp', name: 'WebP image' }],
  [0, '25504446', { name: 'PDF document' }],
  [0, '504b0304', { name: 'ZIP archive (also xlsx, docx, jar)' }],
  [0, '1f8b', { name: 'gzip data' }],
  [0, '53514c69746520666f726d61742033', { name: 'SQLite database' }],
  [0, '50415231', { name: 'Parquet file' }],
  [0, '425a68', { name: 'bzip2 data' }],
  [0, 'fd377a585a00', { name: 'xz data' }],
  [0, '28b52ffd', { name: 'Zstandard data' }],
  [0, 'fffe', { name: 'UTF-16 text' }],
  [0, 'feff', { name: 'UTF-16 text' }],
];

/** Kind of a file that is no UTF-8 text, by its first bytes. */
export function fileKind(start: Uint8Array): FileKind {
  const bytes = Buffer.from(start.buffer, start.byteOffset, Math.min(start.byteLength, 512));
  for (const [offset, hex, kind] of SIGNATURES) {
    const magic = Buffer.from(hex, 'hex');
    if (bytes.subarray(offset, offset + magic.length).equals(magic)) return kind;
  }
  const control = bytes.filter(
    (byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  ).length;
  return {
    name: control === 0 && bytes.length > 0 ? 'text in another encoding (cp1252 or latin-1?)' : 'binary data',
  };
}

/** A part of a UTF-8 text, cut to whole characters. */
export interface TextPart {
  readonly text: string;
  /** Bytes skipped at the start: the rest of a character that began before. */
  readonly skipped: number;
  /** Bytes of `text`. */
  readonly length: number;
}

/** The whole characters in `bytes`; undefined if it is no UTF-8. `atEnd`: no more bytes follow in the file. */
export function decodePart(bytes: Uint8Array, atEnd: boolean): TextPart | undefined {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  const end = atEnd ? bytes.length : wholeEnd(bytes);
  const part = bytes.subarray(start, Math.max(start, end));
  if (part.includes(0)) return undefined;
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part),
      skipped: start,
      length: part.length,
    };
  } catch {
    return undefined;
  }
}

/** Where the last whole character ends. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
