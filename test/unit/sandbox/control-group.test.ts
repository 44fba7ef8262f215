import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ControlGroups, findControlGroup } from '../../../src/sandbox/native/control-group.js';

const MOUNT = '30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n';
const V1_MOUNT = '31 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n';
const GIVEN = { 'cgroup.controllers': 'cpu memory pids\n', 'cgroup.procs': '', 'cgroup.subtree_control': '' };

describe('control groups', () => {
  let root = '';
  /** A file of the machine that is looked at, which is a folder. */
  const put = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  };
  const putGroup = (group: string, files: Readonly<Record<string, string>>): string => {
    for (const [name, content] of Object.entries(files)) put(`sys/fs/cgroup/${group}/${name}`, content);
    return path.join(root, 'sys/fs/cgroup', group);
  };
  const shown = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'control-group-'));
    put('proc/self/mountinfo', V1_MOUNT + MOUNT);
    put('proc/self/cgroup', '4:memory:/old\n0::/app.service/main\n');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test('are not found where version 2 is not mounted', () => {
    put('proc/self/mountinfo', V1_MOUNT);
    expect(findControlGroup(root)).toMatchObject({ problem: 'no control groups of version 2 are mounted' });
  });

  test.each(['4:memory:/old\n', '0::/../elsewhere\n'])('are not found for a server in %j', (own) => {
    put('proc/self/cgroup', own);
    expect(findControlGroup(root)).toMatchObject({
      problem: 'the server is in no control group of version 2',
    });
  });

  test('are not found without the controllers, which are named', () => {
    const folder = putGroup('app.service/main', { ...GIVEN, 'cgroup.controllers': 'cpu pids\n' });
    expect(findControlGroup(root)).toMatchObject({
      problem: `the controllers memory are not given to ${folder}`,
      next: expect.stringContaining('Delegate=yes'),
    });
  });

  test('are made beside the server where the group above is prepared for it', () => {
    putGroup('app.service/main', GIVEN);
    const above = putGroup('app.service', { ...GIVEN, 'cgroup.subtree_control': 'memory pids\n' });
    expect(findControlGroup(root)).toEqual({ folder: above, move: false });
  });

  test('are made in the group of the server where it alone is in it, which moves', () => {
    const child = 4_000_001;
    put(`proc/${child}/status`, `Name:\tsh\nPPid:\t${process.pid}\n`);
    const folder = putGroup('app.service/main', { ...GIVEN, 'cgroup.procs': `${process.pid}\n${child}\n` });
    const found = findControlGroup(root);
    expect(found).toEqual({ folder, move: true });
    if ('folder' in found) ControlGroups.open(found);
    expect(shown(folder, 'code-execution-server/cgroup.procs')).toBe(String(child));
    expect(shown(folder, 'cgroup.subtree_control')).toBe('+memory +pids');
  });

  test('are not made among processes of others', () => {
    put('proc/4000002/status', 'Name:\tsh\nPPid:\t1\n');
    const folder = putGroup('app.service/main', { ...GIVEN, 'cgroup.procs': `${process.pid}\n4000002\n` });
    expect(findControlGroup(root)).toMatchObject({
      problem: `${folder} holds 1 processes that are not the server's`,
    });
  });

  test('are found below the group that a container sees as its root', () => {
    put('proc/self/mountinfo', '30 24 0:26 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n');
    put('proc/self/cgroup', '0::/box/inner\n');
    const folder = putGroup('inner', { ...GIVEN, 'cgroup.subtree_control': 'memory pids' });
    expect(findControlGroup(root)).toEqual({ folder, move: false });
  });

  test('hold a jail to its memory without swap, and to its tasks; tell when the kernel has killed in it', () => {
    const folder = putGroup('app.service/main', { ...GIVEN, 'cgroup.subtree_control': 'memory pids' });
    const group = ControlGroups.open({ folder, move: false }).make({ memoryBytes: 1_000_000, tasks: 80 });
    const made = path.join(folder, `code-execution-${process.pid}-1`);
    expect(['memory.max', 'memory.swap.max', 'pids.max'].map((file) => shown(made, file))).toEqual([
      '1000000',
      '0',
      '80',
    ]);
    group.add(77);
    expect(shown(made, 'cgroup.procs')).toBe('77');
    expect(group.ranOut()).toBe(false);
    writeFileSync(path.join(made, 'memory.events'), 'low 0\noom 1\noom_kill 1\n');
    expect(group.ranOut()).toBe(true);
    expect(group.ranOut()).toBe(false);
  });
});
