import type { StatementMoment } from '../process/gated-dialect.ts';
import { never, type SimulatedProcess } from '../process/simulated-process.ts';
import type { VirtualTime } from '../process/virtual-time.ts';
import { type AppInstance, startInstance } from './app-instance.ts';
import type { CrashDatabase } from './database.ts';
import type { Schedule } from './schedule.ts';

/**
 * A moment at which a process could end: before or after a statement or a call. Those of one epoch find
 * the same in the database, at the service and in Slack.
 */
export type Moment = { process: string; label: string; epoch: number };

/** What happens to whichever process reaches the moment of that number, from 1. */
export type Disturbance =
  | { kind: 'crash'; at: number }
  /** It stands still, as by SIGSTOP, for so many ms. */
  | { kind: 'freeze'; at: number; forMs: number };

const MOVES_REQUEST = 'update "requests" set "state"';

/** A statement or a call that a process is about to make, or has made. */
type Step = { when: 'before' | 'after'; label: string };

/** The processes of the app: started, ended and frozen as the run wants it. */
export type Processes = {
  moments: Moment[];
  /** Those that live, frozen ones too. */
  living(): AppInstance[];
  /** Those that take what Slack sends. */
  up(): AppInstance[];
  /** Starts one where one is missing. @returns false where none is */
  startMissing(): boolean;
  /** Wakes those whose time has come. */
  thaw(): void;
  /** When the next frozen one wakes, in ms; undefined where none is frozen. */
  nextThaw(): number | undefined;
  /**
   * Passed by a call of that process when it arrives, and by its answer. What a frozen process has sent
   * arrives all the same; it reads the answer when it wakes.
   *
   * @returns false where the process has ended
   */
  pass(name: string, step: Step): Promise<boolean>;
  /** Statements that run at this moment. */
  executing(): number;
  /** Something is found to be different from now on. */
  beginEpoch(): void;
  /** Nothing happens to processes any more. */
  leaveAlone(): void;
  killAll(): void;
};

export function createProcesses(deps: {
  count: number;
  time: VirtualTime;
  schedule: Schedule;
  database: CrashDatabase;
  disturbances: readonly Disturbance[];
  settingsFor: (name: string) => Record<string, string>;
  /** Told when a request is about to be marked as being sent: its `POST /card` comes next. */
  onSending: () => void;
  onActivity: () => void;
  writeLog: (line: string) => void;
}): Processes {
  const { count, time, schedule, database, settingsFor, onSending, onActivity, writeLog } = deps;
  const disturbances = [...deps.disturbances];
  const moments: Moment[] = [];
  const thawsAt = new Map<SimulatedProcess, number>();
  let instances: AppInstance[] = [];
  let starts = 0;
  let executing = 0;
  let epoch = 0;
  let isWatched = true;

  function kill(process: SimulatedProcess): void {
    database.afterKill();
    for (const instance of instances) if (instance.process === process) instance.kill();
    instances = instances.filter((instance) => instance.process !== process);
  }

  function disturb(process: SimulatedProcess, disturbance: Disturbance): void {
    if (disturbance.kind === 'crash') {
      kill(process);
    } else {
      process.state = 'frozen';
      thawsAt.set(process, time.now() + disturbance.forMs);
    }
  }

  /** @returns whether the process goes on */
  function reach(process: SimulatedProcess, { when, label }: Step): boolean {
    onActivity();
    if (process.state === 'dead') return false;
    if (isWatched) {
      moments.push({ process: process.name, label: `${when} ${label}`, epoch });
      const [next] = disturbances;
      if (next && moments.length >= next.at) {
        disturbances.shift();
        disturb(process, next);
      }
    }
    return !isIn(process, 'dead');
  }

  /** @returns whether the process goes on */
  async function untilThawed(process: SimulatedProcess, label: string): Promise<boolean> {
    while (isIn(process, 'frozen')) await schedule.hold(process.name, label);
    return !isIn(process, 'dead');
  }

  async function statementGate(
    process: SimulatedProcess,
    { when, sql, parameters, hasChanged }: StatementMoment,
  ): Promise<void> {
    const label = labelOf(sql, parameters);
    if (when === 'before') await beforeStatement(process, label);
    else executing -= 1;
    if (hasChanged) epoch += 1;
    const goesOn = reach(process, { when, label }) && (await untilThawed(process, label));
    if (!goesOn) return never();
    if (when === 'before') executing += 1;
  }

  async function beforeStatement(process: SimulatedProcess, label: string): Promise<void> {
    // Whose statement comes first is chosen where several processes run.
    if (count > 1) await schedule.hold(process.name, label);
    if (label.endsWith(' = sending')) onSending();
  }

  return {
    moments,
    living: () => instances,
    up: () =>
      instances.filter(({ process, url }) => process.state === 'running' && url() !== undefined),
    startMissing() {
      if (instances.length >= count) return false;
      starts += 1;
      const name = `process-${starts}`;
      const instance = startInstance({
        ...{ name, time, settings: settingsFor(name), onStarted: onActivity },
        statementGate: (process) => (moment) => statementGate(process, moment),
        writeLog: (line) => writeLog(`${name} ${line.trimEnd()}`),
      });
      instances.push(instance);
      return true;
    },
    thaw() {
      for (const [process, at] of thawsAt) {
        if (time.now() < at) continue;
        thawsAt.delete(process);
        if (process.state === 'frozen') process.state = 'running';
      }
    },
    nextThaw: () => (thawsAt.size === 0 ? undefined : Math.min(...thawsAt.values())),
    async pass(name, step) {
      const instance = instances.find(({ process }) => process.name === name);
      if (!instance || !reach(instance.process, step)) return false;
      return step.when === 'before' || untilThawed(instance.process, step.label);
    },
    executing: () => executing,
    beginEpoch() {
      epoch += 1;
    },
    leaveAlone() {
      isWatched = false;
    },
    killAll() {
      for (const instance of instances) instance.kill();
    },
  };
}

/** A statement that moves a request is told from the others of its kind by where it moves it. */
const labelOf = (sql: string, parameters: readonly unknown[]): string =>
  sql.startsWith(MOVES_REQUEST) ? `${MOVES_REQUEST} = ${parameters[0]}` : sql;

/** Another process may have changed it meanwhile. */
const isIn = (process: SimulatedProcess, state: SimulatedProcess['state']): boolean =>
  process.state === state;
