import { type App, startApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { withFewConnections } from '../../postgres/few-connections.ts';
import { gatedDialect, type StatementGate } from '../process/gated-dialect.ts';
import {
  createProcess,
  endProcess,
  runAs,
  type SimulatedProcess,
} from '../process/simulated-process.ts';
import type { VirtualTime } from '../process/virtual-time.ts';

export type AppInstance = ReturnType<typeof startInstance>;

/** Starts the real composition root with a virtual clock, the stand-ins' addresses, and a gated database. */
export function startInstance(options: {
  name: string;
  time: VirtualTime;
  random: () => number;
  settings: Record<string, string>;
  statementGate: (process: SimulatedProcess) => StatementGate;
  writeLog: (line: string) => void;
  onStarted: () => void;
}) {
  const { name, time, random, settings, statementGate, writeLog, onStarted } = options;
  const process = createProcess({ name, time, random });
  let app: App | undefined;
  let failure: unknown;

  const starting = runAs(process, () =>
    startApp(parseConfig(settings), {
      log: createLog({ level: 'debug', destination: { write: writeLog } }),
      now: () => new Date(time.now()),
      wrapDialect: (dialect) => gatedDialect(withFewConnections(dialect), statementGate(process)),
    }),
  );
  const ended = starting.then(
    (started) => {
      app = started;
    },
    (error: unknown) => {
      failure = error;
    },
  );
  void ended.then(onStarted);

  return {
    process,
    url: () => app?.url,
    kill: () => endProcess(process),
    throwIfFailed() {
      if (failure) throw failure;
    },
  };
}
