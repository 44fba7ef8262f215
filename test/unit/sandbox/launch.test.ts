import { describe, expect, test } from 'vitest';
import { guestCommand } from '../../../src/sandbox/wasm/launch.js';
import type { Tools } from '../../../src/sandbox/wasm/tools.js';

const places = { folder: '/cache/wasm-1', deno: '/cache/wasm-1/deno', denoDir: '/cache/wasm-1/deno-dir' };
const limits = { memoryMb: 100, workspaceMb: 20 };
const command = (tools: Tools, options = limits) => guestCommand(places, 'main.js', tools, options);

describe('the command of a guest', () => {
  test('gives Deno the runtime folder to read and nothing else', () => {
    const bare = command({ ownUid: false });
    expect(bare[0]).toBe('/cache/wasm-1/deno');
    expect(bare.filter((argument) => /^--(allow|deny|unstable)|^-A/.test(argument))).toEqual([
      '--allow-read=/cache/wasm-1',
    ]);
    expect(bare).toEqual(
      expect.arrayContaining(['--no-prompt', '--no-remote', '--no-npm', '--cached-only', '--no-config']),
    );
    expect(bare.at(-3)).toBe('/cache/wasm-1/main.js');
  });

  test('turns code from text off', () => {
    expect(command({ ownUid: false })).toContain('--v8-flags=--disallow-code-generation-from-strings');
  });

  test('shows no host path inside a jail, and binds nothing for writing', () => {
    const jailed = command({ ownUid: true, bubblewrap: '/usr/bin/bwrap' });
    const inner = jailed.slice(jailed.indexOf('--') + 1);
    expect(inner.join(' ')).not.toContain('/cache');
    expect(inner[0]).toBe('/app/deno');
    expect(jailed).toEqual(
      expect.arrayContaining(['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop']),
    );
    expect(
      jailed.filter((argument) => argument.startsWith('--bind') || argument.startsWith('--share')),
    ).toEqual([]);
  });

  test('lets Deno write its cache only while the runtime is prepared', () => {
    const tools: Tools = { ownUid: true, bubblewrap: '/usr/bin/bwrap' };
    const preparing = guestCommand(places, 'make-snapshot.js', tools, { ...limits, writableDenoDir: true });
    expect(preparing.filter((argument) => argument === '--bind')).toHaveLength(1);
  });

  test('sets limits by a shell that parses no argument', () => {
    const limited = command({ ownUid: false, shell: '/bin/sh' });
    expect(limited.slice(0, 4)).toEqual([
      '/bin/sh',
      '-c',
      `ulimit -c 0 && ulimit -n 256 && ulimit -d ${(100 + 20 + 1_000) * 1024} && exec "$@"`,
      'sh',
    ]);
  });

  test('takes setpriv where there is no bubblewrap', () => {
    const privileged = command({ ownUid: false, setpriv: '/usr/bin/setpriv' });
    expect(privileged.slice(0, 4)).toEqual(['/usr/bin/setpriv', '--no-new-privs', '--pdeathsig', 'KILL']);
    expect(
      command({ ownUid: false, setpriv: '/usr/bin/setpriv', bubblewrap: '/usr/bin/bwrap' }),
    ).not.toContain('/usr/bin/setpriv');
  });
});
