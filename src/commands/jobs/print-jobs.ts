import { hiding } from '../../ops/logging.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { Job } from '../../store/jobs.ts';

/** In ms. */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** In its largest whole unit, such as `2h`. */
function inUnits(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', 1_000];
  return `${Math.floor(Math.max(ms, 0) / size)}${unit}`;
}

const ageOf = (time: Date, now: Date) => inUnits(now.getTime() - time.getTime());

const dueIn = (at: number, now: Date) =>
  at > now.getTime() ? `in ${inUnits(at - now.getTime())}` : 'now';

/** Without the payload, which may contain what people typed. */
export const describeJob = ({
  payload: _payload,
  fence: _fence,
  identity: _identity,
  ...job
}: Job) => job;

export function jobTable(jobs: readonly Job[], now: Date): string[][] {
  const rows = jobs.map(({ id, state, kind, workspaceId, createdAt, runAt, attempts }) => {
    const next = state === 'ready' ? dueIn(runAt.getTime(), now) : '';
    return [`${id}`, state, kind, workspaceId, ageOf(createdAt, now), `${attempts}`, next];
  });
  return [['ID', 'STATE', 'KIND', 'WORKSPACE', 'AGE', 'TRIES', 'RUNS'], ...rows];
}

export function requestTable(requests: readonly DesignRequest[], now: Date): string[][] {
  const rows = requests.map((request) => {
    const { reference, state, workspaceId, userId, createdAt, attempts, problem } = request;
    const next = problem?.retryAt === undefined ? '' : dueIn(problem.retryAt, now);
    const why = problem?.code ?? '';
    const age = ageOf(createdAt, now);
    return [reference, state, workspaceId, userId, age, `${attempts}`, why, next];
  });
  const heads = ['REQUEST', 'STATE', 'WORKSPACE', 'PERSON', 'AGE', 'TRIES', 'PROBLEM', 'RUNS'];
  return [heads, ...rows];
}

export function jobDetails(
  job: Job,
  request: DesignRequest | null | undefined,
  { withContent, secrets }: { withContent: boolean; secrets: readonly string[] },
): Record<string, unknown> {
  const described = {
    ...describeJob(job),
    ...(request === undefined ? {} : { request: request && describeRequest(request) }),
  };
  if (!withContent) return described;
  const content = { payload: job.payload, ...(request ? { form: request.form } : {}) };
  return { ...described, ...JSON.parse(hiding(secrets)(JSON.stringify(content))) };
}

/** Without the form, and without what its problem quotes of it. */
export const describeRequest = ({
  form: _form,
  problem,
  viewId: _viewId,
  sentBy: _sentBy,
  message: _message,
  ...request
}: DesignRequest) => ({ ...request, problem: problem?.code });
