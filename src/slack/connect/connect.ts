import type { ModalView } from '@slack/types';
import { type ConnectContext, connectKey } from '../../installations/connect-key.ts';
import type { OrganisationId, WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser, Submission } from '../listener/guard.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import type { ViewArgs } from '../listener/replies.ts';
import { buildNotice } from '../views/notice-view.ts';
import { CONNECT, connected } from '../words/connect.ts';
import { wordsForRefusedKey } from '../words/errors.ts';
import { ONE_MOMENT } from '../words/modal.ts';
import {
  buildConnectView,
  KEY_BLOCK,
  KEY_INPUT,
  SHARE_BLOCK,
  SHARE_INPUT,
} from './connect-view.ts';

export type ConnectDeps = ConnectContext &
  Pick<SlackDeps, 'organisations' | 'directMessages' | 'log'>;

const notice = (text: string) => buildNotice({ title: CONNECT.title, text });

/** `/design-request connect` */
export const connectModal = (deps: ConnectDeps): ModalRequest => ({
  loading: notice(ONE_MOMENT),
  notice,
  async fill({ workspaceId, person }, modal) {
    const current = await deps.keys.describe(workspaceId);
    const mayShare = (await organisationFor(deps, workspaceId, person)) !== undefined;
    await modal.draw(buildConnectView({ current, mayShare }));
  },
});

/** The organization through which the workspace has the app, if that person administers it. */
async function organisationFor(
  { organisations }: Pick<ConnectDeps, 'organisations'>,
  workspaceId: WorkspaceId,
  { administers }: AllowedUser['person'],
): Promise<OrganisationId | undefined> {
  if (administers === undefined) return undefined;
  const organisationId = await organisations.organisationOf(workspaceId);
  return organisationId === administers ? organisationId : undefined;
}

/** Checks the format of a submitted key right away, and the key itself with the service. */
export function onConnectSubmitted(
  deps: ConnectDeps,
  { view, client }: Pick<ViewArgs, 'view' | 'client'>,
): Submission {
  const { values } = view.state;
  const key = values[KEY_BLOCK]?.[KEY_INPUT]?.value?.trim() ?? '';
  const problem = formatProblem(key);
  if (problem) return { problems: { [KEY_BLOCK]: problem } };
  const isShared = values[SHARE_BLOCK]?.[SHARE_INPUT]?.selected_options?.length === 1;
  return {
    title: CONNECT.title,
    busy: CONNECT.checking,
    apply: (user) => connect(deps, client, user, { key, isShared }),
  };
}

async function connect(
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
  const text = connected(current, result.resumed);
  await deps.directMessages
    .send(client, { workspaceId, userId }, { text })
    .catch((error) =>
      deps.log.warn({ err: error }, 'could not confirm a new API key in a direct message'),
    );
  return notice(text);
}

/** HTTP headers allow only visible ASCII; anything else was copied wrong. */
function formatProblem(key: string): string | undefined {
  if (key === '') return CONNECT.noKey;
  return /^[\x21-\x7e]+$/.test(key) ? undefined : CONNECT.malformedKey;
}
