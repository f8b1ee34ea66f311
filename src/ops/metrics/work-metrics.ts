import { Counter, Gauge, type Registry } from 'prom-client';
import { ATTEMPT_ENDS, type AttemptEnd } from '../../jobs/job-attempts.ts';
import type { Backlog, Waiting } from '../../store/backlog.ts';

/** Requests and jobs that wait. */
export function createWorkMetrics(registers: Registry[]) {
  let source: Backlog | undefined;
  let now = () => new Date();

  waitingGauges(registers, {
    label: 'state',
    count: 'design_request_requests',
    oldest: 'design_request_requests_oldest_seconds',
    of: 'Requests that have not ended, by state',
    read: async () => source?.openRequests(),
    now: () => now(),
  });
  waitingGauges(registers, {
    label: 'kind',
    count: 'design_request_jobs_due',
    oldest: 'design_request_jobs_oldest_due_seconds',
    of: 'Jobs that should have started, by kind',
    read: async () => source?.dueJobs(now()),
    now: () => now(),
  });
  const attempts = new Counter({
    name: 'design_request_job_attempts_total',
    help: 'Attempts at jobs, by kind and how they ended',
    labelNames: ['kind', 'outcome'],
    registers,
  });

  return {
    /** @param kinds of the jobs that this process runs */
    jobKinds(kinds: readonly string[]) {
      // Prometheus doesn't notice the first increase of a series that appears with it.
      for (const kind of kinds)
        for (const outcome of ATTEMPT_ENDS) attempts.inc({ kind, outcome }, 0);
    },
    attempted: (kind: string, outcome: AttemptEnd) => attempts.inc({ kind, outcome }),
    /** @param read at each scrape; while it fails, these metrics are absent */
    backlog(read: Backlog, clock: () => Date) {
      source = read;
      now = clock;
    },
  };
}

/** Two gauges from one read: how many wait, and for how long the oldest has. */
function waitingGauges(
  registers: Registry[],
  what: {
    label: string;
    count: string;
    oldest: string;
    of: string;
    read: () => Promise<readonly Waiting[] | undefined>;
    now: () => Date;
  },
): void {
  const { label, of } = what;
  let reading: Promise<readonly Waiting[]> | undefined;
  /** One read for both gauges, which are collected at the same time. */
  const read = () => {
    reading ??= what
      .read()
      // The failure is counted with the statements of the database, and the other metrics matter all the more.
      .catch(() => undefined)
      .then((waiting = []) => waiting)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  new Gauge({
    name: what.count,
    help: of,
    labelNames: [label],
    registers,
    async collect() {
      const waiting = await read();
      this.reset();
      for (const { name, count } of waiting) this.set({ [label]: name }, count);
    },
  });
  new Gauge({
    name: what.oldest,
    help: `${of}: the age of the oldest`,
    labelNames: [label],
    registers,
    async collect() {
      const waiting = await read();
      this.reset();
      for (const { name, oldestAt } of waiting) {
        const ms = oldestAt ? what.now().getTime() - oldestAt.getTime() : 0;
        this.set({ [label]: name }, Math.max(0, ms) / 1_000);
      }
    },
  });
}
