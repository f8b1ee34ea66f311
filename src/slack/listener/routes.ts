import type { EnvelopedEvent } from '@slack/bolt';
import type { SlackEvent } from '@slack/types';
import { CARD_ACTIONS } from '../card/menu.ts';
import { COMMAND, RUN_SUB_COMMAND } from '../command/command.ts';
import type { Surfaces } from '../create-surfaces.ts';
import { HOME_ACTIONS } from '../home/home-view.ts';
import type { Access, Actor, Allowed } from '../interaction/access.ts';
import { ASK_ADMIN_ACTION, CONNECT_ACTION } from '../interaction/connection.ts';
import type {
  ClosedView,
  Command,
  PersonalEvent,
  Press,
  Search,
  Shortcut,
  Started,
  Submission,
} from '../interaction/interactions.ts';
import type { ModalSubmission, ModalToOpen } from '../interaction/open-modal.ts';
import { SEARCHABLE_FIELDS } from '../request-form/fields.ts';
import {
  FORM_ACTIONS,
  REQUEST_AGAIN,
  REQUEST_FORM,
  REQUEST_TYPE_INPUT,
  SHARE_IN_INPUT,
} from '../request-form/ids.ts';
import { FOUND_VIEW } from '../request-form/in-doubt.ts';
import type { Choice } from '../request-form/options.ts';
import { CONNECT_VIEW, DISCONNECT_ACTION, PROJECT_VIEW } from '../settings/connect.ts';
import { PRESET_ACTIONS, PRESET_VIEW } from '../settings/preset.ts';
import { RECENT_CHANGES_ACTION } from '../settings/recent-changes.ts';
import { SETTINGS_VIEW } from '../settings/settings.ts';
import { SHORTCUTS } from '../shortcuts/from-message.ts';
import { FROM_MESSAGE } from '../words/shortcuts.ts';
import { CREATE_STEP, STEP_OPTIONS } from '../workflow-step/create-request.ts';

/** What runs for someone with access. */
type Handler<Acting extends Actor, Result = void> = (done: Allowed<Acting>) => Promise<Result>;

type Step = PersonalEvent<'function_executed'>;

/** One thing that people or Slack can do, who may do it, and what handles it. */
export type Route = { id: string } & (
  | { kind: 'command'; run(command: Started<Command>): Promise<void> }
  /** A button that runs a subcommand. */
  | { kind: 'sub-command'; run(press: Started<Press>): Promise<void> }
  /** A button, or a field that reports changes. */
  | { kind: 'action'; access: Access; run: Handler<Press> }
  /** A button that opens a modal. */
  | { kind: 'modal'; access: Access; run(press: Press): ModalToOpen }
  /** Opens a URL in the browser. The app does nothing, so anyone may press it. */
  | { kind: 'url-button' }
  | {
      /** A shortcut, in the menu of a message or anywhere, which opens a modal. */
      kind: 'shortcut';
      access: Access;
      run(shortcut: Shortcut): ModalToOpen;
      /** What the person reads if it fails, with the error's reference. */
      notOpened(reference: string): string;
    }
  /** A searchable menu. */
  | { kind: 'options'; access: Access; run: Handler<Search, readonly Choice[]> }
  | {
      /** A modal whose submission takes effect right after it is acknowledged. */
      kind: 'submission';
      access: Access;
      run(submission: Submission): ModalSubmission | Promise<ModalSubmission>;
    }
  /** A modal whose submission is stored. The job that handles it checks access again. */
  | { kind: 'stored-submission'; access: Access; run(submission: Submission): Promise<void> }
  /** A modal that was closed. It only saves what the person typed, so anyone may close it. */
  | { kind: 'closed'; run(closed: ClosedView): Promise<void> }
  /** Links in a message, posted or being typed. */
  | { kind: 'links'; access: Access; run: Handler<PersonalEvent<'link_shared'>> }
  /** The Home tab, or the pane with a card. Both check access themselves, to tell people without it why. */
  | { kind: 'opened'; run(event: PersonalEvent): Promise<void> }
  /** A step of a workflow, run for a person. */
  | { kind: 'step'; access: Access; run: Handler<Step> }
  /** Lists the options of a step's menu in Workflow Builder. */
  | { kind: 'step-options'; access: Access; run: Handler<Step, readonly Choice[]> }
  /** Sent by Slack itself, not because of a person. */
  | { kind: 'event'; run(body: EnvelopedEvent<SlackEvent>): Promise<void> }
);

/** What people can do in Slack, and what Slack sends: `dispatch.ts` finds each delivery by its ID. */
export function createRoutes(surfaces: Surfaces): readonly Route[] {
  const { command, cardButtons, homes } = surfaces;
  const { formModals, openForms, onRefreshConfirmation, decisions, removal } = surfaces;
  const { connect, presets, settingsModal } = surfaces;
  const { workflowStep: step } = surfaces;
  const newForm = () => formModals.ofNew({});
  const openSettings = () => settingsModal.open(undefined);
  /** The form and presets have the same inputs. Saving a preset takes an admin, which is checked then. */
  const onInputChanged: Handler<Press> = (press) =>
    press.view?.callback_id === PRESET_VIEW ? presets.onChanged(press) : openForms.onChanged(press);
  return [
    // Who may run a subcommand is in `createSubCommands`.
    { kind: 'command', id: COMMAND, run: command.run },
    { kind: 'sub-command', id: RUN_SUB_COMMAND, run: command.runChosen },

    { kind: 'links', id: 'link_shared', access: 'users', run: surfaces.onLinksShared },
    { kind: 'opened', id: 'entity_details_requested', run: surfaces.onDetailsRequested },
    { kind: 'url-button', id: CARD_ACTIONS.open },
    { kind: 'action', id: CARD_ACTIONS.refresh, access: 'users', run: cardButtons.refresh },
    { kind: 'action', id: CARD_ACTIONS.share, access: 'users', run: cardButtons.share },
    { kind: 'modal', id: CARD_ACTIONS.showAll, access: 'users', run: cardButtons.showAll },
    { kind: 'modal', id: CARD_ACTIONS.again, access: 'users', run: formModals.ofCard },
    { kind: 'action', id: CARD_ACTIONS.watch, access: 'users', run: cardButtons.watch },
    { kind: 'action', id: CARD_ACTIONS.stopWatching, access: 'users', run: cardButtons.stop },

    {
      kind: 'shortcut',
      id: SHORTCUTS.fromMessage,
      access: 'users',
      run: surfaces.formFromMessage,
      notOpened: FROM_MESSAGE.notOpened,
    },
    {
      kind: 'shortcut',
      id: SHORTCUTS.requestDesign,
      access: 'users',
      run: newForm,
      notOpened: FROM_MESSAGE.notOpenedAnywhere,
    },

    { kind: 'opened', id: 'app_home_opened', run: homes.open },
    { kind: 'modal', id: HOME_ACTIONS.newRequest, access: 'users', run: newForm },
    { kind: 'modal', id: HOME_ACTIONS.settings, access: 'admins', run: openSettings },
    // The tab is drawn again after every press in it.
    { kind: 'action', id: HOME_ACTIONS.refresh, access: 'users', run: async () => undefined },

    { kind: 'stored-submission', id: REQUEST_FORM, access: 'users', run: openForms.onSubmit },
    { kind: 'closed', id: REQUEST_FORM, run: surfaces.onFormClosed },
    { kind: 'action', id: REQUEST_TYPE_INPUT, access: 'users', run: onInputChanged },
    { kind: 'action', id: SHARE_IN_INPUT, access: 'users', run: openForms.onChanged },
    { kind: 'action', id: FORM_ACTIONS.moreOptions, access: 'users', run: openForms.onChanged },
    { kind: 'action', id: FORM_ACTIONS.continueHere, access: 'users', run: openForms.onContinue },
    { kind: 'action', id: FORM_ACTIONS.discardForm, access: 'users', run: openForms.onDiscard },
    { kind: 'action', id: FORM_ACTIONS.retryLoading, access: 'users', run: openForms.onRetry },
    ...SEARCHABLE_FIELDS.map(
      (field): Route => ({
        kind: 'options',
        id: field.name,
        access: 'users',
        run: openForms.searchedChoices(field),
      }),
    ),
    { kind: 'modal', id: FORM_ACTIONS.openWithTyped, access: 'users', run: formModals.withTyped },
    { kind: 'modal', id: FORM_ACTIONS.continue, access: 'users', run: formModals.ofClosed },

    { kind: 'url-button', id: FORM_ACTIONS.openCard },
    { kind: 'action', id: FORM_ACTIONS.refresh, access: 'users', run: onRefreshConfirmation },
    { kind: 'modal', id: REQUEST_AGAIN, access: 'users', run: formModals.ofRequest },
    { kind: 'modal', id: FORM_ACTIONS.reopen, access: 'users', run: formModals.ofRefused },
    { kind: 'modal', id: FORM_ACTIONS.found, access: 'users', run: decisions.foundModal },
    { kind: 'submission', id: FOUND_VIEW, access: 'users', run: decisions.onFoundSubmitted },
    { kind: 'action', id: FORM_ACTIONS.sendAgain, access: 'users', run: decisions.onSendAgain },
    { kind: 'action', id: FORM_ACTIONS.discard, access: 'users', run: decisions.onDiscard },

    { kind: 'modal', id: CONNECT_ACTION, access: 'admins', run: connect.modal },
    { kind: 'submission', id: CONNECT_VIEW, access: 'admins', run: connect.onSubmitted },
    { kind: 'submission', id: PROJECT_VIEW, access: 'admins', run: connect.onProjectSubmitted },
    { kind: 'action', id: ASK_ADMIN_ACTION, access: 'users', run: surfaces.onAskAdmin },
    { kind: 'action', id: DISCONNECT_ACTION, access: 'admins', run: connect.disconnect },
    { kind: 'submission', id: SETTINGS_VIEW, access: 'admins', run: settingsModal.onSubmitted },
    { kind: 'modal', id: PRESET_ACTIONS.ofWorkspace, access: 'admins', run: presets.modal },
    { kind: 'modal', id: PRESET_ACTIONS.ofChannel, access: 'admins', run: presets.modal },
    { kind: 'submission', id: PRESET_VIEW, access: 'admins', run: presets.onSubmitted },
    { kind: 'modal', id: RECENT_CHANGES_ACTION, access: 'admins', run: surfaces.recentChanges },

    { kind: 'step', id: CREATE_STEP, access: 'users', run: step.onRun },
    { kind: 'step-options', id: STEP_OPTIONS.types, access: 'users', run: step.listTypes },
    { kind: 'step-options', id: STEP_OPTIONS.brands, access: 'users', run: step.listBrands },
    { kind: 'step-options', id: STEP_OPTIONS.products, access: 'users', run: step.listProducts },

    { kind: 'event', id: 'app_uninstalled', run: removal.onUninstalled },
    { kind: 'event', id: 'tokens_revoked', run: removal.onTokensRevoked },
    { kind: 'event', id: 'team_access_granted', run: removal.onAccessGranted },
    { kind: 'event', id: 'team_access_revoked', run: removal.onAccessRevoked },
  ];
}

export type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>;

export function routesOf<Kind extends Route['kind']>(
  routes: readonly Route[],
  ...kinds: readonly Kind[]
): ReadonlyMap<string, RouteOf<Kind>> {
  const isOfKind = (route: Route): route is RouteOf<Kind> =>
    kinds.some((kind) => kind === route.kind);
  return new Map(routes.filter(isOfKind).map((route) => [route.id, route]));
}
