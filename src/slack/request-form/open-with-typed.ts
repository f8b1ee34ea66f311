import { type ActionArgs, stringOf, workspaceOf } from '../listeners.ts';
import { type FormDeps, openForm } from './open.ts';

/** Opens the form with what was typed after a sub-command that could not be done. */
export async function onOpenWithTyped(deps: FormDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context } = args;
  await openForm(deps, {
    client,
    triggerId: body.trigger_id,
    workspaceId: workspaceOf(context),
    channelId: body.channel?.id,
    typed: 'value' in action ? stringOf(action.value) : undefined,
  });
}
