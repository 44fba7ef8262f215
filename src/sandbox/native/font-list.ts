import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Worker } from '../sandbox.js';
import { FONTS } from './runtime-copy.js';
import { runTrusted } from './trusted-run.js';

/** Fonts and matplotlib change rarely, and a list that is out of date costs a run what none costs. In milliseconds. */
const FRESH_MS = 24 * 3600 * 1000;
const NAME = /^fontlist-v\d+\.json$/;
/** A list without entries: there is no matplotlib. */
const NONE = '.none';
const CODE = `
try:
    from matplotlib import font_manager
except ImportError:
    found = []
else:
    font_manager.json_dump(font_manager.fontManager, "/tmp/fonts")
    found = [("fontlist-v%s.json" % font_manager.FontManager.__version__, open("/tmp/fonts").read())]
found`;

/** True if the runtime copy has matplotlib's list of fonts, made within a day. */
export function hasFontList(runtime: string, now = Date.now()): boolean {
  const folder = path.join(runtime, FONTS);
  return readdirSync(folder).some((name) => now - statSync(path.join(folder, name)).mtimeMs < FRESH_MS);
}

/**
 * Lets matplotlib list the fonts in a jail in which nothing of anybody has run, and keeps the list for all jails. It takes
 * matplotlib a second or two.
 * @throws Error when the code does not run or the folder cannot be written
 */
export async function learnFontList(worker: Worker, runtime: string, memoryMb: number): Promise<void> {
  const found = (await runTrusted(worker, CODE, { memoryMb })) as [name: string, text: string][];
  const folder = path.join(runtime, FONTS);
  for (const [name, text] of found.filter(([file]) => NAME.test(file))) put(folder, name, text);
  if (found.length === 0) put(folder, NONE, '');
}

function put(folder: string, name: string, text: string): void {
  const place = path.join(folder, name);
  const draft = path.join(folder, `.${process.pid}`);
  writeFileSync(draft, text, { mode: 0o444 });
  renameSync(draft, place);
}
