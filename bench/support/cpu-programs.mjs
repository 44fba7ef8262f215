// @ts-check
/**
 * Programs that use the processor and nothing else. Each defines `work()`, which returns a value that must be the same on
 * every engine. The names are those of the tables in the documentation.
 * @type {Record<string, string>}
 */
export const CPU_PROGRAMS = {
  'fib(27)': `
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def work():
    return fib(27)
`,
  'int loop 3M': `
def work():
    total = 0
    for i in range(3_000_000):
        total += i & 7
    return total
`,
  'n-body 20k': `
def work():
    bodies = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47841760435743],
        [4.84143144, -1.16032004, -0.10362204, 0.60632639, 2.81198684, -0.02521836, 0.03769367],
        [8.34336671, 4.12479856, -0.40352341, -1.01077434, 1.82566237, 0.00841576, 0.01128632],
        [12.8943695, -15.1111514, -0.22330757, 1.08279100, 0.86871301, -0.01083263, 0.00172372],
        [15.3796971, -25.9193146, 0.17925877, 0.97909073, 0.59469899, -0.03475595, 0.00203368],
    ]
    pairs = [(a, b) for i, a in enumerate(bodies) for b in bodies[i + 1:]]
    dt = 0.01
    for _ in range(20_000):
        for a, b in pairs:
            dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
            mag = dt / ((dx * dx + dy * dy + dz * dz) ** 1.5)
            ma, mb = a[6] * mag, b[6] * mag
            a[3] -= dx * mb; a[4] -= dy * mb; a[5] -= dz * mb
            b[3] += dx * ma; b[4] += dy * ma; b[5] += dz * ma
        for body in bodies:
            body[0] += dt * body[3]; body[1] += dt * body[4]; body[2] += dt * body[5]
    return round(bodies[0][0], 6)
`,
  'json 20k objects': `
import json

def work():
    rows = [{"id": i, "name": f"user {i}", "tags": ["a", "b", str(i % 7)], "score": i / 3} for i in range(20_000)]
    return len(json.dumps(json.loads(json.dumps(rows))))
`,
  regex: `
import re
TEXT = "Contact: ada@example.com, call +44 20 7946 0958 on 2025-01-02; order #12345 costs 1,234.50 EUR. " * 400

def work():
    n = 0
    for pattern in (r"[\\w.]+@[\\w.]+\\.\\w+", r"\\+\\d{2}(?: \\d+)+", r"(\\d{4})-(\\d{2})-(\\d{2})", r"#(\\d+)", r"\\b\\d{1,3}(?:,\\d{3})*\\.\\d{2}\\b"):
        n += len(re.findall(pattern, TEXT))
    return n
`,
  'sort 200k': `
def work():
    x, values = 42, []
    for _ in range(200_000):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        values.append(x)
    values.sort(key=lambda v: v % 100_003)
    return values[1000]
`,
  'strings and dicts': `
def work():
    counts = {}
    for i in range(60_000):
        word = "w" + str(i * 7919 % 5_003)
        counts[word] = counts.get(word, 0) + 1
    text = ",".join(f"{k}={v}" for k, v in sorted(counts.items()))
    return len(text.upper().replace("W", "").split(","))
`,
  'sha256 20 MB': `
import hashlib
BLOCK = bytes(range(256)) * 4096

def work():
    h = hashlib.sha256()
    for _ in range(20):
        h.update(BLOCK)
    return h.hexdigest()
`,
  'classes 300k': `
class Point:
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
    def plus(self, other):
        return Point(self.x + other.x, self.y + other.y)

def work():
    p, step = Point(0, 0), Point(1, 2)
    for _ in range(300_000):
        p = p.plus(step)
    return [p.x, p.y]
`,
};

/**
 * The program, run once, as a JSON text of its milliseconds and its value.
 * @param {string} program
 * @returns {string}
 */
export function timedProgram(program) {
  return `${program}
import time as _time, json as _json
_started = _time.perf_counter()
_value = work()
_json.dumps({"ms": (_time.perf_counter() - _started) * 1000, "value": _value})
`;
}
