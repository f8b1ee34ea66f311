import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Separate from the other tests: these need Chromium, and start the app's bundle as a process.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/*.browser.ts'],
    globalSetup: ['test/fresh-bundle.ts'],
    pool: 'forks',
    // Starting Chromium and loading the modules for each file took a second each.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // For two cores; tests sometimes wait, but several at once would miss Slack's three seconds.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Waiting ends as soon as the awaited thing happens, so this only decides how long a failure takes.
    expect: { poll: { timeout: 30_000 } },
  },
});
