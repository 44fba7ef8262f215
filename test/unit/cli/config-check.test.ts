// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration references look like that
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.js';
import { fakeHost, PROJECT } from '../config/fake-host.js';
import { fakeContext } from './fake-context.js';

test('config check prints files, warnings and the masked configuration with places, and exits with 0', async () => {
  const host = fakeHost(
    { [PROJECT]: '{\n"dataDir": "d-${API_TOKEN}",\n"skills": {"drie": "x"}}' },
    { API_TOKEN: 'hunter22', CODE_EXECUTION_CACHE_DIR: '/cache' },
  );
  const context = fakeContext(host);
  expect(await runCommandLine(['config', 'check', '--log-level', 'warn'], context)).toBe(0);
  const file = join(host.root, PROJECT);
  expect(context.out()).toBe(
    [
      `file      ${file} (project)`,
      `warning   ${file}:3: unknown key "skills.drie"; ignored; did you mean "skills.dir"?`,
      '',
      'sandbox.backend               "auto"  (default)',
      'sandbox.python                none  (default)',
      'sandbox.preload               []  (default)',
      'sandbox.builtins              "restricted"  (default)',
      'sandbox.timeoutSeconds        30  (default)',
      'sandbox.maxTimeoutSeconds     600  (default)',
      'sandbox.memoryMb              512  (default)',
      'sandbox.workspaceMb           256  (default)',
      'sandbox.workspaceFiles        10000  (default)',
      'sandbox.pool                  2  (default)',
      'sandbox.sessionIdleSeconds    1800  (default)',
      'sandbox.maxSessions           8  (default)',
      'output.maxChars               8000  (default)',
      'privacy.mode                  "egress"  (default)',
      'privacy.detect                ["standard"]  (default)',
      'privacy.restore               "own"  (default)',
      'privacy.patterns              []  (default)',
      'privacy.allowValues           []  (default)',
      'privacy.allowDomains          []  (default)',
      'privacy.personModel           none  (default)',
      'privacy.keep                  true  (default)',
      'privacy.keepDays              7  (default)',
      'privacy.maxValues             200000  (default)',
      'skills.dir                    none  (default)',
      'skills.readOnlyDirs           []  (default)',
      'http.host                     "127.0.0.1"  (default)',
      'http.port                     8848  (default)',
      'http.tokens                   {}  (default)',
      'http.allowedHosts             []  (default)',
      'http.allowedOrigins           []  (default)',
      'http.sessionIdleSeconds       1800  (default)',
      'http.maxSessions              200  (default)',
      'http.maxSessionsPerPrincipal  50  (default)',
      'importConfigs                 []  (default)',
      'registry                      []  (default)',
      'trustedProjects               []  (default)',
      `dataDir                       ${JSON.stringify(join(host.cwd, 'd-***'))}  (${file}:2)`,
      'logLevel                      "warn"  (--log-level)',
      'cacheDir                      "/cache"  (CODE_EXECUTION_CACHE_DIR)',
      '',
      'ok',
      '',
    ].join('\n'),
  );
});

test('config check prints every problem with its place, and exits with 1', async () => {
  const host = fakeHost({ [PROJECT]: '{"sandbox": {"pool": -1}, "output": {"maxChars": "all"}}' });
  const context = fakeContext(host);
  expect(await runCommandLine(['config', 'check'], context)).toBe(1);
  const file = join(host.root, PROJECT);
  expect(context.out()).toBe(
    [
      `file      ${file} (project)`,
      `problem   ${file}:1: sandbox.pool: found -1, valid: a whole number from 0 to 16`,
      `problem   ${file}:1: output.maxChars: found "all", valid: a whole number from 400 to 100000`,
      '',
      '2 to correct',
      '',
    ].join('\n'),
  );
});
