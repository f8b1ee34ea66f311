import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chance } from '../faults/random.ts';
import { temporaryRoot } from '../memory-folder.ts';
import { check, type Problem } from './check.ts';
import { observeOutsideWork, observeTraffic } from './process/simulated-process.ts';
import { installVirtualTime } from './process/virtual-time.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { request, uninstall } from './scenarios.ts';
import {
  type CrashDatabase,
  createPostgresDatabases,
  createTemplate,
  openSqliteFile,
} from './world/database.ts';
import type { Interruption, Moment } from './world/processes.ts';
import { type Played, playInWorld } from './world/world.ts';

export type Run = {
  scenario: Scenario;
  outcome: Outcome;
  /** One on SQLite, or two on Postgres. */
  processes: 1 | 2;
  /** In ascending order; may depend on the moments of the same run without interruptions. */
  interruptions: readonly Interruption[] | ((calm: readonly Moment[]) => readonly Interruption[]);
  /** Chooses the order of what happens at the same time; without it, the order is fixed. */
  chance?: Chance;
};

export type RunResult = Played & { problems: Problem[] };

export type Runner = Awaited<ReturnType<typeof openRunner>>;

/** A killed process's files stay open until its memory is collected, for which V8 sees no reason for thousands of runs. */
const RUNS_BETWEEN_COLLECTIONS = 50;

/** @param options.postgres `postgres://…` without a database's name, needed for runs with two processes */
export async function openRunner(options: { postgres?: string } = {}) {
  installVirtualTime();
  observeTraffic();
  observeOutsideWork();
  const folder = await mkdtemp(join(temporaryRoot(), 'design-request-crash-'));
  const template = await createTemplate(folder);
  const calmRuns = new Map<string, readonly Moment[]>();
  let postgres: Awaited<ReturnType<typeof createPostgresDatabases>> | undefined;
  let runs = 0;

  async function openDatabase(processes: Run['processes']): Promise<CrashDatabase> {
    runs += 1;
    if (runs % RUNS_BETWEEN_COLLECTIONS === 0) globalThis.gc?.();
    if (processes === 1) return openSqliteFile(join(folder, `run-${runs}`), template);
    if (options.postgres === undefined) throw new Error('Two processes need a Postgres.');
    postgres ??= await createPostgresDatabases(options.postgres);
    return postgres.open();
  }

  async function play(run: Run, interruptions: readonly Interruption[]): Promise<RunResult> {
    const database = await openDatabase(run.processes);
    let problems: Problem[] = [];
    try {
      const played = await playInWorld(
        { ...run, interruptions, database },
        async (world, history) => {
          problems = await check(world, history);
        },
      );
      return { ...played, problems };
    } finally {
      await database.close();
    }
  }

  async function calmMomentsOf({ scenario, outcome, processes }: Run): Promise<readonly Moment[]> {
    const name = `${scenario.name} ${outcome} ${processes}`;
    const known = calmRuns.get(name);
    if (known) return known;
    const { moments } = await play({ scenario, outcome, processes, interruptions: [] }, []);
    calmRuns.set(name, moments);
    return moments;
  }

  const runner = {
    async run(run: Run): Promise<RunResult> {
      const { interruptions } = run;
      if (typeof interruptions !== 'function') return play(run, interruptions);
      return play(run, interruptions(await calmMomentsOf(run)));
    },
    async close() {
      await postgres?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  // Some modules are loaded on first use, so the first run would differ from the others.
  for (const scenario of [request, uninstall]) {
    const warmUp = { scenario, outcome: 'done', processes: 1, interruptions: [] } as const;
    // A failure here shows in the other runs too.
    await runner.run(warmUp).catch(() => undefined);
  }
  return runner;
}
