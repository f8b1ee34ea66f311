import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import { type OptionsArgs, workspaceOf } from '../listeners.ts';
import { type Choice, searchOptions } from './options.ts';

type SuggestDeps = Pick<SlackDeps, 'catalogue' | 'log'>;

/**
 * Slack shows no options that come after 3 s. The list is in memory, since the form was drawn from
 * it; only after a restart is the service asked, and no longer than this, in ms.
 */
const ASK_SERVICE_MS = 2_000;

/** Answers a type-ahead search with the names that match what was typed. */
export async function suggest(
  deps: SuggestDeps,
  args: OptionsArgs,
  list: (workspaceId: WorkspaceId) => Promise<readonly Choice[]>,
): Promise<void> {
  const { payload, context, ack } = args;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<readonly Choice[]>((resolve) => {
    timer = setTimeout(resolve, ASK_SERVICE_MS, []);
  });
  const choices = await Promise.race([list(workspaceOf(context)), tooLate]).catch((error) => {
    deps.log.warn({ err: error }, 'nothing to search in');
    return [];
  });
  clearTimeout(timer);
  await ack({ options: searchOptions(choices, payload.value) });
}
