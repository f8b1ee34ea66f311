import type { DesignRequest } from '../../requests/request.ts';
import { type RequestStore, UNFINISHED_STATES } from '../../store/requests.ts';
import { ageOf, tableText } from './print-jobs.ts';

type RequestFilter = {
  /** `DR-…`; that request, whatever became of it. */
  reference?: string | undefined;
  workspace?: string | undefined;
  createdBefore: Date;
  limit: number;
};

/** @returns one request, or those of which nothing has become yet: the oldest first, whatever they wait for */
export async function findRequests(
  requests: Pick<RequestStore, 'unfinished' | 'withReference'>,
  { reference, workspace, createdBefore, limit }: RequestFilter,
): Promise<DesignRequest[]> {
  if (reference !== undefined) return requests.withReference(reference);
  const found: DesignRequest[] = [];
  for (const state of UNFINISHED_STATES) {
    const most = found.length + limit;
    for await (const request of requests.unfinished(state)) {
      if (found.length === most || request.createdAt > createdBefore) break;
      if (workspace === undefined || request.workspaceId === workspace) found.push(request);
    }
  }
  return found.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).slice(0, limit);
}

export function requestTableText(requests: readonly DesignRequest[], now: Date): string {
  const rows = requests.map((request) => {
    const { reference, state, workspaceId, userId, createdAt, attempts, problem } = request;
    const age = ageOf(now.getTime() - createdAt.getTime());
    const due = (problem?.retryAt ?? 0) - now.getTime();
    const next = problem?.retryAt === undefined ? '' : due > 0 ? `in ${ageOf(due)}` : 'now';
    const why = problem?.code ?? '';
    return [reference, state, workspaceId, userId, age, `${attempts}`, why, next];
  });
  const heads = ['REQUEST', 'STATE', 'WORKSPACE', 'PERSON', 'AGE', 'TRIES', 'PROBLEM', 'RUNS'];
  return tableText([heads, ...rows]);
}
