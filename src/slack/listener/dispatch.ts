import type { AllMiddlewareArgs, AnyMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { Entries } from '../../store/entries.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { Homes } from '../home/homes.ts';
import type { AccessControl } from '../interaction/access.ts';
import {
  type ActionArgs,
  actorIn,
  type ClosedViewArgs,
  type CommandArgs,
  type Interaction,
  inTime,
  type OptionsArgs,
  type PersonalEvent,
  type Press,
  readCommand,
  readPress,
  readShortcut,
  refuseSubmission,
  reportUnexpected,
  type Shortcut,
  type ShortcutArgs,
  type Started,
  type Submission,
  type ViewArgs,
} from '../interaction/interactions.ts';
import { openModal } from '../interaction/open-modal.ts';
import { buildNotice, type Outcomes } from '../interaction/views.ts';
import { searchOptions } from '../request-form/options.ts';
import { unexpected, wordsForDenied } from '../words/errors.ts';
import type { WorkflowStep } from '../workflow-step/create-request.ts';
import { createFunctionListener, type FunctionArgs } from './functions.ts';
import { type Route, type RouteOf, routesOf } from './routes.ts';

type EventArgs = SlackEventMiddlewareArgs & AllMiddlewareArgs;
type PressRoute = RouteOf<'action' | 'modal' | 'sub-command'>;

/**
 * Handles every delivery: finds its route, and does what its kind requires before the handler runs: acknowledges it, makes
 * sure that it takes effect once, and checks access.
 */
export function createDispatch(deps: {
  routes: readonly Route[];
  access: AccessControl;
  entries: Entries;
  directMessages: DirectMessages;
  homes: Homes;
  outcomes: Outcomes;
  steps: Pick<WorkflowStep, 'complete' | 'fail'>;
  now: () => Date;
  log: Log;
}) {
  const { routes, access, entries, directMessages, homes, outcomes, steps, now, log } = deps;

  const commands = routesOf(routes, 'command');
  const shortcuts = routesOf(routes, 'shortcut');
  const actions = routesOf(routes, 'action', 'modal', 'sub-command', 'url-button');
  const menus = routesOf(routes, 'options');
  const submissions = routesOf(routes, 'submission', 'stored-submission');
  const closings = routesOf(routes, 'closed');
  const events = routesOf(routes, 'links', 'opened', 'event');
  const onFunction = createFunctionListener({ routes, access, steps, log });

  /**
   * Records a delivery and returns whether it is the first. Slack and attackers can resend signed bytes for minutes,
   * also after a restart or to another replica; they must not take effect twice.
   */
  async function recordDelivery({ once }: Pick<Interaction, 'once'>): Promise<boolean> {
    if (!once || (await entries.takeOnce(once, now()))) return true;
    const about = { workspace: once.owner, identity: once.name };
    log.warn(about, 'ignored an interaction that was delivered before');
    return false;
  }

  /**
   * Runs an acknowledged interaction once: `run` waits for `isFirst` before anything takes effect. An unexpected error
   * is reported to the person, in `words` with its reference. Commands and shortcuts only show things, so they also run
   * if the database can't tell whether they ran before.
   */
  async function runOnce<Done extends Interaction>(
    interaction: Done,
    kind: 'command' | 'button' | 'shortcut',
    id: string,
    run: ((started: Started<Done>) => Promise<void>) | undefined,
    words = unexpected,
  ): Promise<void> {
    const isFirst = recordDelivery(interaction).catch((error) => {
      if (kind === 'button') throw error;
      const what = `could not record a ${kind}, so it may run twice if Slack repeats it`;
      log.warn({ err: error }, what);
      return true;
    });
    try {
      if (run) await run({ ...interaction, isFirst });
      else if (await isFirst) throw new Error(`nothing handles the ${kind} ${id}`);
    } catch (error) {
      const reported = { context: { id }, words };
      await interaction.reply(reportUnexpected(log, error, `a ${kind} failed`, reported));
    }
    if (await isFirst.catch(() => true)) await directMessages.rememberUse(interaction);
  }

  async function onCommand(args: CommandArgs): Promise<void> {
    // Read first, here and below: what can't be read isn't acknowledged, so that Slack tells the person.
    const command = readCommand(args);
    await args.ack();
    const { command: id } = args.command;
    const route = commands.get(id);
    await runOnce(command, 'command', id, route?.run);
  }

  async function onShortcut(args: ShortcutArgs): Promise<void> {
    const shortcut = readShortcut(args);
    await args.ack();
    const { callback_id: id } = args.body;
    const route = shortcuts.get(id);
    const run =
      route &&
      ((started: Started<Shortcut>) =>
        openModal({ access, log }, started, route.access, route.run(shortcut)));
    await runOnce(shortcut, 'shortcut', id, run, route?.notOpened);
  }

  async function onAction(args: ActionArgs): Promise<void> {
    const press = readPress(args);
    await args.ack();
    const { actionId: id } = press;
    const route = actions.get(id);
    if (route?.kind === 'url-button') return;
    await runOnce(press, 'button', id, route && ((started) => handlePress(route, started)));
  }

  async function handlePress(route: PressRoute, press: Started<Press>) {
    // A button may open a form that is stored already, and preparing it stores it again.
    if (!(await press.isFirst)) return;
    if (route.kind === 'sub-command') return route.run(press);
    if (route.kind === 'modal') {
      return openModal({ access, log }, press, route.access, route.run(press));
    }
    const checked = await access.check(press, route.access);
    if ('denied' in checked) return press.reply(await access.explainDenied(press, checked.denied));
    await route.run(checked.user);
    homes.pressed(press);
  }

  /** Answers a search in a menu. Without access there is nothing to choose. */
  async function onSearch(args: OptionsArgs): Promise<void> {
    const { action_id: id, value, view } = args.payload;
    const list = async () => {
      const route = menus.get(id);
      if (!route) throw new Error(`nothing handles the menu ${id}`);
      const search = { ...actorIn(args, args.body.user.id), view };
      const checked = await access.check(search, route.access);
      return 'user' in checked ? route.run(checked.user) : [];
    };
    const choices = await inTime(list(), []).catch((error) => {
      log.warn({ err: error }, 'could not load the options of a menu');
      return [];
    });
    await args.ack({ options: searchOptions(choices, value) });
  }

  /**
   * Before the acknowledgment there is no time to ask Slack, so whoever is known to be denied is refused, and keeps the
   * modal with everything they typed.
   */
  async function onSubmitted(args: ViewArgs): Promise<void> {
    const { view, ack } = args;
    const { callback_id: id } = view;
    const submission = { ...actorIn(args, args.body.user.id), view, ack };
    const route = submissions.get(id);
    if (!route) {
      const error = new Error(`nothing handles the submission ${id}`);
      return refuseSubmission(submission, reportUnexpected(log, error, 'a submission failed'));
    }
    // If the database is down, let them through: the handler fails too, and reports it.
    const cached = await access.checkCached(submission, route.access, 'any').catch(() => undefined);
    if (cached && 'denied' in cached) {
      await refuseSubmission(submission, wordsForDenied(cached.denied));
      // Refreshes the cached answer: if they have access by now, the next attempt works.
      await access.check(submission, route.access);
    } else if (route.kind === 'stored-submission') await route.run(submission);
    else await submit(route, submission);
  }

  /** A submission that takes effect after the acknowledgment, once Slack has confirmed who submitted it. */
  async function submit(route: RouteOf<'submission'>, submission: Submission): Promise<void> {
    const { view, client, ack } = submission;
    const read = await route.run(submission);
    if ('problems' in read) return ack({ response_action: 'errors', errors: read.problems });
    const { title, busy, apply } = read;
    const notice = (text: string) => buildNotice({ title, text });
    const draw = outcomes.of(view.id);
    await ack({ response_action: 'update', view: notice(busy) });

    const finish = async () => {
      if (!(await recordDelivery(submission))) return undefined;
      const checked = await access.check(submission, route.access);
      if ('user' in checked) return apply(checked.user);
      return access.explainDenied(submission, checked.denied);
    };
    const outcome = await finish().catch((error: unknown) =>
      reportUnexpected(log, error, 'a submission failed', { context: { title } }),
    );
    if (outcome) await draw(client, typeof outcome === 'string' ? notice(outcome) : outcome);
  }

  async function onClosed(args: ClosedViewArgs): Promise<void> {
    const { view, ack } = args;
    await ack();
    const { callback_id: id } = view;
    const route = closings.get(id);
    if (route) await route.run({ ...actorIn(args, args.body.user.id), view });
    else log.warn({ id }, 'nothing handles a modal that was closed');
  }

  /** Events were stored by the intake. */
  async function onEvent(args: EventArgs): Promise<void> {
    const { body, event } = args;
    const route = events.get(event.type);
    // Without a client, because the app may be gone from the workspace.
    if (route?.kind === 'event') return route.run(body);
    if (!route) return log.warn({ id: event.type }, 'nothing handles an event');
    if (!('user' in event) || typeof event.user !== 'string') {
      // Some webhooks post links without a user, so there is nobody to check.
      if (route.kind !== 'links') log.warn({ id: event.type }, 'an event names no person');
      return;
    }
    const personal = { ...actorIn(args, event.user), body };
    if (route.kind === 'opened') await route.run(personal);
    else await showLinks(route, personal as PersonalEvent<'link_shared'>);
  }

  /**
   * Ignores links of people without access. Links in the composer get one attempt: by the time of a
   * retry, the message has been posted or discarded.
   */
  async function showLinks(route: RouteOf<'links'>, links: PersonalEvent<'link_shared'>) {
    try {
      const checked = await access.check(links, route.access);
      if ('user' in checked) await route.run(checked.user);
    } catch (error) {
      if (links.body.event.source !== 'composer') throw error;
      // Both are expected, and neither is about this link.
      if (error instanceof NotConnectedError || error instanceof RetryLaterError) return;
      log.warn({ err: error }, 'could not preview a card link in the composer');
    }
  }

  return async (args: (AnyMiddlewareArgs & AllMiddlewareArgs) | FunctionArgs): Promise<void> => {
    if ('command' in args) return onCommand(args);
    if ('action' in args) return onAction(args as ActionArgs);
    if ('shortcut' in args) return onShortcut(args);
    if ('options' in args) return onSearch(args as OptionsArgs);
    if ('view' in args) {
      return args.body.type === 'view_closed'
        ? onClosed(args as ClosedViewArgs)
        : onSubmitted(args as ViewArgs);
    }
    if (args.event.type === 'function_executed') return onFunction(args as FunctionArgs);
    return onEvent(args as EventArgs);
  };
}
