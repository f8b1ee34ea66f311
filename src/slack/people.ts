import { LRUCache } from 'lru-cache';
import type { SlackClient } from './slack-client.ts';

/** What somebody is to the workspace that installed the app. */
export type Role = 'admin' | 'member' | 'guest' | 'outsider';

export type Person = { id: string; name: string; role: Role };

/** Who people are, asked of Slack and remembered for some minutes. */
export type People = {
  /** @throws Slack's error where it does not say: nobody is taken for a member by default */
  whoIs(client: SlackClient, workspaceId: string, userId: string): Promise<Person>;
};

/** Somebody who stops being an admin keeps what an admin may do for this long. */
const REMEMBERED_MS = 2 * 60_000;
const REMEMBERED_PEOPLE = 5_000;

export function createPeople(): People {
  const people = new LRUCache<
    string,
    Person,
    { client: SlackClient; workspaceId: string; userId: string }
  >({
    max: REMEMBERED_PEOPLE,
    ttl: REMEMBERED_MS,
    fetchMethod: (_key, _stale, { context }) => ask(context),
  });
  return {
    whoIs: (client, workspaceId, userId) =>
      people.forceFetch(`${workspaceId}/${userId}`, { context: { client, workspaceId, userId } }),
  };
}

async function ask(input: {
  client: SlackClient;
  workspaceId: string;
  userId: string;
}): Promise<Person> {
  const { client, workspaceId, userId } = input;
  const { user } = await client.users.info({ user: userId });
  if (!user) throw new Error('users.info named nobody');
  const name = user.profile?.display_name || user.profile?.real_name || user.name || userId;

  // Within one organisation a person may belong to another of its workspaces, and to this one too.
  const memberships = user.enterprise_user?.teams ?? [];
  const outside =
    user.is_stranger === true ||
    (user.team_id !== undefined &&
      user.team_id !== workspaceId &&
      !memberships.includes(workspaceId));
  const role = outside
    ? 'outsider'
    : user.is_restricted || user.is_ultra_restricted
      ? 'guest'
      : user.is_admin || user.is_owner || user.is_primary_owner
        ? 'admin'
        : 'member';
  return { id: userId, name, role };
}
