// @ts-check
/** Bytes of a worker, as the host reads them: src/wire/frames.ts against a plain reader of the whole stream. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { FrameReader, MAX_HEADER_BYTES, MAX_PAYLOAD_BYTES } from '../../dist/wire/frames.js';
import { frameBytes, MESSAGES } from '../support/frame-corpus.mjs';
import { cuts, edited, hostileValue, inPieces } from '../support/hostile.mjs';
import { mutated } from '../support/mutate-bytes.mjs';
import { attempt, insist, insistUnpolluted } from '../support/oracle.mjs';
import { isWorkerMessage } from '../support/plain-message.mjs';

/** @typedef {{ bytes: Buffer, cuts: readonly number[] }} Stream */
/** @typedef {{ message: unknown, payload: Uint8Array }} PlainFrame */

/** @returns {Promise<import('../support/campaign.mjs').Target<Stream>>} */
export async function open() {
  return {
    promise:
      'any bytes give the frames that a plain reader finds, however they are cut, and after the first fault `crashed`',
    runs: 800,
    input: stream,
    check,
    fast: { make, smaller },
  };
}

/** @param {Stream} stream */
function check({ bytes, cuts: places }) {
  const { frames, faulty } = plainFrames(bytes);
  for (const pieces of [[bytes], inPieces(bytes, places)]) {
    const reader = new FrameReader();
    let at = 0;
    let refused = false;
    for (const piece of pieces) {
      const { value = [], refused: code } = attempt(['crashed'], () => reader.push(piece));
      insist(!refused || code !== undefined, 'a reader took input after a violation');
      if (refused) break;
      refused = code !== undefined;
      for (const { message, payload } of value) {
        const expected = frames[at++];
        insist(expected, 'a frame where the plain reader has none');
        insist(isDeepStrictEqual(message, expected.message), 'another message than the plain reader has');
        insist(Buffer.compare(payload, expected.payload) === 0, 'another payload than the plain reader has');
      }
    }
    insist(refused === faulty, refused ? 'a right stream was refused' : 'a violation was taken');
    // Frames that came in one piece with a violation go down with it.
    insist(at === frames.length || faulty, 'a frame is missing');
  }
  insistUnpolluted();
  return Math.max(1, frames.length + (faulty ? 1 : 0));
}

/** Each frame at its place in the whole, by the words of design/wire.md. @param {Buffer} bytes */
function plainFrames(bytes) {
  /** @type {PlainFrame[]} */
  const frames = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const header = bytes.readUInt32BE(at);
    const payload = bytes.readUInt32BE(at + 4);
    if (header < 2 || header > MAX_HEADER_BYTES || payload > MAX_PAYLOAD_BYTES)
      return { frames, faulty: true };
    const body = at + 8 + header;
    if (body + payload > bytes.length) break;
    const message = parsed(bytes.subarray(at + 8, body));
    if (!isWorkerMessage(message)) return { frames, faulty: true };
    frames.push({ message, payload: bytes.subarray(body, body + payload) });
    at = body + payload;
  }
  return { frames, faulty: false };
}

/** @param {Buffer} header @returns {unknown} */
function parsed(header) {
  try {
    const text = UTF8.decode(header);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

const jsonText = fc.oneof(
  { weight: 3, arbitrary: edited(fc.constantFrom(...MESSAGES).map((message) => JSON.stringify(message))) },
  { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value) ?? 'null') },
);
const frame = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(jsonText, fc.uint8Array({ maxLength: 20 })).map(framed) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
);
/** @type {fc.Arbitrary<Stream>} */
const stream = fc.record({ bytes: fc.array(frame, { maxLength: 4 }).map((all) => Buffer.concat(all)), cuts });

/** @param {[string, Uint8Array]} parts */
function framed([header, payload]) {
  return frameBytes(Buffer.from(header, 'utf8'), payload);
}

const HEADERS = /** @type {[Buffer, ...Buffer[]]} */ (
  MESSAGES.map((message) => Buffer.from(JSON.stringify(message)))
);
const PAYLOADS = /** @type {[Buffer, ...Buffer[]]} */ (
  [0, 1, 8, 200].map((length) => Buffer.alloc(length, length))
);

/** Up to three frames, each whole, with a wrong header, or wrong as bytes. @param {import('../support/random.mjs').Random} random @returns {Stream} */
function make(random) {
  const parts = [];
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const header = random.pick(HEADERS);
    let part;
    if (random.onceIn(3)) part = frameBytes(header, random.pick(PAYLOADS));
    else if (random.onceIn(4)) part = mutated(random, frameBytes(header, random.pick(PAYLOADS)), header);
    else {
      let wrong = mutated(random, header, random.pick(HEADERS));
      while (random.onceIn(2)) wrong = mutated(random, wrong, random.pick(HEADERS));
      part = frameBytes(wrong, random.pick(PAYLOADS));
    }
    parts.push(part);
  }
  return { bytes: Buffer.concat(parts), cuts: [random.bits(), random.bits(), random.bits()] };
}

/** With fewer cuts, then with stretches left out, the longest first. @param {Stream} stream @returns {Iterable<Stream>} */
function* smaller({ bytes, cuts: places }) {
  for (let at = 0; at < places.length; at += 1) yield { bytes, cuts: places.toSpliced(at, 1) };
  for (let length = bytes.length >> 1; length > 0; length >>= 1)
    for (let at = 0; at + length <= bytes.length; at += length)
      yield { bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]), cuts: places };
}
