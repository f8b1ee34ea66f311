import type { Log } from '../../ops/logging.ts';
import { pressedAction } from '../card/menu.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { Homes } from '../home/homes.ts';
import { searchOptions } from '../request-form/options.ts';
import { type AccessControl, actorOf } from '../surface/access.ts';
import { type IsFirstDelivery, inTime, reportUnexpected } from '../surface/delivery.ts';
import { buildNotice } from '../surface/modal.ts';
import { openModal } from '../surface/open-modal.ts';
import {
  type ActionArgs,
  channelOf,
  type DeliveredCommandArgs,
  isInHome,
  type OptionsArgs,
  replyPrivately,
  replyToCommand,
  replyToShortcut,
  type ShortcutArgs,
  workspaceOf,
} from '../surface/replies.ts';
import { REPLY_TITLE, unexpected } from '../words/errors.ts';
import { type Route, type RouteOf, routesOf } from './routes.ts';

type Deps = {
  routes: readonly Route[];
  access: AccessControl;
  isFirstDelivery: IsFirstDelivery;
  directMessages: DirectMessages;
  homes: Homes;
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
  /** The text for that, from the error's reference. */
  words?: ((reference: string) => string) | undefined;
};

/**
 * Acknowledges an interaction, then runs it once. An unexpected error is reported to the person, with its reference.
 * Commands and shortcuts only show things, so they also run if the database can't tell whether they ran before.
 */
async function runOnce(deps: Deps, interaction: Interaction): Promise<void> {
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

export function commandListener(deps: Deps) {
  const routes = routesOf(deps.routes, 'command');
  return (args: DeliveredCommandArgs): Promise<void> => {
    const { command: id, user_id: userId, channel_id: channelId } = args.command;
    const route = routes.get(id);
    const run = route && (() => route.run(args));
    const reply = (text: string) => replyToCommand(args, text);
    return runOnce(deps, { args, kind: 'command', id, run, userId, channelId, reply });
  };
}

export function shortcutListener(deps: Deps) {
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

export function actionListener(deps: Deps) {
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
  deps: Deps,
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
    return refuse(deps, args, await deps.access.explainDenied(actor, checked.denied));
  }
  await route.run(args, checked.user);
  deps.homes.pressed(args);
}

/** In a modal, the refusal opens on top, so nothing typed is lost. */
async function refuse(deps: Deps, args: ActionArgs, text: string): Promise<void> {
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

/** Answers a search in a menu. Without access there is nothing to choose. */
export function optionsListener(deps: Deps) {
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
