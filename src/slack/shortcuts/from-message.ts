import type { MessageShortcut } from '@slack/bolt';
import type { Log } from '../../ops/logging.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { FormFilesAccess } from '../request-form/form-files.ts';
import type { FormModals, FormOpening } from '../request-form/open.ts';
import type { ModalToOpen } from '../surface/open-modal.ts';
import type { ShortcutArgs } from '../surface/replies.ts';
import { inTime } from '../surface/replies.ts';
import { draftFromMessage, readSharedMessage } from './message-draft.ts';

/** The callback IDs of the shortcuts in `manifest.yml`. */
export const SHORTCUTS = {
  /** In the menu of a message. */
  fromMessage: 'create-design-request',
  /** In the composer and in Slack's search. */
  requestDesign: 'request-a-design',
} as const;

export function createFormFromMessage(deps: {
  formModals: FormModals;
  formFiles: FormFilesAccess;
  log: Log;
}) {
  const { formModals, formFiles, log } = deps;

  /** Undefined if the app isn't in a private conversation, or the message is gone. */
  async function permalinkOf(client: SlackClient, { channel, message_ts }: MessageShortcut) {
    try {
      const { permalink } = await client.chat.getPermalink({ channel: channel.id, message_ts });
      return permalink;
    } catch (error) {
      log.info({ err: error }, 'could not get the link of a message');
      return undefined;
    }
  }

  /**
   * “Create design request” in the menu of a message: the form, filled in from the message. Only Slack knows the
   * message's link, and which of its files the app may read, so the form opens in its loading state while Slack is asked.
   */
  return ({ client, body }: ShortcutArgs): ModalToOpen => {
    if (body.type !== 'message_action') return formModals.ofNew({});
    const opening: FormOpening = { channelId: body.channel.id };
    return {
      ...formModals.ofNew(opening),
      async fill(user, modal) {
        await modal.load();
        const message = readSharedMessage(body.message);
        const [permalink, files] = await Promise.all([
          inTime(permalinkOf(client, body), undefined),
          formFiles.ofMessage(user.workspaceId, message.files),
        ]);
        const draft = draftFromMessage(message, {
          channelName: body.channel.name,
          permalink,
          files,
        });
        await formModals.ofNew({ ...opening, draft }).fill(user, modal);
      },
    };
  };
}
