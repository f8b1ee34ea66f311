import type { MessageShortcut } from '@slack/bolt';
import type { Log } from '../../ops/logging.ts';
import type { AttachedFile } from '../../requests/request.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { type FormLists, MAX_FILES } from '../request-form/form-field.ts';
import type { FormModals, FormOpening } from '../request-form/form-modals.ts';
import { askForFile } from '../request-form/slack-files.ts';
import { inTime, type Shortcut } from '../surface/interactions.ts';
import type { ModalToOpen } from '../surface/open-modal.ts';
import type { FileOfMessage } from './message-content.ts';
import { draftFromMessage, readSharedMessage } from './message-draft.ts';

/** Without an answer in time, it isn't attached. */
type AskedFile = FileOfMessage & { isUsable?: boolean };

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
export function createFormFromMessage(deps: {
  formModals: FormModals;
  fileLimits: FormLists['files'];
  now: () => Date;
  log: Log;
}) {
  const { formModals, fileLimits, now, log } = deps;

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
   * Which of a message's first MAX_FILES files can be attached, and which are left. Asks Slack about each: the app
   * doesn't see the files of a conversation that it isn't in, and Slack names those in a channel shared with another
   * company only when asked.
   */
  async function sortFiles(client: SlackClient, files: readonly FileOfMessage[]) {
    const asked = files.slice(0, MAX_FILES).map((file): Promise<AskedFile> => {
      const answer = ask(client, file).catch(() => file);
      return inTime(answer, file);
    });
    const attached: AttachedFile[] = [];
    const left: FileOfMessage[] = [];
    for (const { isUsable, ...file } of await Promise.all(asked)) {
      const { id, name = id } = file;
      if (isUsable && id !== undefined) attached.push({ id, name: name ?? id });
      else left.push(file);
    }
    return { attached, left: [...left, ...files.slice(MAX_FILES)] };
  }

  async function ask(client: SlackClient, given: FileOfMessage): Promise<AskedFile> {
    const { id, problem } = given;
    if (id === undefined || problem !== undefined) return given;
    const maxBytes = fileLimits?.maxBytes ?? 0;
    const { name, link, file } = await askForFile(client, id, { maxBytes, now });
    return {
      id,
      name: given.name ?? name,
      link: given.link ?? link,
      problem: typeof file === 'string' ? file : undefined,
      isUsable: fileLimits !== undefined && (typeof file === 'object' || file === 'uploading'),
    };
  }

  return ({ client, channelId, onMessage }: Shortcut): ModalToOpen => {
    const opening: FormOpening = { channelId };
    if (!onMessage) return formModals.ofNew(opening);
    return {
      ...formModals.ofNew(opening),
      async fill(user, modal) {
        await modal.load();
        const message = readSharedMessage(onMessage.message);
        const [permalink, files] = await Promise.all([
          inTime(permalinkOf(client, onMessage), undefined),
          sortFiles(client, message.files),
        ]);
        const from = { channelName: onMessage.channel.name, permalink, files };
        const draft = draftFromMessage(message, from);
        await formModals.ofNew({ ...opening, draft }).fill(user, modal);
      },
    };
  };
}
