import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { compileCacheEnv } from './compile-cache.ts';
import { temporaryRoot } from './memory-folder.ts';

/** Journeys that also run on Postgres; what differs there has its own tests in test/postgres. */
const ON_POSTGRES_TOO = [
  'main-job',
  'sending',
  'reconcile',
  'uninstall',
  'connect',
  'not-connected',
];

/** For two cores; tests mostly wait for sockets and the disk. Vitest would use one worker. */
const WORKERS = 5;

const LONGEST = /test\/(faults|replicas)\//;
/** These take longer than their sizes suggest. The journeys mostly wait, while the others keep the cores busy. */
const LONG = new RegExp(
  [
    'test/(crash|model|processes|sandbox)/',
    'postgres/(processes|query-plans)',
    'journeys/(access|confirmation-retries|erased|failed-start|links-failures)',
    'journeys/(moved-database|work-object-details|workflow-step)',
    '(files/file-routes|jobs/runner|store/sqlite-stores)',
  ].join('|'),
);

/**
 * Of two files that take long, or two others, the larger one runs first. By their durations, which Vitest remembers,
 * those that wait would run together, and the cores would have nothing to do.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a));
  }
}

const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size;

/** A worker runs files of one project only, so each project's files follow each other. */
function rank({ moduleId, project }: TestSpecification): number {
  if (LONGEST.test(moduleId)) return 0;
  return (project.name === 'sqlite' ? 3 : 1) + Number(!LONG.test(moduleId));
}

// Tests call only this machine.
delete process.env.NODE_USE_ENV_PROXY;
// Workers and Postgres inherit these. Some umasks don't let the owner write.
process.env.TMPDIR = temporaryRoot();
process.umask(0o022);
Object.assign(process.env, compileCacheEnv());

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    globalSetup: ['test/fresh-bundle.ts'],
    setupFiles: ['test/repeatable-properties.ts'],
    pool: 'forks',
    // Loading the app's modules again for each file took more time than most files' tests.
    isolate: false,
    // Node runs the sources as it does in development; transforming them took each project 3 s.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongFirst },
    maxWorkers: Math.max(WORKERS, availableParallelism()),
    // Each row of the fault table starts its own processes.
    maxConcurrency: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Waiting ends as soon as the awaited thing happens, so this only decides how long a failure takes.
    expect: { poll: { timeout: 30_000, interval: 10 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/postgres/**', 'test/crash/**', 'test/replicas/**'],
        },
      },
      {
        extends: true,
        // It replaces the timers of its process.
        test: { name: 'crash', include: ['test/crash/**/*.test.ts'], isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [
            'test/postgres/**/*.test.ts',
            'test/replicas/**/*.test.ts',
            ...ON_POSTGRES_TOO.map((journey) => `test/journeys/${journey}.test.ts`),
          ],
          globalSetup: ['test/postgres/global-setup.ts'],
          setupFiles: ['test/repeatable-properties.ts', 'test/postgres/needs-postgres.ts'],
        },
      },
    ],
  },
});
