import type { UsersInfoResponse, UsersListResponse } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { slackErrorCode } from './errors.ts';
import type { SlackClient } from './slack-client.ts';

/** A person's role in the workspace that installed the app. */
type Role = 'admin' | 'member' | 'guest' | 'outsider' | 'deactivated';

export type Person = {
  id: string;
  /** Empty if Slack doesn't return it. */
  name: string;
  role: Role;
  /** Bots get no messages: nobody reads them. */
  isBot?: boolean;
  /** The IDs of what they are an admin of: the workspace, the Enterprise Grid organization, both, or neither. */
  administers: readonly string[];
};

/** `recent`: at most two minutes old, as a role has to be before content is shown to someone. */
export type MaxAge = 'recent' | 'any';

export type People = ReturnType<typeof createPeople>;

/** Names and roles rarely change. Where admin rights matter, the cache is bypassed. */
const CACHED_MS = 2 * 60_000;
const MAX_CACHED = 5_000;
const MAX_WORKSPACES = 20_000;

/** @param clock in ms, monotonic, so that setting the clock back can't keep an old role alive */
export function createPeople(clock: { now(): number } = performance) {
  const readsFiles = new LRUCache<WorkspaceId, boolean>(atMost(MAX_WORKSPACES));
  const people = new LRUCache<string, Person, PersonInWorkspace>({
    ...atMost(MAX_CACHED),
    ttl: CACHED_MS,
    perf: clock,
    ttlResolution: 0,
    // Forms use what is cached while Slack doesn't answer.
    noDeleteOnFetchRejection: true,
    fetchMethod: async (_key, _stale, { context }) => {
      const { person, scopes } = await fetchPerson(context);
      if (scopes) readsFiles.set(context.workspaceId, scopes.includes('files:read'));
      return person;
    },
  });
  return {
    /** Cached for two minutes. @throws Slack's error: nobody is a member by default */
    lookUp: (
      client: SlackClient,
      workspaceId: WorkspaceId,
      userId: string,
      { fresh: forceRefresh = false } = {},
    ): Promise<Person> => {
      const context = { client, workspaceId, userId };
      return people.forceFetch(`${workspaceId}/${userId}`, { context, forceRefresh });
    },
    cached: (workspaceId: WorkspaceId, userId: string, age: MaxAge): Person | undefined =>
      people.peek(`${workspaceId}/${userId}`, { allowStale: age === 'any' }),
    /** Whether the app has the scope, by Slack's last answer about anyone of the workspace. */
    mayReadFiles: (workspaceId: WorkspaceId): boolean | undefined => readsFiles.get(workspaceId),
    listAdmins,
  };
}

/** How many admins to return. Large companies have many, and one who acts is enough. */
const MAX_ADMINS = 5;
const PAGE_SIZE = 200;
const MAX_PAGES = 5;

/** User IDs of some admins; empty if Slack lists none. */
async function listAdmins(client: SlackClient): Promise<string[]> {
  const admins: string[] = [];
  let pages = 0;
  for await (const page of client.paginate('users.list', { limit: PAGE_SIZE })) {
    const { members = [] } = page as UsersListResponse;
    for (const { id, deleted, is_admin, is_owner } of members) {
      if (id && !deleted && (is_admin || is_owner)) admins.push(id);
    }
    pages += 1;
    if (admins.length >= MAX_ADMINS || pages === MAX_PAGES) break;
  }
  return admins.slice(0, MAX_ADMINS);
}

/** Slack doesn't mark Slackbot as a bot, but refuses direct messages to it (`cannot_dm_bot`). */
const SLACKBOT = 'USLACKBOT';

/** Slack's codes for people outside of the workspace. */
const UNKNOWN_PERSON = new Set(['user_not_visible', 'user_not_found', 'users_not_found']);

type PersonInWorkspace = { client: SlackClient; workspaceId: WorkspaceId; userId: string };

async function fetchPerson({ client, workspaceId, userId }: PersonInWorkspace) {
  const answer = await client.users.info({ user: userId }).catch((error: unknown) => {
    if (UNKNOWN_PERSON.has(slackErrorCode(error) ?? '')) return undefined;
    throw error;
  });
  const outsider: Person = { id: userId, name: '', role: 'outsider', administers: [] };
  if (!answer) return { person: outsider, scopes: undefined };
  const { user, response_metadata: about } = answer;
  if (!user) throw new Error('users.info returned no user');
  const name = user.profile?.display_name || user.profile?.real_name || user.name || userId;
  const administers = administeredBy(workspaceId, user);
  const person = {
    id: userId,
    name,
    role: roleIn(workspaceId, user, administers),
    administers,
    ...(user.is_bot || userId === SLACKBOT ? { isBot: true } : {}),
  };
  return { person, scopes: about?.scopes };
}

type User = NonNullable<UsersInfoResponse['user']>;

/** The roles of a workspace say nothing about its organization, or about other workspaces of it. */
function administeredBy(workspaceId: WorkspaceId, user: User): string[] {
  const { enterprise_id, is_admin, is_owner } = user.enterprise_user ?? {};
  const { team_id = workspaceId } = user;
  const ofOrganization = is_admin || is_owner ? enterprise_id : undefined;
  const isAdmin = user.is_admin || user.is_owner || user.is_primary_owner;
  const ofWorkspace = isAdmin && team_id !== enterprise_id ? team_id : undefined;
  return [ofWorkspace, ofOrganization].filter((id) => id !== undefined);
}

function roleIn(workspaceId: WorkspaceId, user: User, administers: readonly string[]): Role {
  // In an organization, a person may belong to several workspaces, and the organization stands in
  // for a workspace that isn't known.
  const { teams = [], enterprise_id } = user.enterprise_user ?? {};
  const isElsewhere =
    user.team_id !== undefined &&
    ![user.team_id, enterprise_id, ...teams].some((id) => id === workspaceId);
  if (user.is_stranger || isElsewhere) return 'outsider';
  if (user.deleted) return 'deactivated';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return administers.includes(workspaceId) ? 'admin' : 'member';
}
