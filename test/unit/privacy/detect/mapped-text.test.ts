import { describe, expect, it } from 'vitest';
import { decodeEscapes } from '../../../../src/privacy/detect/decode-escapes.js';
import { foldText } from '../../../../src/privacy/detect/fold-text.js';
import type { MappedText } from '../../../../src/privacy/detect/mapped-text.js';
import { unescapeJson } from '../../../../src/privacy/detect/unescape-json.js';

describe('foldText', () => {
  it.each([
    ['jo\u200bhn\u00ad', 'john'],
    ['４１１１', '4111'],
    ['𝟎𝟕𝟖-𝟗', '078-9'],
    ['٠١٢', '012'],
    ['exаmple.соm', 'example.com'],
    ['слово', 'слово'],
    ['Jose\u0301', 'José'],
    ['a–b\u00a0c', 'a-b c'],
    ['ﬁn', 'fin'],
  ])('reads %j as %j', (text, plain) => {
    expect(foldText(text).text).toBe(plain);
  });

  it('leads back to the characters as they were written', () => {
    const text = 'a \u200bj\u200bo＠x';
    expect(sourceOf(text, foldText(text), 'jo@x')).toBe('j\u200bo＠x');
  });
});

describe('decodeEscapes', () => {
  it.each([
    ['jo%40x.org%20y', 'jo@x.org y'],
    ['J%C3%B6rg', 'Jörg'],
    ['jo&#64;x &commat; &#x40;', 'jo@x @ @'],
    ['\\u0040\\x41', '@A'],
    ['100%25', '100%'],
  ])('reads %j as %j', (text, plain) => {
    expect(decodeEscapes(text)?.text).toBe(plain);
  });

  it.each(['100% sure', '%ZZ', '&nosuch;', '%C3%28', 'plain'])('leaves %j as it is', (text) => {
    expect(decodeEscapes(text)?.text ?? text).toBe(text.replace('%28', '('));
  });
});

it('unescapeJson reads a string of JSON and leads back to its escapes', () => {
  const text = String.raw`{"a":"x\"jo\u0040y\n\q"}`;
  const plain = unescapeJson(text, 6, text.length - 2);
  expect(plain.text).toBe('x"jo@y\n\\q');
  expect(sourceOf(text, plain, 'jo@y')).toBe(String.raw`jo\u0040y`);
});

function sourceOf(text: string, mapped: MappedText, piece: string): string {
  const at = mapped.text.indexOf(piece);
  return text.slice(mapped.sourceStart(at), mapped.sourceEnd(at + piece.length));
}
