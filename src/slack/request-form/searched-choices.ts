import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import type { OptionsArgs } from '../listener/replies.ts';
import type { FormField } from './form-field.ts';
import { type Choice, choiceOf } from './options.ts';
import { shownTypeOf } from './shown-form.ts';

/**
 * The choices of one field's menu. Slack doesn't send the form's other values, so the request type is the one that the
 * view is drawn for.
 */
export const searchedChoices =
  (field: FormField) =>
  async (
    { referenceLists, partnerName }: Pick<SlackDeps, 'referenceLists' | 'partnerName'>,
    { payload }: OptionsArgs,
    { workspaceId }: AllowedUser,
  ): Promise<readonly Choice[]> => {
    const options = await referenceLists.formOptions(workspaceId);
    const shownType = payload.view && shownTypeOf(payload.view.blocks);
    const requestType = choiceOf(options.requestTypes, shownType ?? '');
    return field.choices?.({ options, partnerName, draft: { requestType } }) ?? [];
  };
