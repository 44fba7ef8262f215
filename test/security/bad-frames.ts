/** Python over a forger's `raw` and `frame`, by what it says: each breaks the protocol. */
const done = '"type": "done", "id": "x", "notes": [], "variables": [], "names": []';

export const BROKEN_FRAMES: [string, string][] = [
  ['bytes that are no frame', 'raw(b"garbage " * 100)'],
  ['a header of 4 GB', 'raw(b"\\xff" * 8)'],
  ['a payload of 4 GB', 'raw(b"\\x00\\x00\\x00\\x02\\xff\\xff\\xff\\xff{}")'],
  ['a header that is no JSON', 'frame(b"{nonsense")'],
  ['a header nested a million deep', 'frame(b"[" * 1_000_000)'],
  ['a message of the host', 'frame({"type": "reply", "id": 1, "ok": True})'],
  ['an unknown field', 'frame({"type": "folder", "path": "a", "principal": "root"})'],
  ['a field named __proto__', 'frame(b\'{"type": "folder", "path": "a", "__proto__": {"polluted": 1}}\')'],
  ['a number that is infinite', 'frame(b\'{"type": "progress", "done": 1e999}\')'],
  [
    'an error code of the host',
    `frame(b'{${done}, "error": {"code": "internal", "type": "x", "message": "x"}}')`,
  ],
];

/** Paths that no frame may name, as they stand in a Python string. */
export const BAD_PATHS = [
  '../out',
  '../../outside/x',
  '/etc/x',
  '/workspace/../../x',
  'a/../../x',
  '..',
  '.',
  'c:/x',
  'a\\\\b',
  'a\\0b',
  '.code-execution/x',
  '.CODE-EXECUTION/x',
];
