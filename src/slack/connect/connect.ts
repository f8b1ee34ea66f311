import { type ConnectContext, connectKey } from '../../workspaces/connect-key.ts';
import type { OrganisationId, WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import { messagePrivately, type ViewArgs, workspaceOf } from '../listeners.ts';
import { isFirstTime } from '../once.ts';
import type { Person } from '../people.ts';
import { refuseAdministering } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { reportUnexpected } from '../unexpected.ts';
import { buildNotice } from '../views/notice-view.ts';
import { openForAdmin } from '../views/open-for-admin.ts';
import { wordsForRefusedKey } from '../wording.ts';
import {
  buildConnectView,
  CONNECT_TITLE,
  ending,
  KEY_BLOCK,
  KEY_INPUT,
  SHARE_BLOCK,
  SHARE_INPUT,
} from './connect-view.ts';

export type ConnectDeps = ConnectContext &
  Pick<SlackDeps, 'people' | 'organisations' | 'interactions' | 'outcomes' | 'log'>;

/** `/design-request connect` */
export function openConnect(
  deps: ConnectDeps,
  client: SlackClient,
  input: { triggerId: string; workspaceId: WorkspaceId; userId: string },
): Promise<void> {
  return openForAdmin(deps, client, {
    ...input,
    title: CONNECT_TITLE,
    build: async (admin) =>
      buildConnectView({
        current: await deps.keys.describe(input.workspaceId),
        mayShare: (await organisationFor(deps, input.workspaceId, admin)) !== undefined,
      }),
  });
}

/** The organisation that the workspace has the app from, if that person administers it. */
async function organisationFor(
  { organisations }: Pick<ConnectDeps, 'organisations'>,
  workspaceId: WorkspaceId,
  { administers }: Person,
): Promise<OrganisationId | undefined> {
  if (administers === undefined) return undefined;
  const organisationId = await organisations.organisationOf(workspaceId);
  return organisationId === administers ? organisationId : undefined;
}

/** Takes a key: checked for its form at once, by Slack and the service after the acknowledgement. */
export async function onConnectSubmitted(deps: ConnectDeps, args: ViewArgs): Promise<void> {
  const { view, body, client, context, ack } = args;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  const key = view.state.values[KEY_BLOCK]?.[KEY_INPUT]?.value?.trim() ?? '';
  const problem = malformed(key);
  if (problem) {
    await ack({ response_action: 'errors', errors: { [KEY_BLOCK]: problem } });
    return;
  }
  const draw = deps.outcomes.submitted({ workspaceId, viewId: view.id });
  const checking = buildNotice({ title: CONNECT_TITLE, text: 'Checking the key…' });
  await ack({ response_action: 'update', view: checking });

  const isShared = view.state.values[SHARE_BLOCK]?.[SHARE_INPUT]?.selected_options?.length === 1;
  const connecting = async () =>
    (await isFirstTime(deps, args)) && check(deps, client, { workspaceId, userId, key, isShared });
  const drawn = await connecting().catch((error: unknown) => {
    const text = reportUnexpected(deps.log, error, 'a key could not be connected');
    return buildNotice({ title: CONNECT_TITLE, text });
  });
  if (drawn) await draw(client, drawn);
}

async function check(
  deps: ConnectDeps,
  client: SlackClient,
  input: { workspaceId: WorkspaceId; userId: string; key: string; isShared: boolean },
) {
  const { workspaceId, userId } = input;
  const person = await deps.people.whoIs(client, workspaceId, userId, { fresh: true });
  const refusal = refuseAdministering(person);
  if (refusal) return buildNotice({ title: CONNECT_TITLE, text: refusal });

  const organisationId = await organisationFor(deps, workspaceId, person);
  const shared = input.isShared ? organisationId : undefined;
  const result = await connectKey(deps, { ...input, organisationId: shared });
  const current = await deps.keys.describe(workspaceId);
  if (!result.connected) {
    const mayShare = organisationId !== undefined;
    return buildConnectView({ current, problem: wordsForRefusedKey(result.code), mayShare });
  }
  deps.log.info({ workspace: workspaceId, by: userId }, 'an API key was connected');
  const waiting =
    result.resumed === 0
      ? ''
      : result.resumed === 1
        ? ' One request that waited goes out now.'
        : ` ${result.resumed} requests that waited go out now.`;
  const text = `:white_check_mark: Connected${current ? ending(current) : ''}.${waiting} Type \`/design-request\` to order something.`;
  await messagePrivately(client, userId, text).catch((error) =>
    deps.log.warn({ err: error }, 'an admin could not be told of the connection'),
  );
  return buildNotice({ title: CONNECT_TITLE, text });
}

/** HTTP header values carry visible ASCII; anything else was copied wrongly. */
function malformed(key: string): string | undefined {
  if (key === '') return 'Paste the API key.';
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : 'An API key has no spaces and only plain letters, digits and signs. Copy it again.';
}
