import { expect, test } from 'vitest';
import { batchCommand } from '../../../src/downstream/windows-command.js';

// The expected lines are what cross-spawn 7 makes of the same arguments.
test('arguments reach a batch file as they are', () => {
  const args = ['-y', 'pkg', 'a b', '%PATH%', 'x"y', 'back\\', 'c\\"d', '&calc', '^'];
  expect(batchCommand('npx', args, 'C:\\cmd.exe')).toEqual({
    file: 'C:\\cmd.exe',
    args: [
      '/d',
      '/s',
      '/c',
      '"npx ^"-y^" ^"pkg^" ^"a^ b^" ^"^%PATH^%^" ^"x\\^"y^" ^"back\\\\^" ^"c\\\\\\^"d^" ^"^&calc^" ^"^^^""',
    ],
  });
});

test('a batch file that npm made is quoted for twice', () => {
  const command = 'C:\\p q\\node_modules\\.bin\\tool.cmd';
  expect(batchCommand(command, ['a&b', '"q"']).args[3]).toBe(
    '"C:\\p^ q\\node_modules\\.bin\\tool.cmd ^^^"a^^^&b^^^" ^^^"\\^^^"q\\^^^"^^^""',
  );
});
