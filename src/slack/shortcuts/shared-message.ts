import { z } from 'zod';
import type { FileOfMessage } from '../request-form/form-files.ts';
import { DEPTH_MAX, isPosted, listOf } from './elements.ts';

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

const file = z
  .object({
    id: maybeText,
    name: maybeText,
    title: maybeText,
    permalink: maybeText,
    external_url: maybeText,
    url_private: maybeText,
    mode: maybeText,
  })
  .catch({});

const UNSEEN: Record<string, FileOfMessage['problem']> = {
  tombstone: 'deleted',
  hidden_by_limit: 'hidden',
};

/** Every file of a message, also of messages that are forwarded in it, and the pictures that are stored in Slack. */
function filesIn(content: unknown): FileOfMessage[] {
  const found = new Map<string, FileOfMessage>();
  const add = (posted: unknown) => {
    const { id, name, title, mode = '', ...links } = file.parse(posted);
    const link = links.permalink ?? links.external_url ?? links.url_private;
    // Slack's own are unique; of others, each counts.
    const key = id ?? `${found.size}`;
    if (!found.has(key)) found.set(key, { id, name: name ?? title, link, problem: UNSEEN[mode] });
  };
  for (const [name, value] of namedValues(content, 0)) {
    if (name === 'files') (isPosted(value) ? [value] : listOf(value)).forEach(add);
    else if (name === 'slack_file' || name === 'file') addStored(value, add);
  }
  return [...found.values()];
}

/** Everything in a content, by the name that it has there. */
function* namedValues(posted: unknown, depth: number): Generator<[name: string, value: unknown]> {
  if (typeof posted !== 'object' || posted === null || depth > 2 * DEPTH_MAX) return;
  for (const [name, value] of Object.entries(posted)) {
    yield [name, value];
    yield* namedValues(value, depth + 1);
  }
}

/** A picture with an address is a link where it is shown. */
function addStored(value: unknown, add: (posted: unknown) => void): void {
  if (isPosted(value) && typeof value.id === 'string' && value.url === undefined) add(value);
}
