import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Two at a time: most files start real servers and sandboxes, and limits are measured in seconds.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A skipped or flaky test is a finding; nothing is retried.
    retry: 0,
    allowOnly: false,
  },
});
