import type { ModalView } from '@slack/types';
import { type ConnectContext, connectKey } from '../../installations/connect-key.ts';
import type { OrganisationId, WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { Person } from '../directory/people.ts';
import type { AllowedUser, Submission } from '../listener/guard.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import type { ViewArgs } from '../listener/replies.ts';
import { buildNotice } from '../views/notice-view.ts';
import { wordsForRefusedKey } from '../words/errors.ts';
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
  Pick<SlackDeps, 'organisations' | 'directMessages' | 'log'>;

const notice = (text: string) => buildNotice({ title: CONNECT_TITLE, text });

/** `/design-request connect` */
export const connectModal = (deps: ConnectDeps): ModalRequest => ({
  loading: notice('One moment…'),
  notice,
  async fill({ workspaceId, person }, modal) {
    const current = await deps.keys.describe(workspaceId);
    const mayShare = (await organisationFor(deps, workspaceId, person)) !== undefined;
    await modal.draw(buildConnectView({ current, mayShare }));
  },
});

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

/** Takes a key: its form is checked at once, the key itself by the service. */
export function onConnectSubmitted(
  deps: ConnectDeps,
  { view, client }: Pick<ViewArgs, 'view' | 'client'>,
): Submission {
  const { values } = view.state;
  const key = values[KEY_BLOCK]?.[KEY_INPUT]?.value?.trim() ?? '';
  const problem = malformed(key);
  if (problem) return { problems: { [KEY_BLOCK]: problem } };
  const isShared = values[SHARE_BLOCK]?.[SHARE_INPUT]?.selected_options?.length === 1;
  return {
    title: CONNECT_TITLE,
    busy: 'Checking the key…',
    apply: (user) => check(deps, client, user, { key, isShared }),
  };
}

async function check(
  deps: ConnectDeps,
  client: SlackClient,
  { workspaceId, person }: AllowedUser,
  input: { key: string; isShared: boolean },
): Promise<ModalView> {
  const userId = person.id;
  const organisationId = await organisationFor(deps, workspaceId, person);
  const shared = input.isShared ? organisationId : undefined;
  const result = await connectKey(deps, {
    workspaceId,
    userId,
    key: input.key,
    organisationId: shared,
  });
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
  await deps.directMessages
    .send(client, { workspaceId, userId }, { text })
    .catch((error) =>
      deps.log.warn({ err: error }, 'an admin could not be told of the connection'),
    );
  return notice(text);
}

/** HTTP header values carry visible ASCII; anything else was copied wrongly. */
function malformed(key: string): string | undefined {
  if (key === '') return 'Paste the API key.';
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : 'An API key has no spaces and only plain letters, digits and signs. Copy it again.';
}
