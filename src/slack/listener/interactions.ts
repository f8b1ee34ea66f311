import type { Log } from '../../ops/logging.ts';
import { pressedAction } from '../card/menu.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { Homes } from '../home/homes.ts';
import { searchOptions } from '../request-form/options.ts';
import { type AccessControl, actorOf } from '../surface/access.ts';
import { openModal } from '../surface/open-modal.ts';
import {
  type ActionArgs,
  type ClosedViewArgs,
  channelOf,
  type DeliveredCommandArgs,
  type IsFirstDelivery,
  inTime,
  type OptionsArgs,
  refuseSubmission,
  replyPrivately,
  replyToCommand,
  replyToShortcut,
  reportUnexpected,
  type ShortcutArgs,
  type ViewArgs,
  workspaceOf,
} from '../surface/replies.ts';
import type { Outcomes } from '../surface/views.ts';
import { buildNotice } from '../surface/views.ts';
import { unexpected, wordsForDenied } from '../words/errors.ts';
import { type Route, type RouteOf, routesOf } from './routes.ts';

export type InteractionDeps = {
  routes: readonly Route[];
  access: AccessControl;
  isFirstDelivery: IsFirstDelivery;
  directMessages: DirectMessages;
  homes: Homes;
  outcomes: Outcomes;
  log: Log;
};

type Interaction = {
  args: Pick<DeliveredCommandArgs | ActionArgs | ShortcutArgs, 'ack' | 'context' | 'respond'>;
  kind: 'command' | 'button' | 'shortcut';
  id: string;
  /** Undefined if nothing handles this ID. */
  run: (() => Promise<void>) | undefined;
  userId: string;
  channelId: string | undefined;
  /** Tells the person that it failed. */
  reply(text: string): Promise<void>;
  /** The text of that reply, from the error's reference. */
  words?: ((reference: string) => string) | undefined;
};

/**
 * Acknowledges an interaction, then runs it once. An unexpected error is reported to the person, with its reference.
 * Commands and shortcuts only show things, so they also run if the database can't tell whether they ran before.
 */
async function runOnce(deps: InteractionDeps, interaction: Interaction): Promise<void> {
  const { args, kind, id, run, userId, channelId, reply, words = unexpected } = interaction;
  const { ack, context, respond } = args;
  await ack();
  try {
    const isFirst = await deps.isFirstDelivery(args).catch((error) => {
      if (kind === 'button') throw error;
      deps.log.warn(
        { err: error },
        `could not record a ${kind}, so it may run twice if Slack repeats it`,
      );
      return true;
    });
    if (!isFirst) return;
    if (!run) throw new Error(`nothing handles the ${kind} ${id}`);
    await run();
  } catch (error) {
    const reported = { context: { id }, words };
    await reply(reportUnexpected(deps.log, error, `a ${kind} failed`, reported));
  }
  const workspaceId = workspaceOf(context);
  await deps.directMessages.rememberUse({ workspaceId, userId, channelId, respond });
}

export function commandListener(deps: InteractionDeps) {
  const routes = routesOf(deps.routes, 'command');
  return (args: DeliveredCommandArgs): Promise<void> => {
    const { command: id, user_id: userId, channel_id: channelId } = args.command;
    const route = routes.get(id);
    const run = route && (() => route.run(args));
    const reply = (text: string) => replyToCommand(args, text);
    return runOnce(deps, { args, kind: 'command', id, run, userId, channelId, reply });
  };
}

export function shortcutListener(deps: InteractionDeps) {
  const routes = routesOf(deps.routes, 'shortcut');
  return (args: ShortcutArgs): Promise<void> => {
    const { body } = args;
    const { callback_id: id, trigger_id: triggerId } = body;
    const route = routes.get(id);
    const open = ({ access, run }: RouteOf<'shortcut'>) =>
      openModal(deps, { ...actorOf(args), triggerId }, access, run(args));
    return runOnce(deps, {
      args,
      kind: 'shortcut',
      id,
      run: route && (() => open(route)),
      userId: body.user.id,
      channelId: body.type === 'message_action' ? body.channel.id : undefined,
      reply: (text) => replyToShortcut(args, text),
      words: route?.notOpened,
    });
  };
}

export function actionListener(deps: InteractionDeps) {
  const routes = routesOf(deps.routes, 'action', 'modal', 'sub-command', 'url-button');
  return async (delivered: ActionArgs): Promise<void> => {
    const args = { ...delivered, action: pressedAction(delivered.action) };
    const id = args.action.action_id;
    const route = routes.get(id);
    if (route?.kind === 'url-button') return args.ack();
    await runOnce(deps, {
      args,
      kind: 'button',
      id,
      run: route && (() => press(deps, route, args)),
      userId: args.body.user.id,
      channelId: channelOf(args),
      reply: (text) => replyPrivately(args, text),
    });
  };
}

async function press(
  deps: InteractionDeps,
  route: RouteOf<'action' | 'modal' | 'sub-command'>,
  args: ActionArgs,
): Promise<void> {
  if (route.kind === 'sub-command') return route.run(args);
  const actor = actorOf(args);
  if (route.kind === 'modal') {
    const { trigger_id: triggerId, view } = args.body;
    const opening = { ...actor, triggerId, isInModal: view?.type === 'modal' };
    return openModal(deps, opening, route.access, route.run(args));
  }
  const checked = await deps.access.check(actor, route.access);
  if ('denied' in checked) {
    return replyPrivately(args, await deps.access.explainDenied(actor, checked.denied));
  }
  await route.run(args, checked.user);
  deps.homes.pressed(args);
}

/** Answers a search in a menu. Without access there is nothing to choose. */
export function optionsListener(deps: InteractionDeps) {
  const routes = routesOf(deps.routes, 'options');
  return async (args: OptionsArgs): Promise<void> => {
    const { action_id: id, value } = args.payload;
    const list = async () => {
      const route = routes.get(id);
      if (!route) throw new Error(`nothing handles the menu ${id}`);
      const checked = await deps.access.check(actorOf(args), route.access);
      return 'user' in checked ? route.run(args, checked.user) : [];
    };
    const choices = await inTime(list(), []).catch((error) => {
      deps.log.warn({ err: error }, 'could not load the options of a menu');
      return [];
    });
    await args.ack({ options: searchOptions(choices, value) });
  };
}

/**
 * Handles submitted modals. Before the acknowledgment there is no time to ask Slack, so whoever is known to be denied is
 * refused, and keeps the modal with everything they typed.
 */
export function submissionListener(deps: InteractionDeps) {
  const routes = routesOf(deps.routes, 'submission', 'stored-submission');
  return async (args: ViewArgs): Promise<void> => {
    const { callback_id: id } = args.view;
    const route = routes.get(id);
    if (!route) {
      const error = new Error(`nothing handles the submission ${id}`);
      return refuseSubmission(args, reportUnexpected(deps.log, error, 'a submission failed'));
    }
    const actor = actorOf(args);
    // If the database is down, let them through: the handler fails too, and reports it.
    const cached = await deps.access.checkCached(actor, route.access, 'any').catch(() => undefined);
    if (cached && 'denied' in cached) {
      await refuseSubmission(args, wordsForDenied(cached.denied));
      // Refreshes the cached answer: if they have access by now, the next attempt works.
      await deps.access.check(actor, route.access);
    } else if (route.kind === 'stored-submission') {
      await route.run(args);
    } else await submit(deps, route, args);
  };
}

/** A submission that takes effect after the acknowledgment, once Slack has confirmed who submitted it. */
async function submit(
  deps: InteractionDeps,
  route: RouteOf<'submission'>,
  args: ViewArgs,
): Promise<void> {
  const { view, client, ack } = args;
  const submission = await route.run(args);
  if ('problems' in submission) {
    return ack({ response_action: 'errors', errors: submission.problems });
  }
  const { title, busy, apply } = submission;
  const notice = (text: string) => buildNotice({ title, text });
  const draw = deps.outcomes.of(view.id);
  await ack({ response_action: 'update', view: notice(busy) });

  const finish = async () => {
    if (!(await deps.isFirstDelivery(args))) return undefined;
    const actor = actorOf(args);
    const checked = await deps.access.check(actor, route.access);
    if ('user' in checked) return apply(checked.user);
    return deps.access.explainDenied(actor, checked.denied);
  };
  const outcome = await finish().catch((error: unknown) =>
    reportUnexpected(deps.log, error, 'a submission failed', { context: { title } }),
  );
  if (outcome) await draw(client, typeof outcome === 'string' ? notice(outcome) : outcome);
}

export function closedListener(deps: InteractionDeps) {
  const routes = routesOf(deps.routes, 'closed');
  return async (args: ClosedViewArgs): Promise<void> => {
    await args.ack();
    const { callback_id: id } = args.view;
    const route = routes.get(id);
    if (route) await route.run(args);
    else deps.log.warn({ id }, 'nothing handles a modal that was closed');
  };
}
