import type { ModalView } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { WorkspaceSettings } from '../../store/workspace-settings.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { Person } from '../directory/people.ts';
import { type Access, type Denied, whyDenied } from '../directory/permissions.ts';
import { buildNotice } from '../views/notice-view.ts';
import { wordsForDenied } from '../words/errors.ts';
import { isFirstTime } from './once.ts';
import {
  type ActionArgs,
  type LinkSharedArgs,
  type OptionsArgs,
  replyPrivately,
  type ViewArgs,
  workspaceOf,
} from './replies.ts';
import { reportUnexpected } from './unexpected.ts';

type GuardDeps = Pick<SlackDeps, 'people' | 'settings' | 'now' | 'log'>;

/** Whoever wants something of the app, before it is known whether they may have it. */
export type Asker = { client: SlackClient; workspaceId: WorkspaceId; userId: string };

/** Someone who may use what they asked for. Only this module makes one. */
export type Visitor = { workspaceId: WorkspaceId; person: Person; settings: WorkspaceSettings };

export type Checked = { visitor: Visitor } | { denied: Denied };

/**
 * Checks someone against the access rule. Slack is asked who they are, for admins every time.
 *
 * @throws Slack's error if it doesn't say
 */
export async function checkAccess(
  deps: Pick<GuardDeps, 'people' | 'settings'>,
  { client, workspaceId, userId }: Asker,
  access: Access,
): Promise<Checked> {
  const fresh = access === 'admins';
  const person = await deps.people.whoIs(client, workspaceId, userId, { fresh });
  return judge(person, access, workspaceId, await deps.settings.get(workspaceId));
}

/**
 * The same with what Slack said last, for where there is no time to ask it: before an acknowledgment
 * or before a modal opens. It must be followed by `checkAccess` before anything takes effect.
 *
 * @returns undefined if Slack never said who they are
 */
export async function checkKnown(
  deps: Pick<GuardDeps, 'people' | 'settings'>,
  { workspaceId, userId }: Asker,
  access: Access,
): Promise<Checked | undefined> {
  const person = deps.people.known(workspaceId, userId);
  return person && judge(person, access, workspaceId, await deps.settings.get(workspaceId));
}

function judge(
  person: Person,
  access: Access,
  workspaceId: WorkspaceId,
  settings: WorkspaceSettings,
): Checked {
  const denied = whyDenied(person, access, settings);
  return denied ? { denied } : { visitor: { workspaceId, person, settings } };
}

export const askerOf = ({
  client,
  context,
  body,
}: Pick<ActionArgs | OptionsArgs | ViewArgs, 'client' | 'context' | 'body'>): Asker => ({
  client,
  workspaceId: workspaceOf(context),
  userId: body.user.id,
});

/** A button or menu: runs for those who may, and tells everyone else why not. */
export function guardAction(
  deps: GuardDeps,
  access: Access,
  run: (args: ActionArgs, visitor: Visitor) => Promise<void>,
) {
  return async (args: ActionArgs): Promise<void> => {
    const checked = await checkAccess(deps, askerOf(args), access);
    if ('visitor' in checked) return run(args, checked.visitor);
    await refuseAction(deps, args, wordsForDenied(checked.denied));
  };
}

/** In a modal, the refusal opens on top of it, so that nothing typed there is lost. */
async function refuseAction(deps: GuardDeps, args: ActionArgs, text: string): Promise<void> {
  const { body, client } = args;
  if (!body.view) return replyPrivately(args, text);
  const view = buildNotice({ title: NOTICE_TITLE, text });
  try {
    await client.views.push({ trigger_id: body.trigger_id, view });
  } catch (error) {
    deps.log.info({ err: error }, 'a refusal could not be shown in the modal');
    await replyPrivately(args, text);
  }
}

const NOTICE_TITLE = 'Design request';

/** The options of a menu that is searched: none for those who may not use it. */
export function guardOptions<Option>(
  deps: GuardDeps,
  access: Access,
  list: (args: OptionsArgs, visitor: Visitor) => Promise<readonly Option[]>,
) {
  return async (args: OptionsArgs): Promise<readonly Option[]> => {
    const checked = await checkAccess(deps, askerOf(args), access);
    return 'visitor' in checked ? list(args, checked.visitor) : [];
  };
}

/** Links in a message: nothing is shown, or said, if whoever posted them may not use the app. */
export function guardLinks(
  deps: GuardDeps,
  access: Access,
  run: (args: LinkSharedArgs, visitor: Visitor) => Promise<void>,
) {
  return async (args: LinkSharedArgs): Promise<void> => {
    const { client, context, event } = args;
    // Without a poster, as from some webhooks, nobody's rights can be checked.
    if (!event.user) return;
    const asker = { client, workspaceId: workspaceOf(context), userId: event.user };
    const checked = await checkAccess(deps, asker, access);
    if ('visitor' in checked) await run(args, checked.visitor);
  };
}

/** What a submitted modal asks for, or what is wrong with it, by block id. */
export type Submission =
  | { problems: Record<string, string> }
  | {
      title: string;
      /** Shown until it is done. */
      busy: string;
      /** @returns what the modal shows then; it must hold no secret */
      apply(visitor: Visitor): Promise<ModalView>;
    };

/** A modal that takes effect right after the acknowledgment, once Slack has said who submitted it. */
export function guardSubmission(
  deps: GuardDeps & Pick<SlackDeps, 'interactions' | 'outcomes'>,
  access: Access,
  read: (args: ViewArgs) => Submission,
) {
  return guardStoredSubmission(deps, access, async (args) => {
    const { view, client, ack } = args;
    const submission = read(args);
    if ('problems' in submission) {
      return ack({ response_action: 'errors', errors: submission.problems });
    }
    const { title, busy, apply } = submission;
    const notice = (text: string) => buildNotice({ title, text });
    const draw = deps.outcomes.submitted(view.id);
    await ack({ response_action: 'update', view: notice(busy) });

    const finish = async () => {
      if (!(await isFirstTime(deps, args))) return undefined;
      const checked = await checkAccess(deps, askerOf(args), access);
      return 'denied' in checked ? notice(wordsForDenied(checked.denied)) : apply(checked.visitor);
    };
    const outcome = await finish().catch((error: unknown) =>
      notice(reportUnexpected(deps.log, error, 'a submission failed', { context: { title } })),
    );
    if (outcome) await draw(client, outcome);
  });
}

/**
 * A modal whose submission is stored before its acknowledgment, when there is no time to ask Slack.
 * Those who are known to be denied keep the modal, with everything they typed.
 *
 * @param submit must leave `checkAccess` to whatever acts on what it stores
 */
export function guardStoredSubmission(
  deps: GuardDeps,
  access: Access,
  submit: (args: ViewArgs) => Promise<void>,
) {
  return async (args: ViewArgs): Promise<void> => {
    const asker = askerOf(args);
    // A database that is away keeps nobody out: then nothing can be stored either, and `submit` says so.
    const known = await checkKnown(deps, asker, access).catch(() => undefined);
    if (!known || 'visitor' in known) return submit(args);
    const words = wordsForDenied(known.denied);
    const blockId = args.view.blocks.find(({ type }) => type === 'input')?.block_id;
    await args.ack(
      blockId === undefined
        ? { response_action: 'update', view: buildNotice({ title: NOTICE_TITLE, text: words }) }
        : { response_action: 'errors', errors: { [blockId]: words } },
    );
    // They may be allowed by now; then the next try works.
    await checkAccess(deps, asker, access);
  };
}
