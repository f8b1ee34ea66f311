import { hideSecrets } from '../../ops/logging.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { StoredJob } from '../../store/operator-jobs.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND_MS],
] as const;

/** @returns an age such as `2h`, in ms; undefined if it is malformed */
export function readAge(text: string): number | undefined {
  const [, count = '', unit] = /^(\d{1,6})([dhms])$/.exec(text) ?? [];
  const size = UNITS.find(([name]) => name === unit)?.[1];
  return size === undefined ? undefined : Number(count) * size;
}

/** @returns an age in its largest whole unit, such as `2h` */
export function ageOf(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', SECOND_MS];
  return `${Math.floor(Math.max(ms, 0) / size)}${unit}`;
}

/** Without the payload, which may contain what people typed. */
export const describeJob = ({
  payload: _payload,
  fence: _fence,
  identity: _identity,
  ...job
}: StoredJob) => job;

export function jobTableText(jobs: readonly StoredJob[], now: Date): string {
  const rows = jobs.map(({ id, state, kind, workspaceId, createdAt, runAt, attempts }) => {
    const due = runAt.getTime() - now.getTime();
    const next = state !== 'ready' ? '' : due > 0 ? `in ${ageOf(due)}` : 'now';
    const age = ageOf(now.getTime() - createdAt.getTime());
    return [`${id}`, state, kind, workspaceId, age, `${attempts}`, next];
  });
  return tableText([['ID', 'STATE', 'KIND', 'WORKSPACE', 'AGE', 'TRIES', 'RUNS'], ...rows]);
}

/** @param rows the first of which has the heads of the columns */
export function tableText(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** What is shown of one job; with its content only if that was asked for. */
export function jobDetails(
  job: StoredJob,
  request: DesignRequest | null | undefined,
  { withContent, secrets }: { withContent: boolean; secrets: readonly string[] },
): Record<string, unknown> {
  const described = {
    ...describeJob(job),
    ...(request === undefined ? {} : { request: request && describeRequest(request) }),
  };
  if (!withContent) return described;
  const content = { payload: job.payload, ...(request ? { form: request.form } : {}) };
  return { ...described, ...JSON.parse(hideSecrets(JSON.stringify(content), secrets)) };
}

/** Without the form. */
export const describeRequest = ({
  reference,
  workspaceId,
  userId,
  state,
  problem,
  cardId,
  revision,
  announcedRevision,
  attempts,
  createdAt,
  updatedAt,
}: DesignRequest) => ({
  reference,
  workspaceId,
  userId,
  state,
  problem: problem?.code,
  cardId,
  revision,
  announcedRevision,
  attempts,
  createdAt,
  updatedAt,
});
