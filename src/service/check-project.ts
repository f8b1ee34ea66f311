import type { DesignApi } from './client.ts';
import { DesignApiError, type DesignApiErrorCode } from './errors.ts';
import type { TaskListing, TaskQuery } from './operations/list-tasks.ts';

/** Only the newest cards of a project are read, to keep the answer fast. */
export const LISTED_TASKS = 100;

export type ProjectCheck =
  | { usable: true; isEmpty: boolean }
  /**
   * `unknown`: the service knows no such project, or it is another account's. `not_listed`: this key can't list
   * cards. `later`: the service can't answer now.
   */
  | { usable: false; why: 'unknown' | 'not_listed' | 'later' };

/**
 * Tests whether a project can be searched for requests in doubt, with the same call.
 *
 * The API reference doesn't say how a wrong project is answered. A 403 means that the key may not list cards, or
 * that the project is another account's (section 5), so the listing is tried without a project, too.
 *
 * @throws DesignApiError `unauthorized`, or NotConnectedError
 */
export async function checkProject(
  api: Pick<DesignApi, 'listTasks'>,
  projectId: string,
): Promise<ProjectCheck> {
  const listed = await list(api, { projectId, perPage: LISTED_TASKS });
  if ('items' in listed) return { usable: true, isEmpty: listed.items.length === 0 };
  if (!isRefused(listed.code)) return { usable: false, why: WHY[listed.code] ?? 'later' };
  const others = await list(api, { perPage: 1 });
  if ('items' in others) return { usable: false, why: 'unknown' };
  const why = isRefused(others.code) ? 'not_listed' : (WHY[others.code] ?? 'later');
  return { usable: false, why };
}

const isRefused = (code: DesignApiErrorCode) => code === 'forbidden' || code === 'not_found';

const WHY: { [code in DesignApiErrorCode]?: 'unknown' | 'not_listed' } = {
  invalid_request: 'unknown',
  unreadable_answer: 'not_listed',
};

async function list(
  api: Pick<DesignApi, 'listTasks'>,
  query: TaskQuery,
): Promise<TaskListing | { code: DesignApiErrorCode }> {
  try {
    return await api.listTasks(query);
  } catch (error) {
    if (!(error instanceof DesignApiError) || error.code === 'unauthorized') throw error;
    return { code: error.code };
  }
}
