// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Runs each JSON string it reads as a program and answers with the value of the last expression. */
const LOOP = `
import ast, json, sys
for line in sys.stdin:
    tree = ast.parse(json.loads(line))
    last = ast.Expression(tree.body.pop().value)
    names = {}
    exec(compile(tree, "bench", "exec"), names)
    print(json.dumps(eval(compile(last, "bench", "eval"), names)), flush=True)
`;

/** The Python that the native backend takes by default: its baseline has to be the same program. */
export const SYSTEM_PYTHON = '/usr/bin/python3';

/**
 * A Python as one process, or undefined where there is none.
 * @returns {{ version: string, run: (code: string) => Promise<unknown>, close: () => Promise<void> } | undefined}
 */
export function startCpython(program = 'python3') {
  const found = spawnSync(program, ['-c', 'import platform; print(platform.python_version())'], {
    encoding: 'utf8',
  });
  if (found.status !== 0) return undefined;
  const child = spawn(program, ['-c', LOOP], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    version: found.stdout.trim(),
    async run(code) {
      child.stdin.write(`${JSON.stringify(code)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('python3 ended in the middle of a program; its error is above');
      return JSON.parse(value);
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.stdin.end();
      }),
  };
}
