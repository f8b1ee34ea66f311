import { z } from 'zod';

/** A file of a message. Slack omits nearly everything if the app may not see it. */
export type SharedFile = { id?: string | undefined; name: string; permalink?: string | undefined };

/** The message that a shortcut was used on, as far as it makes sense. */
export type SharedMessage = {
  /** Undefined for bots. */
  authorId: string | undefined;
  /** The name of a bot, if Slack says it. */
  botName: string | undefined;
  text: string;
  blocks: unknown[];
  attachments: unknown[];
  files: SharedFile[];
};

const text = z.string().catch('');
const maybeText = z.string().min(1).optional().catch(undefined);
const list = z.array(z.unknown()).catch([]);

const file = z.object({
  id: maybeText,
  name: maybeText,
  title: maybeText,
  permalink: maybeText,
});

const message = z.object({
  subtype: maybeText,
  user: maybeText,
  bot_id: maybeText,
  username: maybeText,
  bot_profile: z.object({ name: maybeText }).optional().catch(undefined),
  text,
  blocks: list,
  attachments: list,
  files: list,
});

const NOTHING: SharedMessage = {
  authorId: undefined,
  botName: undefined,
  text: '',
  blocks: [],
  attachments: [],
  files: [],
};

/** What Slack leaves of a deleted message that has replies. */
const DELETED = 'tombstone';
/** A message has up to ten files; more are somebody else's idea. */
const MAX_FILES = 20;

/**
 * Reads `message` of a message shortcut's payload. Anything may be missing, and messages from apps contain whatever
 * those apps sent. Of a deleted message, nothing is left. Never throws.
 */
export function readSharedMessage(payload: unknown): SharedMessage {
  const { data } = message.safeParse(payload);
  if (!data || data.subtype === DELETED) return NOTHING;
  const { user, bot_id, username, bot_profile, blocks, attachments } = data;
  const isBot = bot_id !== undefined;
  return {
    authorId: isBot ? undefined : user,
    botName: isBot ? (username ?? bot_profile?.name) : username,
    text: data.text,
    blocks,
    attachments,
    files: data.files.slice(0, MAX_FILES).flatMap((one) => {
      const { data: found } = file.safeParse(one);
      const name = found?.name ?? found?.title;
      return found && name ? [{ id: found.id, name, permalink: found.permalink }] : [];
    }),
  };
}
