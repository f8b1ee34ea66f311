import type { DesignApi } from './client.ts';
import { DesignApiError, type DesignApiErrorCode } from './errors.ts';

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
  try {
    const { items } = await api.listTasks({ projectId, perPage: LISTED_TASKS });
    return { usable: true, isEmpty: items.length === 0 };
  } catch (error) {
    if (!(error instanceof DesignApiError) || error.code === 'unauthorized') throw error;
    return { usable: false, why: await whyNot(api, error) };
  }
}

async function whyNot(
  api: Pick<DesignApi, 'listTasks'>,
  { code }: DesignApiError,
): Promise<'unknown' | 'not_listed' | 'later'> {
  switch (code) {
    case 'invalid_request':
      return 'unknown';
    case 'unreadable_answer':
      return 'not_listed';
    case 'forbidden':
    case 'not_found':
      return whyNotOf(await codeWithoutProject(api));
    default:
      return 'later';
  }
}

async function codeWithoutProject(
  api: Pick<DesignApi, 'listTasks'>,
): Promise<DesignApiErrorCode | undefined> {
  try {
    await api.listTasks({ perPage: 1 });
    return undefined;
  } catch (error) {
    if (error instanceof DesignApiError) return error.code;
    throw error;
  }
}

function whyNotOf(
  withoutProject: DesignApiErrorCode | undefined,
): 'unknown' | 'not_listed' | 'later' {
  switch (withoutProject) {
    case undefined:
    // The listing exists and asks for a project.
    case 'invalid_request':
      return 'unknown';
    case 'forbidden':
    case 'not_found':
    case 'unreadable_answer':
      return 'not_listed';
    default:
      return 'later';
  }
}
