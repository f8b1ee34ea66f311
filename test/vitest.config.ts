import { defineConfig } from 'vitest/config';

// Two cores: as many workers as cores; every test file brings up its own servers on free ports.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/repeatable-properties.ts'],
    pool: 'forks',
    // Rows of the fault table each bring up processes of their own.
    maxConcurrency: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Entry files that only start processes: they run for real, as child processes, in test/processes.
      exclude: [
        'src/main.ts',
        'src/migrate.ts',
        'src/backup.ts',
        'src/restore.ts',
        'src/sandbox/main.ts',
        'src/manifest/main.ts',
      ],
      reporter: ['text-summary', 'json-summary', 'html'],
      reportsDirectory: 'coverage',
    },
  },
});
