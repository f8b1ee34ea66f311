import type { UsersInfoResponse } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';

/** What somebody is to the workspace that installed the app. */
type Role = 'admin' | 'member' | 'guest' | 'outsider' | 'deactivated';

export type Person = {
  id: string;
  /** Empty where Slack does not say it. */
  name: string;
  role: Role;
  /** Nobody reads what is said to a bot. */
  isBot?: boolean;
  /** The Enterprise Grid organisation that the person administers. */
  administers?: string | undefined;
};

/** Who people are, as Slack says. */
export type People = {
  /**
   * Asks Slack, unless it answered in the last two minutes.
   *
   * @param options.fresh asks in any case
   * @throws Slack's error if it doesn't answer: nobody is taken for a member by default
   */
  lookUp(
    client: SlackClient,
    workspaceId: WorkspaceId,
    userId: string,
    options?: { fresh?: boolean },
  ): Promise<Person>;
  /** Slack's last answer, however old, without asking it. */
  cached(workspaceId: WorkspaceId, userId: string): Person | undefined;
  /** Some of those who may connect a key; empty where Slack does not say. */
  listAdmins(client: SlackClient): Promise<string[]>;
};

/** Names and guests change seldom; whether somebody is an admin is asked afresh where it matters. */
const REMEMBERED_MS = 2 * 60_000;
const REMEMBERED_PEOPLE = 5_000;

/** @param clock in ms; it never goes back, so that a clock set back can't keep an old role alive */
export function createPeople(clock: { now(): number } = performance): People {
  const people = new LRUCache<
    string,
    Person,
    { client: SlackClient; workspaceId: WorkspaceId; userId: string }
  >({
    max: REMEMBERED_PEOPLE,
    ttl: REMEMBERED_MS,
    perf: clock,
    fetchMethod: (_key, _stale, { context }) => ask(context),
  });
  return {
    lookUp: (client, workspaceId, userId, options) =>
      people.forceFetch(`${workspaceId}/${userId}`, {
        context: { client, workspaceId, userId },
        forceRefresh: options?.fresh ?? false,
      }),
    cached: (workspaceId, userId) => people.peek(`${workspaceId}/${userId}`, { allowStale: true }),
    listAdmins,
  };
}

/** Admins who are told of something; a large company has many, and one who acts is enough. */
const MOST_ADMINS = 5;
const PAGE_SIZE = 200;
const MOST_PAGES = 5;

async function listAdmins(client: SlackClient): Promise<string[]> {
  const admins: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && admins.length < MOST_ADMINS; page += 1) {
    const { members = [], response_metadata: next } = await client.users.list({
      limit: PAGE_SIZE,
      ...(cursor ? { cursor } : {}),
    });
    for (const { id, deleted, is_admin, is_owner } of members) {
      if (id && !deleted && (is_admin || is_owner)) admins.push(id);
    }
    cursor = next?.next_cursor;
    if (!cursor) break;
  }
  return admins.slice(0, MOST_ADMINS);
}

/** Slack doesn't call Slackbot a bot, but refuses direct messages to it all the same (`cannot_dm_bot`). */
const SLACKBOT = 'USLACKBOT';

/** Slack says nothing of people whom the workspace does not meet. */
const UNKNOWN_PERSON = new Set(['user_not_visible', 'user_not_found', 'users_not_found']);

async function ask(input: {
  client: SlackClient;
  workspaceId: WorkspaceId;
  userId: string;
}): Promise<Person> {
  const { client, workspaceId, userId } = input;
  const answer = await client.users.info({ user: userId }).catch((error: unknown) => {
    if (UNKNOWN_PERSON.has(slackErrorCode(error) ?? '')) return undefined;
    throw error;
  });
  if (!answer) return { id: userId, name: '', role: 'outsider' };
  const { user } = answer;
  if (!user) throw new Error('users.info named nobody');
  const name = user.profile?.display_name || user.profile?.real_name || user.name || userId;

  const { enterprise_id, is_admin, is_owner } = user.enterprise_user ?? {};
  const administers = is_admin || is_owner ? enterprise_id : undefined;
  return {
    ...{ id: userId, name, role: roleIn(workspaceId, user) },
    ...(user.is_bot || userId === SLACKBOT ? { isBot: true } : {}),
    ...(administers ? { administers } : {}),
  };
}

function roleIn(workspaceId: WorkspaceId, user: NonNullable<UsersInfoResponse['user']>): Role {
  // In an organization, someone may belong to several of its workspaces, and the organization itself
  // takes the place of a workspace that isn't cached.
  const { teams = [], enterprise_id } = user.enterprise_user ?? {};
  const isElsewhere =
    user.team_id !== undefined &&
    ![user.team_id, enterprise_id, ...teams].some((id) => id === workspaceId);
  if (user.is_stranger || isElsewhere) return 'outsider';
  if (user.deleted) return 'deactivated';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return user.is_admin || user.is_owner || user.is_primary_owner ? 'admin' : 'member';
}
