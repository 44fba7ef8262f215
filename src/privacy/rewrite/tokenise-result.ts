import { StringDecoder } from 'node:string_decoder';
import { CodeExecutionError } from '../../core/errors.js';
import type { LargeText, ToolContent, ToolResult } from '../../core/tool.js';
import type { Finding } from '../detect/detector.js';
import { base64Text } from './base64-text.js';
import { type JsonParts, JsonRewriter, type Rewritten } from './json-rewriter.js';
import { decodeLong, encodeLong, encodeUtf8 } from './long-string.js';
import { ValueMapper } from './map-value.js';
import { replaceFindings } from './replace-findings.js';
import { type Replacing, tokenFor } from './replacing.js';
import { textSlices } from './text-slices.js';
import { tokenisingLeaves } from './tokenise-value.js';
import { Turns } from './turns.js';

/**
 * What a tool returned, with tokens in place of values, for code that must not see them (strict mode): structure, texts,
 * texts inside base64, names and addresses of resources. Numbers stay numbers and JSON text stays JSON; what is not
 * replaced stays as it is written. Values in JSON text are kept without its escapes, for code will read it as JSON.
 *
 * Keys that are values by themselves (`{"jane@example.org": 3}`) are replaced as well, unlike in {@link tokeniseValue}:
 * strict mode promises that no program can tell a value. Pictures and sound are not looked into.
 *
 * @throws CodeExecutionError `tool_unavailable`: a large result is no JSON, so nobody can look through it.
 */
export async function tokeniseResult(result: ToolResult, using: Replacing): Promise<ToolResult> {
  const strict = new StrictRewriting(using);
  const { structured, content, large } = result;
  return {
    ...result,
    ...(structured === undefined ? {} : { structured: await strict.value(structured) }),
    content: await strict.content(content),
    ...(large === undefined ? {} : { large: await strict.large(large) }),
  };
}

class StrictRewriting {
  readonly #using: Replacing;
  readonly #turns = new Turns();
  readonly #keys = new Map<string, string>();
  readonly #parts: JsonParts;

  constructor(using: Replacing) {
    this.#using = using;
    this.#parts = {
      string: (text, keys) => changed(text, this.#string(text, keys)),
      longString: (lexeme) => this.#longString(lexeme),
      number: (lexeme, keys) => {
        const type = using.detection.inNumber(lexeme, keys);
        return type === undefined ? undefined : tokenFor(using, type, lexeme, 'number');
      },
      key: (key) => changed(key, this.#key(key)),
    };
  }

  async value(value: unknown): Promise<unknown> {
    const leaves = tokenisingLeaves(this.#using);
    const mapper = new ValueMapper(value, {
      ...leaves,
      string: (text, keys) => this.#string(text, keys),
      key: (key) => this.#key(key),
    });
    while (!mapper.run(() => this.#turns.isOver)) await this.#turns.giveWay();
    return mapper.result;
  }

  async content(parts: readonly ToolContent[]): Promise<ToolContent[]> {
    const done: ToolContent[] = [];
    for (const part of parts) {
      done.push(await this.#content(part));
      await this.#turns.giveWay();
    }
    return done;
  }

  async large({ parts }: LargeText): Promise<LargeText> {
    const decoder = new StringDecoder('utf8');
    const rewriter = new JsonRewriter(this.#parts);
    const out: Uint8Array[] = [];
    let bytes = 0;
    const add = async (pieces: readonly Rewritten[]) => {
      for await (const encoded of encodeUtf8(await joined(pieces), this.#turns)) {
        out.push(encoded);
        bytes += encoded.length;
      }
    };
    for (const part of parts) {
      for (let at = 0; at < part.length; at += SLICE) {
        await add(rewriter.feed(decoder.write(Buffer.from(part.subarray(at, at + SLICE)))));
        await this.#turns.giveWay();
      }
    }
    await add(rewriter.feed(decoder.end()));
    await add(rewriter.end());
    if (!rewriter.isJson) {
      throw new CodeExecutionError(
        'tool_unavailable',
        'the answer of the server is not valid JSON, so personal data in it cannot be found',
      );
    }
    return { parts: out, bytes };
  }

  async #content(part: ToolContent): Promise<ToolContent> {
    if (part.type === 'text') return { ...part, text: await this.text(part.text) };
    if (part.type === 'resource_link') {
      const { uri, name } = part;
      return { ...part, uri: this.#inText(uri), ...(name === undefined ? {} : { name: this.#inText(name) }) };
    }
    if (part.type !== 'resource') return part;
    const { text, blob } = part;
    return {
      ...part,
      uri: this.#inText(part.uri),
      ...(text === undefined ? {} : { text: await this.text(text) }),
      ...(blob === undefined ? {} : { blob: await this.#blob(blob) }),
    };
  }

  async #blob(blob: string): Promise<string> {
    const base64 = base64Text(blob);
    if (base64 === undefined) return blob;
    const text = await this.text(base64.text);
    return text === base64.text ? blob : base64.encode(text);
  }

  /** A text of any length and form. */
  async text(text: string): Promise<string> {
    if (/^\s*[{[]/.test(text)) {
      const rewriter = new JsonRewriter(this.#parts);
      const out: Rewritten[] = [];
      for (let at = 0; at < text.length && rewriter.isJson; at += SLICE) {
        out.push(...rewriter.feed(text.slice(at, at + SLICE)));
        await this.#turns.giveWay();
      }
      out.push(...rewriter.end());
      // Text in brackets that is no JSON ("[INFO] ...") is searched as text.
      if (rewriter.isJson) return joined(out);
    }
    const out: string[] = [];
    for (const { start, end, header } of textSlices(text, SLICE)) {
      const slice = text.slice(start, end);
      const found = this.#using.detection.inText(header + slice);
      out.push(replaceFindings(slice, behind(found, header.length), this.#using));
      await this.#turns.giveWay();
    }
    return out.join('');
  }

  async #longString(lexeme: string): Promise<string> {
    const text = await decodeLong(lexeme, this.#turns);
    const done = await this.#textOrBase64(text);
    return done === text ? lexeme : encodeLong(done, this.#turns);
  }

  async #textOrBase64(text: string): Promise<string> {
    const inside = await this.#blob(text);
    return inside === text ? this.text(text) : inside;
  }

  #string(text: string, keys: readonly string[]): string {
    const base64 = base64Text(text);
    if (base64 !== undefined) {
      const inside = this.#inText(base64.text);
      if (inside !== base64.text) return base64.encode(inside);
    }
    return replaceFindings(text, this.#using.detection.inValue(text, keys), this.#using);
  }

  #inText(text: string): string {
    return replaceFindings(text, this.#using.detection.inText(text), this.#using);
  }

  #key(key: string): string {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const done = this.#inText(key);
    if (this.#keys.size < MAX_KEYS) this.#keys.set(key, done);
    return done;
  }
}

function changed(before: string, after: string): string | undefined {
  return before === after ? undefined : after;
}

async function joined(pieces: readonly Rewritten[]): Promise<string> {
  return (await Promise.all(pieces)).join('');
}

function behind(findings: readonly Finding[], length: number): Finding[] {
  if (length === 0) return [...findings];
  return findings
    .filter(({ start }) => start >= length)
    .map(({ start, end, type }) => ({ type, start: start - length, end: end - length }));
}

/** Characters looked through at a time: a few milliseconds. */
const SLICE = 16 * 1024;
/** Distinct keys whose look-up is kept. */
const MAX_KEYS = 10_000;
