import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    // Three at a time, on two cores: many wait for limits that are measured in seconds, but most start real servers and sandboxes.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default of one second is a race with the machine wherever processes are waited for.
    expect: { poll: { timeout: 20_000 } },
    // A skipped or flaky test is a finding; nothing is retried.
    retry: 0,
    allowOnly: false,
  },
});
