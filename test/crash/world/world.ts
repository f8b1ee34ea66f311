import { WATCH_JOBS } from '../../../src/watching/begin-watching.ts';
import { type Chance, chanceOf } from '../../faults/random.ts';
import {
  openDeliveries,
  outsideEventsSoFar,
  type SimulatedProcess,
} from '../process/simulated-process.ts';
import { createVirtualTime, STARTS_AT } from '../process/virtual-time.ts';
import { FAULTS, type History, type Outcome, type Scenario } from '../scenario.ts';
import type { CrashDatabase } from './database.ts';
import { type CallGate, openFront } from './front.ts';
import { createRecorder, type Happened } from './happened.ts';
import { createProcesses, type Interruption, type Moment } from './processes.ts';
import { type Condition, createSchedule, createWaiters, pause, quiet } from './schedule.ts';
import { prepare, type StandIns, settingsFor, startStandIns } from './stand-ins.ts';
import { createStoredRequests } from './stored-requests.ts';

/** The app between its stand-ins, as a scenario uses it. */
export type World = StandIns & {
  database: CrashDatabase;
  /** For random choices; undefined in runs without any. */
  chance: Chance | undefined;
  /** Resolves with whether the condition became true within a minute. */
  soon(isSo: Condition): Promise<boolean>;
  /** Waits until the app is up, then does something in Slack. */
  act<Result>(work: () => Promise<Result>): Promise<Result>;
  idle(): Promise<void>;
  /** The next `POST /card` has the outcome of the run. */
  meetOutcome(): void;
  /**
   * With several processes, the next statement that begins so is late: it waits until the condition is true, or
   * for a minute. One process would wait for its own connection.
   */
  delayStatement(beginning: string, isSo: Condition): void;
  happened: readonly Happened[];
  /** What commits did to requests that no step of the model does. */
  outsideOfModel: readonly string[];
};

export type PlayOptions = {
  scenario: Scenario;
  /** Outcome of the `POST /card` after `meetOutcome`. */
  outcome: Outcome;
  /** In ascending order of their moments. */
  interruptions: readonly Interruption[];
  database: CrashDatabase;
  processes: number;
  /** Chooses what comes first; the order is always the same unless given. */
  chance?: Chance | undefined;
};

export type Played = { moments: readonly Moment[]; log: readonly string[] };

const LARGEST_SEED = 1_000_000_000;
const MINUTE_MS = 60_000;
/** Views are redrawn within this time; after an uninstall, leftover rows are deleted within a minute. */
const REDRAWN_WITHIN_MS = 10_000;
/** Longer than any wait in the app. */
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS;
/** Used instead of a process's name for what depends on no process. */
const ON_THE_WAY = '';
const MOST_STEPS = 10_000;
/** How many pauses of 1 ms a start, or anything else that waits for no timer, may take. */
const MOST_PAUSES = 1_000;

/** When a process ends, another one starts on its data. @param check called when nothing is left to do */
export async function playInWorld(
  { scenario, outcome, interruptions, database, processes: count, chance }: PlayOptions,
  check: (world: World, history: History) => Promise<void>,
): Promise<Played> {
  const time = createVirtualTime(STARTS_AT);
  const standIns = await startStandIns(() => new Date(time.now()));
  const { slack, service } = standIns;
  const log: string[] = [];
  const schedule = createSchedule(chance?.below);
  const seed = chance?.below(LARGEST_SEED) ?? 0;
  const randomOf = (start: number) => chanceOf(seed + start).next;
  const waiters = createWaiters(time.now);
  const recorder = createRecorder(time.now);
  const stored = createStoredRequests({ query });
  let delayed: { beginning: string; isSo: Condition } | undefined;
  const retrying = new Set<string>();
  let isRefusedNext = false;
  let pauses = 0;
  let reading = 0;
  let activity = 0;
  const onActivity = () => {
    activity += 1;
    pauses = 0;
  };

  const callGate =
    (standIn: string): CallGate =>
    async ({ process: name, when, label }) => {
      onActivity();
      // A call that was sent arrives even if its process ends.
      await schedule.hold(when === 'before' ? ON_THE_WAY : name, `${label} ${name}`);
      const goesOn = await processes.pass(name, { when, label: `${standIn} ${label}` });
      if (when === 'before' && goesOn) recorder.call(name, label);
      if (when === 'before' && !label.startsWith('GET ')) processes.beginEpoch();
      return goesOn;
    };
  const slackFront = await openFront(slack.handle, callGate('slack'));
  const serviceFront = await openFront(service.handle, callGate('service'));
  const fronts = [slackFront, serviceFront];
  const settings = (name: string) =>
    settingsFor(
      standIns,
      {
        slack: slackFront.addressFor(name),
        service: serviceFront.addressFor(name),
        databaseUrl: database.url(),
      },
      scenario,
    );
  const processes = createProcesses({
    count,
    time,
    randomOf,
    schedule,
    database,
    interruptions,
    recorder,
    onActivity,
    settingsFor: settings,
    async delay(label) {
      if (!delayed || !label.startsWith(delayed.beginning)) return;
      const { isSo } = delayed;
      delayed = undefined;
      await until(isSo, MINUTE_MS);
    },
    onSending() {
      if (!isRefusedNext) return;
      isRefusedNext = false;
      serviceFront.goDown();
    },
    onCommitted: stored.compare,
    writeLog: (line) => log.push(line),
  });

  /** Connects Slack to one of the processes that are up. @returns false if there is none */
  function connect(): boolean {
    const up = processes.up();
    // How often nobody is up depends on real time, so nothing is drawn then.
    const chosen = up.length > 1 ? up[chance?.below(up.length) ?? 0] : up[0];
    const url = chosen?.url();
    if (!chosen || url === undefined) return false;
    slack.connect(`${url}/slack/events`);
    // The response_urls from Slack go through the same front.
    slack.state.origin = slackFront.addressFor(chosen.process.name);
    return true;
  }

  /** Retries a missed event after the attempt before has ended, as Slack does. @returns false if there is none */
  function redeliver(): boolean {
    const missed = slack.deliveries.find(
      ({ kind, settled, acknowledged, id }) =>
        kind === 'event' && settled && !acknowledged && !retrying.has(id),
    );
    if (!missed || !connect()) return false;
    retrying.add(missed.id);
    void slack.redeliver(missed).finally(() => {
      retrying.delete(missed.id);
      onActivity();
    });
    return true;
  }

  const sumOf = (count: (process: SimulatedProcess) => number): number =>
    processes.living().reduce((sum, { process }) => sum + count(process), 0);

  const isOnItsWay = () =>
    reading > 0 ||
    openDeliveries() !== sumOf(({ arrived }) => arrived.size) ||
    processes.living().some(({ process: { name, openCalls } }) => {
      const arrived = fronts.reduce((sum, front) => sum + front.underWay(name), 0);
      return openCalls.size !== arrived;
    });

  const workingOutside = () => sumOf(({ outsideWork }) => outsideWork.size);

  /** Moves the clock to the next timer. @returns false if there is none */
  async function passTime(): Promise<boolean> {
    const before = time.now();
    const hasRun = time.runNext(processes.nextThaw());
    await database.passTime(time.now() - before);
    processes.thaw();
    return hasRun;
  }

  async function step(): Promise<void> {
    for (const instance of processes.living()) instance.throwIfFailed();
    if (await goOn()) return onActivity();
    // A start reads files and connects to Postgres, in real time.
    const isStarting = processes
      .living()
      .some(({ process, url }) => process.state === 'running' && url() === undefined);
    if (isStarting && pauses < MOST_PAUSES) return waitForReal();
    if (await passTime()) return onActivity();
    if (pauses >= MOST_PAUSES) throw new Error('The run is stuck: everything waits.');
    return waitForReal();
  }

  /** @returns false if everything waits for time to pass */
  async function goOn(): Promise<boolean> {
    if (processes.startMissing() || (await waiters.wakeOne())) return true;
    if (redeliver() || schedule.releaseOne(mayGoOn)) return true;
    if (!serviceFront.isDown()) return false;
    await serviceFront.comeUp();
    return true;
  }

  const mayGoOn = (name: string) =>
    processes.living().every(({ process }) => process.name !== name || process.state === 'running');

  async function waitForReal(): Promise<void> {
    pauses += 1;
    await pause();
  }

  function until(isSo: Condition, patienceMs: number): Promise<boolean> {
    onActivity();
    return waiters.until(isSo, patienceMs);
  }

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    reading += 1;
    return database.query(sql).finally(() => {
      reading -= 1;
      onActivity();
    });
  }

  const world: World = {
    ...standIns,
    database: { ...database, query },
    chance,
    soon: (isSo) => until(isSo, MINUTE_MS),
    async act(work) {
      await until(connect, LONGEST_WAIT_MS);
      return work();
    },
    async idle() {
      const isIdle = async () =>
        processes.up().length === count && schedule.isEmpty() && !(await hasWork(database));
      await until(isIdle, LONGEST_WAIT_MS);
    },
    meetOutcome() {
      isRefusedNext = outcome === 'not sent';
      const fault = FAULTS[outcome];
      if (fault) service.faults.add(fault);
    },
    delayStatement(beginning, isSo) {
      if (count > 1) delayed = { beginning, isSo };
    },
    happened: recorder.happened,
    outsideOfModel: stored.unknown,
  };

  async function play(): Promise<void> {
    const history = await scenario.play(world);
    await world.idle();
    // Later redraws and sweeps are not interrupted, but count for the result.
    processes.leaveAlone();
    const end = time.now() + (history.isUninstalled ? MINUTE_MS : REDRAWN_WITHIN_MS);
    await until(() => time.now() >= end, LONGEST_WAIT_MS);
    await world.idle();
    await check(world, history);
  }

  try {
    await prepare(scenario, standIns, settings('none'));
    const played = { isOver: false };
    const playing = play().finally(() => {
      played.isOver = true;
      onActivity();
    });
    // It is awaited below.
    playing.catch(() => undefined);
    const watched = {
      activity: () => activity + outsideEventsSoFar(),
      isOnItsWay,
      workingOutside,
      database,
    };
    for (let steps = 0; !played.isOver; steps += 1) {
      if (steps > MOST_STEPS) throw new Error('The run goes on forever.');
      await quiet(watched);
      if (!played.isOver) await step();
    }
    await playing;
    return { moments: processes.moments, log };
  } finally {
    processes.killAll();
    for (const front of fronts) await front.close();
    await slack.close();
    await service.close();
  }
}

async function hasWork(database: CrashDatabase): Promise<boolean> {
  const rows = await database.query(
    // A watched card is read again and again.
    `select id from jobs where state in ('ready', 'running') and kind <> '${WATCH_JOBS.read}' limit 1`,
  );
  return rows.length > 0;
}
