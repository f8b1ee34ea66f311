import { defineConfig } from 'vitest/config';

// Separate from the other tests: these need Chromium, and start the app's bundle as a process.
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/browser/*.browser.ts'],
    globalSetup: ['test/fresh-bundle.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
