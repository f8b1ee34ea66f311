import type { SlackDeps } from '../deps.ts';
import { inTime } from '../listener/delivery.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import type { ShortcutArgs } from '../listener/replies.ts';
import type { FormOpening } from '../request-form/open.ts';
import { draftFromMessage } from './message-draft.ts';
import { readSharedMessage } from './shared-message.ts';

/** The callback IDs of the shortcuts in `manifest.yml`. */
export const SHORTCUTS = {
  /** In the menu of a message. */
  fromMessage: 'create-design-request',
  /** In the composer and in Slack's search. */
  requestDesign: 'request-a-design',
} as const;

/**
 * “Create design request” in the menu of a message: the form, filled in from the message. Only Slack knows the
 * message's link, and which of its files the app may read, so the form opens in its loading state while Slack is asked.
 */
export function formFromMessage(deps: SlackDeps, args: ShortcutArgs): ModalToOpen {
  const { client, body } = args;
  if (body.type !== 'message_action') return deps.formModals.ofNew({ client });
  const opening: FormOpening = { client, channelId: body.channel.id };
  const empty = deps.formModals.ofNew(opening);
  return {
    ...empty,
    async fill(user, modal) {
      await modal.load();
      const message = readSharedMessage(body.message);
      const [permalink, files] = await Promise.all([
        inTime(permalinkOf(deps, args), undefined),
        deps.formFiles.ofMessage(user.workspaceId, message.files),
      ]);
      const draft = draftFromMessage(message, {
        channelName: body.channel.name,
        permalink,
        files,
      });
      await deps.formModals.ofNew({ ...opening, draft }).fill(user, modal);
    },
  };
}

/** Undefined if the app isn't in a private conversation, or the message is gone. */
async function permalinkOf(
  { log }: Pick<SlackDeps, 'log'>,
  { client, body }: ShortcutArgs,
): Promise<string | undefined> {
  if (body.type !== 'message_action') return undefined;
  try {
    const { permalink } = await client.chat.getPermalink({
      channel: body.channel.id,
      message_ts: body.message_ts,
    });
    return permalink;
  } catch (error) {
    log.info({ err: error }, 'could not get the link of a message');
    return undefined;
  }
}
