import { expect, test } from 'vitest';
import { verifies } from '../e2e/verifies.js';
import { type ContractHost, resultOf } from './contract-host.js';

/** What a run could leave behind in a process. */
const LEAVE_TRACES = `
import builtins, json, os, random, sys, types
json.dumps = lambda *a, **k: "forged"
builtins.len = lambda x: 7
builtins.mark = 1
os.environ["MARK"] = "1"
os.makedirs("/tmp/mark", exist_ok=True)
open("/tmp/mark/file", "w").write("mark")
sys.modules["mark_module"] = types.ModuleType("mark_module")
sys.path.insert(0, "/tmp/mark")
sys.setrecursionlimit(200)
sys.mark = 1
random.seed(1)
`;

const FIND_TRACES = `
import builtins, json, os, sys, tempfile
found = []
if json.dumps([1]) != "[1]": found.append("json.dumps")
if len("abc") != 3: found.append("len")
if hasattr(builtins, "mark"): found.append("builtins.mark")
if "MARK" in os.environ: found.append("environ")
if os.path.exists("/tmp/mark"): found.append("/tmp")
if "mark_module" in sys.modules: found.append("sys.modules")
if "/tmp/mark" in sys.path: found.append("sys.path")
if sys.getrecursionlimit() < 500: found.append("recursion limit")
if hasattr(sys, "mark"): found.append("sys.mark")
if os.listdir(tempfile.gettempdir()): found.append("temporary files")
found
`;

/** A fresh run meets no trace of an earlier one. */
export function stateContract(current: () => ContractHost): void {
  test(
    verifies('RUN-3', 'a fresh run meets no trace of the one before: modules, builtins, environ, files'),
    async () => {
      const host = current();
      const seen = await host.value(`${LEAVE_TRACES}\n${FIND_TRACES}`);
      expect(seen, 'the run itself sees what it did').toEqual(
        expect.arrayContaining(['builtins.mark', 'environ', '/tmp', 'sys.modules', 'sys.path', 'sys.mark']),
      );
      expect(await host.value(FIND_TRACES)).toEqual([]);
    },
  );

  test(
    verifies('RUN-9', 'random, uuid4, secrets and temporary names differ between two fresh runs'),
    async () => {
      const host = current();
      const code = `
import random, secrets, tempfile, uuid
[random.random(), random.Random().random(), str(uuid.uuid4()), secrets.token_hex(8), tempfile.mkdtemp()]`;
      const [first, second] = (await Promise.all([host.value(code), host.value(code)])) as string[][];
      expect(first).toHaveLength(5);
      expect(first?.filter((value, index) => value === second?.[index])).toEqual([]);
    },
  );

  test(verifies('RUN-4', 'names given with a run are bound, and gone in the next'), async () => {
    const host = current();
    expect(await host.value('[a, b["c"]]', { context: { a: 1, b: { c: [2] } } })).toEqual([1, [2]]);
    expect(await host.value('"a" in globals()')).toBe(false);
  });

  test('a session that tampers with its interpreter still gets answers from the host', async () => {
    const host = current();
    const session = 'tampering';
    const tampering = `
import builtins, json, sys, types
json.dumps = json.JSONEncoder.encode = lambda *a, **k: '"FORGED"'
fake = types.ModuleType("json")
fake.dumps = lambda *a, **k: '"FORGED"'
sys.modules["json"] = fake
class Mute:
    def write(self, text): return len(text)
    def flush(self): raise RuntimeError("FORGED")
sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Mute()
builtins.print = lambda *a, **k: None
builtins.compile = builtins.len = None
41 + 1`;
    expect(await host.value(tampering, { session })).toBe(42);
    const next = await host.run('print("heard")\n1 + 1', { session });
    expect(resultOf(next)).toBe(2);
    expect(next.output.head).toBe('heard\n');
  });
}
