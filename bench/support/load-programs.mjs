// @ts-check
/**
 * What a benign session does: one call after the other, each with the answer that is right.
 * @typedef {{ code: string, result: unknown }} Step
 */

/**
 * Call `turn` (0, 1, ...) of benign session `lane`: arithmetic, JSON, a file, and state. Fresh interpreters keep no state.
 * @param {number} lane
 * @param {number} turn
 * @param {boolean} keepsState
 * @returns {Step}
 */
export function benignStep(lane, turn, keepsState) {
  const id = `${lane}:${turn}`;
  switch (turn % 4) {
    case 0:
      return {
        code: `print(sum(i*i for i in range(1000)))\nsum(i*i for i in range(1000))`,
        result: 332_833_500,
      };
    case 1:
      return { code: `import json\njson.loads(json.dumps({"id": "${id}"}))["id"]`, result: id };
    case 2:
      return {
        code: `with open("lane-${lane}.txt", "w") as f:\n    f.write("${id}")\nopen("lane-${lane}.txt").read()`,
        result: id,
      };
    default:
      return keepsState
        ? { code: 'count = globals().get("count", 0) + 1\ncount', result: Math.floor(turn / 4) + 1 }
        : { code: 'globals().get("count", 0)', result: 0 };
  }
}

/** Hostile programs by kind; every kind ends by a limit, by its own death, or by a refusal. */
const HOSTILE = {
  'cpu-time': [
    'while True:\n    pass',
    'sum(range(10 ** 13))',
    'while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        continue',
  ],
  memory: [
    'keep = []\nfor i in range(64):\n    keep.append(bytearray(b"z") * (64 << 20))',
    's = "ab"\nfor i in range(31):\n    s = s + s',
    'keep = {}\nfor i in range(60_000_000):\n    keep[i] = (i, str(i))',
  ],
  'output-flood': [
    'while True:\n    print("0123456789" * 20)',
    'import sys\nwhile True:\n    sys.stderr.write("e" * 65536)',
    'list(range(4_000_000))',
  ],
  'crash-recursion': [
    'def f(n):\n    return f(n + 1) + 1\nf(0)',
    'import faulthandler\nfaulthandler._sigsegv()',
    'import os\nos.kill(os.getpid(), 9)',
  ],
  'process-escape': [
    'import os, time\nfor i in range(200):\n    if os.fork() == 0:\n        time.sleep(60)\n        os._exit(0)',
    'import subprocess\nsubprocess.Popen(["sleep", "60"])',
    'import threading, time\nfor i in range(20):\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()',
  ],
};

export const HOSTILE_KINDS = Object.keys(HOSTILE);

/**
 * Call `turn` of hostile session `index`: the kinds in turn, each session beginning with another.
 * @param {readonly string[]} kinds
 * @param {number} index
 * @param {number} turn
 */
export function hostileCode(kinds, index, turn) {
  const kind = kinds[(index + turn) % kinds.length];
  const programs = Object.entries(HOSTILE).find(([name]) => name === kind)?.[1];
  if (!programs) throw new Error(`no hostile kind is named ${kind}; there are: ${HOSTILE_KINDS.join(', ')}`);
  return programs[Math.floor((index + turn) / kinds.length) % programs.length] ?? '';
}
