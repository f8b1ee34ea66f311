import type { DesignApi } from '../service/client.ts';
import { DesignApiError, type DesignApiErrorCode } from '../service/errors.ts';
import type { TaskQuery } from '../service/operations/list-tasks.ts';

/** Only the newest cards of a project are read, to keep the answer fast. */
export const LISTED_TASKS = 100;

/**
 * `unknown`: there is no such project, or it is another account's. `not_listed`: this key can't list
 * cards. `later`: the service can't answer now.
 */
export type ProjectCheck =
  | { usable: true; isEmpty: boolean }
  | { usable: false; why: 'unknown' | 'not_listed' | 'later' };

/**
 * Tests whether a project can be searched for requests in doubt, with the same call. How a wrong
 * project is answered is undocumented. A 403 means that the key may not list cards, or that the
 * project is another account's (API reference, section 5), so a listing without one is tried, too.
 *
 * @throws DesignApiError `unauthorized`, or NotConnectedError
 */
export async function checkProject(
  api: Pick<DesignApi, 'listTasks'>,
  projectId: string,
): Promise<ProjectCheck> {
  const list = (query: TaskQuery) =>
    api.listTasks(query).catch((error: unknown) => {
      if (!(error instanceof DesignApiError) || error.code === 'unauthorized') throw error;
      return error.code;
    });
  const listed = await list({ projectId, perPage: LISTED_TASKS });
  if (typeof listed === 'object') return { usable: true, isEmpty: listed.items.length === 0 };
  if (!isRefused(listed)) return { usable: false, why: WHY[listed] ?? 'later' };
  const others = await list({ perPage: 1 });
  if (typeof others === 'object') return { usable: false, why: 'unknown' };
  return { usable: false, why: isRefused(others) ? 'not_listed' : (WHY[others] ?? 'later') };
}

const isRefused = (code: DesignApiErrorCode) => code === 'forbidden' || code === 'not_found';

const WHY: { [code in DesignApiErrorCode]?: 'unknown' | 'not_listed' } = {
  invalid_request: 'unknown',
  unreadable_answer: 'not_listed',
};
