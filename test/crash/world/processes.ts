import type { StatementMoment } from '../process/gated-dialect.ts';
import { never, type SimulatedProcess } from '../process/simulated-process.ts';
import type { VirtualTime } from '../process/virtual-time.ts';
import { type AppInstance, startInstance } from './app-instance.ts';
import type { CrashDatabase } from './database.ts';
import type { Recorder } from './happened.ts';
import type { Schedule } from './schedule.ts';

/** Before or after a statement or a call. In one epoch, the data in the database, the service and Slack is the same. */
export type Moment = { process: string; label: string; epoch: number };

/** What happens to the process that reaches the moment of that number, from 1. */
export type Interruption =
  | { kind: 'crash'; at: number }
  /** It is stopped, as by SIGSTOP, for so many ms. */
  | { kind: 'freeze'; at: number; forMs: number };

const MOVES_REQUEST = 'update "requests" set "state"';

type Executing = {
  process: SimulatedProcess;
  /** Whether another one was executed at the same time, which takes two processes. */
  hadCompany: boolean;
};

type Step = { when: 'before' | 'after'; label: string };

export function createProcesses(deps: {
  count: number;
  time: VirtualTime;
  /** `Math.random` of the process that is started as that one, from 1. */
  randomOf: (start: number) => () => number;
  schedule: Schedule;
  database: CrashDatabase;
  interruptions: readonly Interruption[];
  recorder: Recorder;
  settingsFor: (name: string) => Record<string, string>;
  /** Called before each statement, which waits for it. */
  delay: (label: string) => Promise<void>;
  /** Called before a request is marked as “sending”: its `POST /card` comes next. */
  onSending: () => void;
  /** Called after each statement that has changed what is on disk, which waits for it. */
  onCommitted: () => Promise<void>;
  onActivity: () => void;
  writeLog: (line: string) => void;
}) {
  const { count, time, randomOf, schedule, database, recorder, settingsFor } = deps;
  const { delay, onSending, onCommitted, onActivity, writeLog } = deps;
  const interruptions = [...deps.interruptions];
  const moments: Moment[] = [];
  const thawsAt = new Map<SimulatedProcess, number>();
  let instances: AppInstance[] = [];
  let starts = 0;
  let epoch = 0;
  const executing = new Map<object, Executing>();
  let isWatched = true;

  function kill(process: SimulatedProcess): void {
    database.afterKill();
    for (const instance of instances) if (instance.process === process) instance.kill();
    instances = instances.filter((instance) => instance.process !== process);
  }

  function interrupt(process: SimulatedProcess, interruption: Interruption): void {
    recorder.interruption(process.name, interruption.kind);
    if (interruption.kind === 'crash') {
      kill(process);
    } else {
      process.state = 'frozen';
      thawsAt.set(process, time.now() + interruption.forMs);
    }
  }

  /** @returns whether the process goes on */
  function reach(process: SimulatedProcess, { when, label }: Step): boolean {
    onActivity();
    if (process.state === 'dead') return false;
    if (isWatched) {
      moments.push({ process: process.name, label: `${when} ${label}`, epoch });
      const [next] = interruptions;
      if (next && moments.length >= next.at) {
        interruptions.shift();
        interrupt(process, next);
      }
    }
    return !isIn(process, 'dead');
  }

  /** @returns whether the process goes on */
  async function untilThawed(process: SimulatedProcess, label: string): Promise<boolean> {
    while (isIn(process, 'frozen')) await schedule.hold(process.name, label);
    return !isIn(process, 'dead');
  }

  async function statementGate(process: SimulatedProcess, moment: StatementMoment): Promise<void> {
    const { execution, when, sql, parameters, hasChanged } = moment;
    const label = labelOf(sql, parameters);
    recorder.statement(process.name, moment);
    if (when === 'before') await beforeStatement(process, label);
    else await afterStatement(process, label, execution);
    if (hasChanged) {
      epoch += 1;
      await onCommitted();
    }
    const goesOn = reach(process, { when, label }) && (await untilThawed(process, label));
    if (!goesOn) return never();
    if (when === 'before') noteExecuting(process, execution);
  }

  async function beforeStatement(process: SimulatedProcess, label: string): Promise<void> {
    await delay(label);
    // With several processes, the schedule chooses whose statement runs first.
    if (count > 1) await schedule.hold(process.name, label);
    if (label.endsWith(' = sending')) onSending();
  }

  function noteExecuting(process: SimulatedProcess, execution: object): void {
    const others = [...executing.values()].filter((other) => !isIn(other.process, 'dead'));
    for (const other of others) other.hadCompany = true;
    executing.set(execution, { process, hadCompany: others.length > 0 });
  }

  async function afterStatement(process: SimulatedProcess, label: string, execution: object) {
    const hadCompany = executing.get(execution)?.hadCompany;
    executing.delete(execution);
    // One waited for a lock that the other released, so both end at about the same time.
    if (hadCompany) await schedule.hold(process.name, label);
  }

  return {
    moments,
    /** All that have not ended, frozen ones too. */
    living: (): readonly AppInstance[] => instances,
    /** Those that accept deliveries from Slack. */
    up: () =>
      instances.filter(({ process, url }) => process.state === 'running' && url() !== undefined),
    /** Starts one if fewer run than should. @returns false if none is missing */
    startMissing(): boolean {
      if (instances.length >= count) return false;
      starts += 1;
      const name = `process-${starts}`;
      const instance = startInstance({
        name,
        time,
        random: randomOf(starts),
        onStarted: onActivity,
        settings: settingsFor(name),
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
    /** When the next frozen one wakes, in ms; undefined if none is frozen. */
    nextThaw: () => (thawsAt.size === 0 ? undefined : Math.min(...thawsAt.values())),
    /**
     * Called when a call of that process arrives, and for its answer. A call of a frozen process arrives all the
     * same; the process reads the answer when it wakes.
     *
     * @returns false if the process has ended
     */
    async pass(name: string, step: Step): Promise<boolean> {
      const instance = instances.find(({ process }) => process.name === name);
      if (!instance || !reach(instance.process, step)) return false;
      return step.when === 'before' || untilThawed(instance.process, step.label);
    },
    /** To be called when data outside of the database has changed. */
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

/** For a statement that changes a request's state, the label names the new state. */
const labelOf = (sql: string, parameters: readonly unknown[]): string =>
  sql.startsWith(MOVES_REQUEST) ? `${MOVES_REQUEST} = ${parameters[0]}` : sql;

/** A function, since TypeScript would assume that the state cannot have changed. */
const isIn = (process: SimulatedProcess, state: SimulatedProcess['state']): boolean =>
  process.state === state;
