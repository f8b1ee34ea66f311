import { Counter, Histogram, type Registry } from 'prom-client';
import { DATABASE_STEPS, type OnStep } from '../../store/timed-dialect.ts';
import { PREFIX } from './prefix.ts';

/** How long the database takes. */
export type DatabaseMetrics = {
  databaseStep: OnStep;
};

/** From a read out of memory to the timeout of a statement on Postgres, in seconds. */
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

export function createDatabaseMetrics(registers: Registry[]): DatabaseMetrics {
  const durations = new Histogram({
    name: `${PREFIX}database_seconds`,
    help: 'Time that the database took, including waits for a lock or a connection, by step',
    labelNames: ['step'],
    buckets: STATEMENT_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: `${PREFIX}database_errors_total`,
    help: 'Steps that the database failed, by step',
    labelNames: ['step'],
    registers,
  });
  for (const step of DATABASE_STEPS) errors.inc({ step }, 0);
  return {
    databaseStep(step, seconds, error) {
      durations.observe({ step }, seconds);
      if (error !== undefined) errors.inc({ step });
    },
  };
}
