import { randomUUID } from 'node:crypto';
import type { FormOptions } from '../../service/cache/catalogue.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import { type ActionArgs, stringOf } from '../listener/replies.ts';
import { type CompleteDeps, fillForm } from './complete-form.ts';
import { drawNewForm } from './draw-form.ts';
import type { FormMetadata } from './metadata.ts';
import { buildLoadingView, buildNoticeView } from './modal.ts';

export type FormOpening = {
  client: SlackClient;
  channelId?: string | undefined;
  /** The text after the command. */
  typed?: string | undefined;
};

/**
 * The form as a modal. From cached lists it opens complete; otherwise it opens loading, or without
 * brands, and is completed once the service answers.
 */
export function formModal(deps: CompleteDeps, opening: FormOpening): ModalRequest {
  const { client, channelId, typed } = opening;
  const metadata: FormMetadata = { formId: randomUUID(), channelId, typed };
  return {
    loading: buildLoadingView(metadata),
    // With a "Try again" button that keeps what was typed.
    notice: (text) => buildNoticeView(text, { retry: true, metadata }),
    async fill({ workspaceId }, modal) {
      const draw = (options: FormOptions) => drawNewForm(deps, workspaceId, metadata, options);
      await fillForm(deps, client, modal, { workspaceId, metadata, draw });
    },
  };
}

/** The form with the text after a misused subcommand. */
export const onOpenWithTyped = (
  deps: CompleteDeps,
  { action, body, client }: ActionArgs,
): ModalRequest =>
  formModal(deps, {
    client,
    channelId: body.channel?.id,
    typed: 'value' in action ? stringOf(action.value) : undefined,
  });
