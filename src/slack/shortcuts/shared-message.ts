import { z } from 'zod';
import type { FileOfMessage } from '../files/form-files.ts';
import { filesIn } from './message-files.ts';

/** The message that a shortcut was used on, as far as it makes sense. */
export type SharedMessage = {
  /** Undefined for bots that have a name. */
  authorId: string | undefined;
  /** The name of a bot, if Slack says it. */
  botName: string | undefined;
  text: string;
  blocks: unknown[];
  attachments: unknown[];
  files: FileOfMessage[];
  isDeleted: boolean;
};

const text = z.string().catch('');
const maybeText = z.string().min(1).optional().catch(undefined);
const list = z.array(z.unknown()).catch([]);

const message = z.object({
  subtype: maybeText,
  user: maybeText,
  bot_id: maybeText,
  username: maybeText,
  bot_profile: z.object({ name: maybeText }).optional().catch(undefined),
  text,
  blocks: list,
  attachments: list,
  files: z.unknown().optional(),
  file: z.unknown().optional(),
});

const NOTHING: SharedMessage = {
  authorId: undefined,
  botName: undefined,
  text: '',
  blocks: [],
  attachments: [],
  files: [],
  isDeleted: false,
};

/** What Slack leaves of a deleted message that has replies. */
const DELETED = 'tombstone';

/**
 * Reads `message` of a message shortcut's payload. Anything may be missing, and messages from apps contain whatever
 * those apps sent. Of a deleted message, nothing is left. Never throws.
 */
export function readSharedMessage(payload: unknown): SharedMessage {
  const { data } = message.safeParse(payload);
  if (!data) return NOTHING;
  if (data.subtype === DELETED) return { ...NOTHING, isDeleted: true };
  const { user, bot_id, username, bot_profile, blocks, attachments, files, file } = data;
  const botName = username ?? bot_profile?.name;
  const isBot = bot_id !== undefined && botName !== undefined;
  return {
    authorId: isBot ? undefined : user,
    botName,
    text: data.text,
    blocks,
    attachments,
    files: filesIn({ files, file, blocks, attachments }),
    isDeleted: false,
  };
}
