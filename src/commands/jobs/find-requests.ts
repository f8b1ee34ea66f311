import type { DesignRequest } from '../../requests/request.ts';
import { type RequestStore, UNFINISHED_STATES } from '../../store/requests.ts';

type RequestFilter = { workspace?: string | undefined; createdBefore: Date; limit: number };

/**
 * The request with a reference, whatever became of it. Without one, those of which nothing has become yet: the oldest
 * first, whatever they wait for.
 */
export async function findRequests(
  requests: Pick<RequestStore, 'unfinished' | 'withReference'>,
  reference: string | undefined,
  { workspace, createdBefore, limit }: RequestFilter,
): Promise<DesignRequest[]> {
  if (reference) return requests.withReference(reference);
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
