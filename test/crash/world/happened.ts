import type { StatementMoment } from '../process/gated-dialect.ts';

/** What happened in a run, as far as the checks need to know the order. */
export type Happened =
  /** A process calls chat.postMessage; the calls are in the same order in Slack's ledger. */
  | { kind: 'posts'; process: string }
  /** That the author of a request was told is on disk; the request's ID is one of the parameters. */
  | { kind: 'stores that an author was told'; process: string; parameters: readonly unknown[] }
  | { kind: 'is interrupted'; process: string; by: 'crash' | 'freeze' }
  /** A process has claimed a job after its lease had run out, so others may have the same job. */
  | { kind: 'claims without a lease'; process: string };

export type Recorder = ReturnType<typeof createRecorder>;

const POST = 'POST /api/chat.postMessage';
const TOLD = 'update "requests" set "announced_revision"';
const CLAIM = /^\s*with ours as/;
/** With the length of the lease in ms. */
const RENEWAL = /^insert into "replicas" .* \+ (\d+)/;

/** @param now the virtual time in ms */
export function createRecorder(now: () => number) {
  const happened: Happened[] = [];
  /** Until when the lease lasts, by process. */
  const leases = new Map<string, number>();

  return {
    happened,
    call(process: string, label: string) {
      if (label.endsWith(POST)) happened.push({ kind: 'posts', process });
    },
    statement(process: string, { when, sql, parameters, hasChanged }: StatementMoment) {
      if (when === 'before') return;
      const [, forMs] = RENEWAL.exec(sql) ?? [];
      if (forMs !== undefined) leases.set(process, now() + Number(forMs));
      if (sql.startsWith(TOLD)) {
        happened.push({ kind: 'stores that an author was told', process, parameters });
      }
      const leasedUntil = leases.get(process) ?? Number.POSITIVE_INFINITY;
      if (hasChanged && CLAIM.test(sql) && now() >= leasedUntil) {
        happened.push({ kind: 'claims without a lease', process });
      }
    },
    interruption: (process: string, by: 'crash' | 'freeze') =>
      void happened.push({ kind: 'is interrupted', process, by }),
  };
}
