import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import { inTime } from '../listener/in-time.ts';
import type { OptionsArgs } from '../listener/replies.ts';
import type { FormField } from './form-field.ts';
import { type Choice, choiceOf, searchOptions } from './options.ts';
import { shownTypeOf } from './shown-form.ts';

/** Answers a type-ahead search. */
export async function answerSearch(
  deps: Pick<SlackDeps, 'log'>,
  args: OptionsArgs,
  list: (args: OptionsArgs) => Promise<readonly Choice[]>,
): Promise<void> {
  const { payload, ack } = args;
  const choices = await inTime(list(args), []).catch((error) => {
    deps.log.warn({ err: error }, 'could not load the options of a menu');
    return [];
  });
  await ack({ options: searchOptions(choices, payload.value) });
}

/**
 * The choices of one field's menu. Slack doesn't send the form's other values, so the request type is the one that the
 * view is drawn for.
 */
export async function searchedChoices(
  { referenceLists, partnerName }: Pick<SlackDeps, 'referenceLists' | 'partnerName'>,
  { payload }: OptionsArgs,
  { workspaceId, field }: { workspaceId: WorkspaceId; field: FormField },
): Promise<readonly Choice[]> {
  const options = await referenceLists.formOptions(workspaceId);
  const shownType = payload.view && shownTypeOf(payload.view.blocks);
  const requestType = choiceOf(options.requestTypes, shownType ?? '');
  return field.choices?.({ options, partnerName, draft: { requestType } }) ?? [];
}
