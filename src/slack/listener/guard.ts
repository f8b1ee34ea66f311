import type { ModalView } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { Age, Person } from '../directory/people.ts';
import { buildNotice } from '../views/notice-view.ts';
import { type Denied, REPLY_TITLE, wordsForDenied } from '../words/errors.ts';
import { explainDenied } from './explain.ts';
import { isFirstDelivery } from './once.ts';
import { type Access, whyDenied } from './permissions.ts';
import {
  type ActionArgs,
  isInHome,
  type LinkSharedArgs,
  type OptionsArgs,
  refuseSubmission,
  replyPrivately,
  type ShortcutArgs,
  type ViewArgs,
  workspaceOf,
} from './replies.ts';
import { reportUnexpected } from './unexpected.ts';

type GuardDeps = Pick<SlackDeps, 'people' | 'settings' | 'adminToAsk' | 'now' | 'log'>;

/** The person who acted, before their access is checked. */
export type Actor = {
  client: SlackClient;
  workspaceId: WorkspaceId;
  userId: string;
};

/** A person who passed the access check. Only this module creates one. */
export type AllowedUser = { workspaceId: WorkspaceId; person: Person };

export type AccessCheck = { user: AllowedUser } | { denied: Denied };

/**
 * Asks Slack who someone is (always for what only admins may do, otherwise if the cached answer is
 * old) and applies the access rule.
 *
 * @throws Slack's error if it doesn't answer
 */
export async function checkAccess(
  deps: Pick<GuardDeps, 'people' | 'settings'>,
  { client, workspaceId, userId }: Actor,
  access: Access,
): Promise<AccessCheck> {
  const fresh = access === 'admins';
  const person = await deps.people.lookUp(client, workspaceId, userId, { fresh });
  return applyRule(deps, { workspaceId, person }, access);
}

/**
 * The same with Slack's last answer, for when there is no time to ask: before an acknowledgment or
 * before a modal opens. Call `checkAccess` before anything takes effect.
 *
 * @param age contents need a `recent` answer
 * @returns undefined if there is no such answer
 */
export async function checkCachedAccess(
  deps: Pick<GuardDeps, 'people' | 'settings'>,
  { workspaceId, userId }: Actor,
  access: Access,
  age: Age,
): Promise<AccessCheck | undefined> {
  const person = deps.people.cached(workspaceId, userId, age);
  return person && applyRule(deps, { workspaceId, person }, access);
}

async function applyRule(
  { settings }: Pick<GuardDeps, 'settings'>,
  user: AllowedUser,
  access: Access,
): Promise<AccessCheck> {
  const denied = await whyDenied(user.person, access, () => settings.get(user.workspaceId));
  return denied ? { denied } : { user };
}

export const actorOf = ({
  client,
  context,
  body,
}: Pick<
  ActionArgs | OptionsArgs | ViewArgs | ShortcutArgs,
  'client' | 'context' | 'body'
>): Actor => ({
  client,
  workspaceId: workspaceOf(context),
  userId: body.user.id,
});

/** A button or menu: runs for people with access and tells everyone else why not. */
export function guardAction(
  deps: GuardDeps,
  access: Access,
  run: (args: ActionArgs, user: AllowedUser) => Promise<void>,
) {
  return async (args: ActionArgs): Promise<void> => {
    const checked = await checkAccess(deps, actorOf(args), access);
    if ('user' in checked) return run(args, checked.user);
    await refuseAction(deps, args, await explainDenied(deps, actorOf(args), checked.denied));
  };
}

/** In a modal, the refusal opens on top, so nothing typed is lost. */
async function refuseAction(deps: GuardDeps, args: ActionArgs, text: string): Promise<void> {
  const { body, client } = args;
  if (!body.view || isInHome(args)) return replyPrivately(args, text);
  const view = buildNotice({ title: REPLY_TITLE, text });
  try {
    await client.views.push({ trigger_id: body.trigger_id, view });
  } catch (error) {
    deps.log.info(
      { err: error },
      'could not show a refusal in a modal, so it is sent as a message',
    );
    await replyPrivately(args, text);
  }
}

/** The options of a searchable menu: none without access. */
export function guardOptions<Option>(
  deps: GuardDeps,
  access: Access,
  list: (args: OptionsArgs, user: AllowedUser) => Promise<readonly Option[]>,
) {
  return async (args: OptionsArgs): Promise<readonly Option[]> => {
    const checked = await checkAccess(deps, actorOf(args), access);
    return 'user' in checked ? list(args, checked.user) : [];
  };
}

/** Links in a message: silently ignored if the person who posted them has no access. */
export function guardLinks(
  deps: GuardDeps,
  access: Access,
  run: (args: LinkSharedArgs, user: AllowedUser) => Promise<void>,
) {
  return async (args: LinkSharedArgs): Promise<void> => {
    const { client, context, event } = args;
    // Some webhooks post without a user, so there is nobody to check.
    if (!event.user) return;
    const actor = { client, workspaceId: workspaceOf(context), userId: event.user };
    const checked = await checkAccess(deps, actor, access);
    if ('user' in checked) await run(args, checked.user);
  };
}

/** A submitted modal: what is wrong with it, by block ID, or what to do. */
export type ModalSubmission =
  | { problems: Record<string, string> }
  | {
      title: string;
      /** Shown while `apply` runs. */
      busy: string;
      /** @returns the view to show afterwards; it must not contain a secret */
      apply(user: AllowedUser): Promise<ModalView>;
    };

/**
 * A modal whose submission takes effect after the acknowledgment, once Slack has confirmed who
 * submitted it.
 */
export function guardSubmission(
  deps: GuardDeps & Pick<SlackDeps, 'entries' | 'outcomes'>,
  access: Access,
  read: (args: ViewArgs) => ModalSubmission | Promise<ModalSubmission>,
) {
  return refuseKnownDenied(deps, access, async (args) => {
    const { view, client, ack } = args;
    const submission = await read(args);
    if ('problems' in submission) {
      return ack({ response_action: 'errors', errors: submission.problems });
    }
    const { title, busy, apply } = submission;
    const notice = (text: string) => buildNotice({ title, text });
    const draw = deps.outcomes.submitted(view.id);
    await ack({ response_action: 'update', view: notice(busy) });

    const finish = async () => {
      if (!(await isFirstDelivery(deps, args))) return undefined;
      const actor = actorOf(args);
      const checked = await checkAccess(deps, actor, access);
      if ('user' in checked) return apply(checked.user);
      return notice(await explainDenied(deps, actor, checked.denied));
    };
    const outcome = await finish().catch((error: unknown) =>
      notice(reportUnexpected(deps.log, error, 'a submission failed', { context: { title } })),
    );
    if (outcome) await draw(client, outcome);
  });
}

/**
 * A modal whose submission is stored before it is acknowledged, when there is no time to ask Slack.
 * What it stores is work that calls `checkAccess` before it takes effect.
 */
export const guardStoredSubmission = refuseKnownDenied;

/**
 * Submits a modal, unless the cached answer denies access: whoever is refused keeps the modal with
 * everything they typed.
 */
function refuseKnownDenied(
  deps: GuardDeps,
  access: Access,
  submit: (args: ViewArgs) => Promise<void>,
) {
  return async (args: ViewArgs): Promise<void> => {
    const actor = actorOf(args);
    // If the database is down, let them through: `submit` fails too, and reports it.
    const cached = await checkCachedAccess(deps, actor, access, 'any').catch(() => undefined);
    if (!cached || 'user' in cached) return submit(args);
    await refuseSubmission(args, wordsForDenied(cached.denied));
    // Refreshes the cached answer: if they have access by now, the next attempt works.
    await checkAccess(deps, actor, access);
  };
}
