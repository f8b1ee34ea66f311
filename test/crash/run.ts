import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chance } from '../faults/random.ts';
import { check, type Problem } from './check.ts';
import type { Outcome } from './outcomes.ts';
import { observeTraffic } from './process/traffic.ts';
import { installVirtualTime } from './process/virtual-time.ts';
import { request } from './scenarios/request.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { uninstall } from './scenarios/uninstall.ts';
import type { CrashDatabase } from './world/database.ts';
import { createPostgresDatabases, type PostgresDatabases } from './world/postgres-database.ts';
import type { Disturbance, Moment } from './world/processes.ts';
import { createTemplate, openSqliteFile } from './world/sqlite-file.ts';
import { type Played, playInWorld } from './world/world.ts';

/** What is played, and what happens to the processes meanwhile. */
export type Run = {
  scenario: Scenario;
  /** Of the `POST /card`. */
  outcome: Outcome;
  /** One on SQLite, or two at a time on Postgres. */
  processes: 1 | 2;
  /** In ascending order; may depend on the moments of the same run in which nothing happens to them. */
  disturbances: readonly Disturbance[] | ((calm: readonly Moment[]) => readonly Disturbance[]);
  /** Chooses what comes first; the order is always the same unless given. */
  chance?: Chance;
};

export type RunResult = Played & { problems: Problem[] };

export type Runner = { run(run: Run): Promise<RunResult>; close(): Promise<void> };

/** In memory where the system offers it: processes are killed here, no machine loses its power. */
const MEMORY = '/dev/shm';

/**
 * Readies this process for runs.
 *
 * @param options.postgres `postgres://…` without a database's name, for runs of two processes
 */
export async function openRunner(options: { postgres?: string } = {}): Promise<Runner> {
  installVirtualTime();
  observeTraffic();
  const parent = existsSync(MEMORY) ? MEMORY : tmpdir();
  const folder = await mkdtemp(join(parent, 'design-request-crash-'));
  const template = await createTemplate(folder);
  const calmRuns = new Map<string, readonly Moment[]>();
  let postgres: PostgresDatabases | undefined;
  let runs = 0;

  async function openDatabase(processes: Run['processes']): Promise<CrashDatabase> {
    runs += 1;
    if (processes === 1) return openSqliteFile(join(folder, `run-${runs}`), template);
    if (options.postgres === undefined) throw new Error('Two processes need a Postgres.');
    postgres ??= await createPostgresDatabases(options.postgres);
    return postgres.open();
  }

  async function play(run: Run, disturbances: readonly Disturbance[]): Promise<RunResult> {
    const database = await openDatabase(run.processes);
    let problems: Problem[] = [];
    try {
      const played = await playInWorld(
        { ...run, disturbances, database },
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
    const { moments } = await play({ scenario, outcome, processes, disturbances: [] }, []);
    calmRuns.set(name, moments);
    return moments;
  }

  const runner: Runner = {
    async run(run) {
      const { disturbances } = run;
      if (typeof disturbances !== 'function') return play(run, disturbances);
      return play(run, disturbances(await calmMomentsOf(run)));
    },
    async close() {
      await postgres?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  // The first run would differ from the others: modules such as the client of the service are loaded late.
  for (const scenario of [request, uninstall]) {
    const warmUp = { scenario, outcome: 'done', processes: 1, disturbances: [] } as const;
    // What fails here fails in the runs too.
    await runner.run(warmUp).catch(() => undefined);
  }
  return runner;
}
