import { defineConfig } from 'vitest/config';

// Separate from the other tests: these need Chromium, and start the app as a process.
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/browser/*.browser.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
