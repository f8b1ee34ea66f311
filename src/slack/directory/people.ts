import type { UsersInfoResponse } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { upTo } from '../bounded.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import type { SlackClient } from './slack-client.ts';
import { slackErrorCode } from './slack-errors.ts';

/** What somebody is to the workspace that installed the app. */
export type Role = 'admin' | 'member' | 'guest' | 'outsider';

export type Person = {
  id: string;
  /** Empty where Slack does not say it. */
  name: string;
  role: Role;
  /** The Enterprise Grid organisation that the person administers. */
  administers?: string | undefined;
};

/** Who people are, asked of Slack and remembered for some minutes. */
export type People = {
  /** @throws Slack's error where it does not say: nobody is taken for a member by default */
  whoIs(
    client: SlackClient,
    workspaceId: WorkspaceId,
    userId: string,
    options?: { fresh?: boolean },
  ): Promise<Person>;
  /** Some of those who may connect a key; empty where Slack does not say. */
  someAdmins(client: SlackClient): Promise<string[]>;
};

/** Names and guests change seldom; whether somebody is an admin is asked afresh where it matters. */
const REMEMBERED_MS = 2 * 60_000;
const REMEMBERED_PEOPLE = 5_000;

export function createPeople(): People {
  const people = new LRUCache<
    string,
    Person,
    { client: SlackClient; workspaceId: WorkspaceId; userId: string }
  >({
    ...upTo(REMEMBERED_PEOPLE),
    ttl: REMEMBERED_MS,
    fetchMethod: (_key, _stale, { context }) => ask(context),
  });
  return {
    whoIs: (client, workspaceId, userId, options) =>
      people.forceFetch(`${workspaceId}/${userId}`, {
        context: { client, workspaceId, userId },
        forceRefresh: options?.fresh ?? false,
      }),
    someAdmins: listAdmins,
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
    ...(administers ? { administers } : {}),
  };
}

function roleIn(workspaceId: WorkspaceId, user: NonNullable<UsersInfoResponse['user']>): Role {
  // Within one organisation a person may belong to another of its workspaces, and to this one too.
  const memberships = user.enterprise_user?.teams ?? [];
  const isElsewhere = user.team_id !== undefined && user.team_id !== workspaceId;
  if (user.is_stranger || (isElsewhere && !memberships.includes(workspaceId))) return 'outsider';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return user.is_admin || user.is_owner || user.is_primary_owner ? 'admin' : 'member';
}
