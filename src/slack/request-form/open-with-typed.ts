import type { ModalRequest } from '../listener/open-modal.ts';
import { type ActionArgs, stringOf } from '../listener/replies.ts';
import { type FormDeps, formModal } from './open.ts';

/** The form with what was typed after a sub-command that could not be done. */
export function onOpenWithTyped(
  deps: FormDeps,
  { action, body, client }: ActionArgs,
): ModalRequest {
  return formModal(deps, {
    client,
    channelId: body.channel?.id,
    typed: 'value' in action ? stringOf(action.value) : undefined,
  });
}
