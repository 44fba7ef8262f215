import { expect, test } from 'vitest';
import { connect } from './harness.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

test('a text is written and read back', async () => {
  const { call, workspace } = await connect();
  const written = await call('write_workspace_file', { filename: 'data/größe.csv', content: 'a,b\n1,2\n' });
  expect(written.text).toBe('ok · wrote data/größe.csv (8 bytes) · workspace 8 bytes of 50 MB');
  expect(written.structured).toEqual({
    success: true,
    filename: 'data/größe.csv',
    size: 8,
    workspace_bytes: 8,
    workspace_limit: 50_000_000,
  });
  expect(workspace.textOf('data/größe.csv')).toBe('a,b\n1,2\n');
  const read = await call('read_workspace_file', { filename: 'data/größe.csv' });
  expect(read.text).toBe('ok · data/größe.csv · 8 bytes\na,b\n1,2\n');
  expect(read.structured).toEqual({
    success: true,
    filename: 'data/größe.csv',
    content: 'a,b\n1,2\n',
    encoding: 'utf-8',
    size: 8,
  });
});

test('base64 is decoded, with line breaks and with or without padding', async () => {
  const { call, workspace } = await connect();
  for (const content of ['aGVsbG8hIQ==', 'aGVs\nbG8h\r\nIQ==', 'aGVsbG8hIQ']) {
    await call('write_workspace_file', { filename: 'b', content, encoding: 'base64' });
    expect(workspace.textOf('b')).toBe('hello!!');
  }
  await call('write_workspace_file', { filename: 'b', content: 'IQ==', encoding: 'base64', mode: 'append' });
  expect(workspace.textOf('b')).toBe('hello!!!');
  expect(
    (await call('write_workspace_file', { filename: 'e', content: '', encoding: 'base64' })).structured.size,
  ).toBe(0);
});

const BAD_WRITES: [string, Record<string, unknown>, string, string][] = [
  ['no content', { filename: 'a' }, 'bad_arguments', 'argument "content" is missing'],
  ['an empty name', { filename: '', content: '' }, 'bad_arguments', '"filename" is empty'],
  [
    'content that is data',
    { filename: 'a', content: { x: 1 } },
    'bad_arguments',
    '"content" must be text, got an object',
  ],
  [
    'an unknown mode',
    { filename: 'a', content: '', mode: 'overwite' },
    'bad_arguments',
    '"mode" cannot be "overwite" (did you mean "overwrite"?)',
  ],
  [
    'an unknown encoding',
    { filename: 'a', content: '', encoding: 'utf8' },
    'bad_arguments',
    '"encoding" cannot be "utf8" (did you mean "utf-8"?)',
  ],
  ['a path that climbs', { filename: '../x', content: '' }, 'path_denied', '"../x" leaves the workspace'],
  [
    'an absolute path',
    { filename: '/etc/passwd', content: '' },
    'path_denied',
    '"/etc/passwd" leaves the workspace',
  ],
  [
    'base64 that is none',
    { filename: 'a', content: 'a$b=', encoding: 'base64' },
    'bad_encoding',
    'content is not valid base64: character 1 is none of its alphabet',
  ],
  [
    'base64 of impossible length',
    { filename: 'a', content: 'abcde', encoding: 'base64' },
    'bad_encoding',
    'content is not valid base64: its length of 5 fits no bytes',
  ],
  [
    'base64 with wrong padding',
    { filename: 'a', content: 'abc==', encoding: 'base64' },
    'bad_encoding',
    'content is not valid base64: its length of 5 fits no bytes',
  ],
  [
    'a data URL',
    { filename: 'a', content: 'data:image/png;base64,iVBO', encoding: 'base64' },
    'bad_encoding',
    'content is not valid base64: character 4 is none of its alphabet',
  ],
  [
    'a lone surrogate',
    { filename: 'a', content: 'x\ud83d' },
    'bad_encoding',
    'content has half of a surrogate pair at character 1, which UTF-8 cannot hold',
  ],
];

test.each(BAD_WRITES)('writing refuses %s', async (_, args, code, message) => {
  const { call, workspace } = await connect();
  const { structured, isError } = await call('write_workspace_file', args);
  expect(structured).toEqual({ success: false, error: { code, message, hint: expect.stringMatching(/\w/) } });
  expect(isError).toBe(true);
  expect(workspace.files.size).toBe(0);
});

test('mode create does not replace a file', async () => {
  const { call, workspace } = await connect();
  workspace.put('a', 'old');
  const { code, text } = await call('write_workspace_file', {
    filename: 'a',
    content: 'new',
    mode: 'create',
  });
  expect(code).toBe('exists');
  expect(text).toBe('failed · exists · "a" exists\nnext: use mode overwrite');
  expect(workspace.textOf('a')).toBe('old');
});

test('33 MB of content are refused with the way to write them', async () => {
  const { call } = await connect();
  const { structured } = await call('write_workspace_file', {
    filename: 'a',
    content: 'x'.repeat(34_000_000),
  });
  expect(structured.error).toEqual({
    code: 'too_large',
    message: 'content has 34,000,000 bytes; the most in one call is 33,554,432',
    hint: 'write it in parts with mode "append"',
  });
});

test('a large file is read in parts that end at whole characters and join to the whole', async () => {
  const { call, workspace } = await connect();
  const whole = 'aé名😀\n'.repeat(3000);
  workspace.put('big.txt', whole);
  let joined = '';
  let offset: number | undefined = 0;
  let parts = 0;
  while (offset !== undefined) {
    const { structured } = await call('read_workspace_file', { filename: 'big.txt', offset, limit: 4999 });
    joined += structured.content;
    offset = structured.next_offset as number | undefined;
    parts++;
  }
  expect(joined).toBe(whole);
  expect(parts).toBe(Math.ceil(33_000 / 4999));
});

test('a part says where the next begins', async () => {
  const { call, workspace } = await connect();
  workspace.put('a.txt', '0123456789'.repeat(1000));
  const { text, structured } = await call('read_workspace_file', { filename: 'a.txt' });
  expect(text).toMatch(/^ok · a\.txt · 10 kB · bytes 0-8000\n0123/);
  expect(text).toMatch(/\nnext: offset 8000 \(2 kB left\)$/);
  expect(structured.next_offset).toBe(8000);
});

test('an offset inside a character starts at the next one', async () => {
  const { call, workspace } = await connect();
  workspace.put('a.txt', '名b');
  const { text, structured } = await call('read_workspace_file', { filename: 'a.txt', offset: 1 });
  expect(structured.content).toBe('b');
  expect(text).toBe('ok · a.txt · 4 bytes · bytes 3-4\nb');
});

test('an image comes as an image', async () => {
  const { call, workspace } = await connect();
  workspace.put('plot.png', PNG);
  const { content, structured, text } = await call('read_workspace_file', { filename: 'plot.png' });
  expect(content[1]).toEqual({ type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' });
  expect(structured).toEqual({ success: true, filename: 'plot.png', encoding: 'image', size: PNG.length });
  expect(text).toBe('ok · plot.png · image/png · 33 bytes');
});

test('other bytes are described, and given as base64 only when asked', async () => {
  const { call, workspace } = await connect();
  workspace.put('a.gz', Buffer.from([0x1f, 0x8b, 8, 0, 0, 255]));
  const plain = await call('read_workspace_file', { filename: 'a.gz' });
  expect(plain.text).toBe(
    'ok · a.gz · 6 bytes\ngzip data, not shown; open it in execute_code, or read it with encoding "base64"',
  );
  expect(plain.structured).toMatchObject({ success: true, encoding: 'binary' });
  expect(plain.structured).not.toHaveProperty('content');
  const raw = await call('read_workspace_file', { filename: 'a.gz', encoding: 'base64' });
  expect(raw.structured).toMatchObject({ content: 'H4sIAAD/', encoding: 'base64', size: 6 });
});

test.each([
  ['cp1252', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]), 'text in another encoding (cp1252 or latin-1?)'],
  ['UTF-16', Buffer.from('\ufeffhello', 'utf16le'), 'UTF-16 text'],
  ['NUL bytes', Buffer.from([65, 0, 0, 66]), 'binary data'],
  ['an archive', Buffer.from('504b030414000000ff', 'hex'), 'ZIP archive (also xlsx, docx, jar)'],
  ['a large image', Buffer.concat([PNG, Buffer.alloc(4_000_000, 0xff)]), 'PNG image'],
])('says what a file is that cannot be shown: %s', async (_, bytes, name) => {
  const { call, workspace } = await connect();
  workspace.put('f', bytes);
  expect((await call('read_workspace_file', { filename: 'f' })).text).toContain(`\n${name}, not shown`);
});

test('a file that is no UTF-8 is an error when UTF-8 is asked for', async () => {
  const { call, workspace } = await connect();
  workspace.put('f', Buffer.from([0x63, 0xe9, 0x0a]));
  const { structured } = await call('read_workspace_file', { filename: 'f', encoding: 'utf-8' });
  expect(structured.error).toEqual({
    code: 'bad_encoding',
    message: 'the bytes from 0 on are no UTF-8 text',
    hint: 'open the file in execute_code with its encoding (cp1252, latin-1, utf-16), or read it with encoding "base64"',
  });
});

test('a text with terminal codes or hidden characters says that it is not shown as it is', async () => {
  const { call, workspace } = await connect();
  workspace.put('f', '\ufeffname\x1b[31m\r\nx');
  const { structured } = await call('read_workspace_file', { filename: 'f' });
  expect(structured).toMatchObject({
    content: '\\ufeffname\r\nx',
    note: 'terminal codes are left out and invisible characters shown as escapes',
  });
});

test('a missing file names the nearest, or what there is', async () => {
  const { call, workspace } = await connect();
  expect((await call('read_workspace_file', { filename: 'a' })).text).toBe(
    'failed · not_found · no file "a" in the workspace\nnext: the workspace is empty; write a file first',
  );
  workspace.put('data/sales.csv', 'x');
  workspace.put('b.txt', 'x');
  const hint = async (filename: string) =>
    ((await call('read_workspace_file', { filename })).structured.error as { hint: string }).hint;
  expect(await hint('data/sale.csv')).toBe('did you mean "data/sales.csv"?');
  expect(await hint('mnt/data/sales.csv')).toBe('did you mean "data/sales.csv"?');
  expect(await hint('zzzzzz')).toBe('there are: data/sales.csv, b.txt');
});

test.each([
  ['a folder', { filename: 'd' }, 'path_denied', 'list it with list_workspace_files'],
  ['an offset past the end', { filename: 'd/f', offset: 99 }, 'bad_arguments', 'the file has 3 bytes'],
  ['a negative offset', { filename: 'd/f', offset: -1 }, 'bad_arguments', '"offset" is at least 0'],
  ['a limit of nothing', { filename: 'd/f', limit: 0 }, 'bad_arguments', '"limit" is at least 4'],
  ['a huge limit', { filename: 'd/f', limit: 1e9 }, 'bad_arguments', '"limit" is at most 100000'],
  ['a path that climbs', { filename: '../x' }, 'path_denied', 'use a path inside it'],
])('reading refuses %s', async (_, args, code, hint) => {
  const { call, workspace } = await connect();
  workspace.put('d/f', 'abc');
  expect((await call('read_workspace_file', args)).structured.error).toMatchObject({ code, hint });
});

test('files are listed with size and time, sorted, below a folder, by pattern', async () => {
  const { call, workspace } = await connect();
  workspace.put('b/z.csv', 'xx');
  workspace.put('b/c/y.csv', 'x');
  workspace.put('a.txt', 'xxx');
  const all = await call('list_workspace_files');
  expect(all.text).toBe(
    'ok · 3 files · 6 bytes\na.txt · 3 bytes · 2026-12-01T10:30:00Z\nb/c/y.csv · 1 bytes · 2026-12-01T10:30:00Z\nb/z.csv · 2 bytes · 2026-12-01T10:30:00Z',
  );
  const names = async (args: Record<string, unknown>) =>
    ((await call('list_workspace_files', args)).structured.files as { name: string }[]).map(
      (file) => file.name,
    );
  expect(await names({ pattern: '*.csv' })).toEqual(['b/c/y.csv', 'b/z.csv']);
  expect(await names({ pattern: 'b/*.csv' })).toEqual(['b/z.csv']);
  expect(await names({ subpath: './b/', pattern: 'c/*' })).toEqual(['b/c/y.csv']);
  expect((await call('list_workspace_files', { pattern: '*.xls' })).text).toBe(
    'ok · no files matching "*.xls"',
  );
  expect((await call('list_workspace_files', { subpath: 'nope' })).code).toBe('not_found');
  expect((await call('list_workspace_files', { subpath: '../..' })).code).toBe('path_denied');
});

test('pages follow each other without gaps and stay small', async () => {
  const { call, workspace } = await connect();
  const names = Array.from({ length: 500 }, (_, i) => `folder/file-${String(i).padStart(4, '0')}.txt`);
  for (const name of names) workspace.put(name, 'x');
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const { structured, text } = await call('list_workspace_files', {
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    seen.push(...(structured.files as { name: string }[]).map((file) => file.name));
    expect(structured).toMatchObject({ count: 500, total_bytes: 500 });
    expect(Math.max(text.length, JSON.stringify(structured).length)).toBeLessThan(11_000);
    cursor = structured.next_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(names);
  const two = await call('list_workspace_files', { limit: 2 });
  expect(two.text).toMatch(/^ok · 500 files · 500 bytes · 2 shown\n/);
  expect(two.text).toContain(`next: cursor "${two.structured.next_cursor}"`);
  expect((await call('list_workspace_files', { cursor: '???' })).structured.error).toEqual({
    code: 'bad_arguments',
    message: 'cursor is not one of this server',
    hint: 'pass next_cursor as it came, or leave it out',
  });
});

test('a file name with a newline cannot forge a line', async () => {
  const { call, workspace } = await connect();
  workspace.put('a\nok · fake', 'x');
  expect((await call('list_workspace_files')).text.split('\n')).toHaveLength(2);
});

test('a workspace file can be read as a resource, whatever its name', async () => {
  const { client, workspace } = await connect();
  workspace.put('r/größe 1%.txt', 'hello');
  workspace.put('b.bin', Buffer.from([0, 1]));
  workspace.put('big', 'x'.repeat(150_000));
  const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
  expect(await read('workspace:///r/gr%C3%B6%C3%9Fe%201%25.txt')).toMatchObject({
    text: 'hello',
    mimeType: 'text/plain',
  });
  expect(await read('workspace:///b.bin')).toMatchObject({ blob: 'AAE=' });
  expect(await read('workspace:///big')).toMatchObject({
    text: `${'x'.repeat(100_000)}\n... (50000 bytes left out; read_workspace_file with offset 100000 gives them)`,
  });
  await expect(read('workspace:///nope')).rejects.toMatchObject({ code: -32602 });
  await expect(read('workspace:///r%2F..%2F..%2Fx')).rejects.toThrow('path_denied');
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map((template) => template.uriTemplate)).toEqual(['workspace:///{+path}']);
});
