import { CARD_ACTIONS } from './card/ids.ts';
import { onRefresh } from './card/refresh.ts';
import { onShare } from './card/share.ts';
import { showAllModal } from './card/show-all.ts';
import { createLinkShared } from './card/unfurl.ts';
import { RUN_SUB_COMMAND } from './command/help.ts';
import { onRunSubCommand } from './command/registry.ts';
import { ASK_ADMIN_ACTION, CONNECT_ACTION, onAskAdmin } from './connect/ask-admin.ts';
import { connectModal, onConnectSubmitted, onProjectSubmitted } from './connect/connect.ts';
import { CONNECT_VIEW } from './connect/connect-view.ts';
import { DISCONNECT_ACTION, onDisconnect } from './connect/disconnect.ts';
import { PROJECT_VIEW } from './connect/project-view.ts';
import type { SlackDeps } from './deps.ts';
import { HOME_ACTIONS } from './home/home-view.ts';
import type { AllowedUser, ModalSubmission } from './listener/guard.ts';
import type { ModalToOpen } from './listener/open-modal.ts';
import type { Access } from './listener/permissions.ts';
import type {
  ActionArgs,
  ClosedViewArgs,
  DetailsArgs,
  HomeOpenedArgs,
  LinkSharedArgs,
  OptionsArgs,
  ShortcutArgs,
  ViewArgs,
} from './listener/replies.ts';
import { searchedChoices } from './request-form/answer-search.ts';
import { onDecision } from './request-form/decide.ts';
import { SEARCHABLE_FIELDS } from './request-form/fields.ts';
import { FOUND_VIEW, foundModal, onFoundSubmitted } from './request-form/found.ts';
import {
  FORM_ACTIONS,
  REQUEST_AGAIN,
  REQUEST_FORM,
  REQUEST_TYPE_INPUT,
  SHARE_IN_INPUT,
} from './request-form/ids.ts';
import {
  cardAgainModal,
  continueModal,
  formModal,
  onRetryLoading,
  reopenModal,
  requestAgainModal,
  typedTextModal,
} from './request-form/open.ts';
import type { Choice } from './request-form/options.ts';
import { onContinueHere, onDiscardForm, onFormChanged } from './request-form/redraw.ts';
import { onRefreshConfirmation } from './request-form/refresh-confirmation.ts';
import { onSubmit } from './request-form/submit.ts';
import { onFormClosed } from './request-form/unfinished.ts';
import { onPresetChanged, onPresetSubmitted, presetModal } from './settings/preset.ts';
import { PRESET_ACTIONS, PRESET_VIEW } from './settings/preset-view.ts';
import { onOtherChanges, recentChangesModal } from './settings/recent-changes.ts';
import { RECENT_CHANGES_ACTIONS } from './settings/recent-changes-view.ts';
import { onSettingsSubmitted, settingsModal } from './settings/settings.ts';
import { SETTINGS_VIEW } from './settings/settings-view.ts';
import { formFromMessage } from './shortcuts/from-message.ts';
import { SHORTCUTS } from './shortcuts/ids.ts';
import { onStopWatching, onWatch } from './watching/buttons.ts';
import { WATCH_ACTIONS } from './watching/ids.ts';
import { ANYWHERE, FROM_MESSAGE } from './words/shortcuts.ts';
import { onDetailsRequested } from './work-object/present.ts';
import { onCreateStep } from './workflow-step/create-request.ts';
import type { StepArgs } from './workflow-step/guard-step.ts';
import { CREATE_STEP, STEP_OPTIONS } from './workflow-step/ids.ts';
import { listBrands, listProducts, listTypes } from './workflow-step/options.ts';

/** Something that people press. */
export type ButtonSurface = { id: string } & (
  | {
      /** A button, or a field that reports changes. */
      kind: 'action';
      access: Access;
      create(deps: SlackDeps): (args: ActionArgs, user: AllowedUser) => Promise<void>;
    }
  | {
      /** A button that opens a modal. */
      kind: 'modal';
      access: Access;
      modal(deps: SlackDeps, args: ActionArgs): ModalToOpen;
    }
  | {
      /** A button that runs a subcommand, which has its own access in `SUB_COMMANDS`. */
      kind: 'sub-command';
      run(deps: SlackDeps, args: ActionArgs): Promise<void>;
    }
);

/** Something that people can do in Slack other than typing the command, and who may do it. */
export type Surface = ButtonSurface | ({ id: string } & OtherSurface);

type OtherSurface =
  /** A menu whose entries stand for buttons, each with its own access; see `card/menu.ts`. */
  | { kind: 'menu' }
  | {
      /** A shortcut, in the menu of a message or anywhere, which opens a modal. */
      kind: 'shortcut';
      access: Access;
      modal(deps: SlackDeps, args: ShortcutArgs): ModalToOpen;
      /** Tells the person that it failed. */
      notOpened(reference: string): string;
    }
  | {
      /** A searchable menu. */
      kind: 'options';
      access: Access;
      list(deps: SlackDeps, args: OptionsArgs, user: AllowedUser): Promise<readonly Choice[]>;
    }
  | {
      /** A modal whose submission takes effect right after it is acknowledged. */
      kind: 'submission';
      access: Access;
      read(deps: SlackDeps, args: ViewArgs): ModalSubmission | Promise<ModalSubmission>;
    }
  | {
      /** A modal whose submission is stored. The job that handles it checks access again. */
      kind: 'stored-submission';
      access: Access;
      submit(deps: SlackDeps, args: ViewArgs): Promise<void>;
    }
  | {
      kind: 'links';
      id: 'link_shared';
      access: Access;
      create(deps: SlackDeps): (args: LinkSharedArgs, user: AllowedUser) => Promise<void>;
    }
  | {
      /** A step of a workflow, run for a person. */
      kind: 'step';
      access: Access;
      run(deps: SlackDeps, args: StepArgs, user: AllowedUser): Promise<void>;
    }
  | {
      /** Lists the options of a step's menu in Workflow Builder. */
      kind: 'step-options';
      access: Access;
      list(deps: SlackDeps, args: StepArgs, user: AllowedUser): Promise<readonly Choice[]>;
    }
  /** A modal that was closed. It only saves what the person typed, so anyone may close it. */
  | { kind: 'closed'; close(deps: SlackDeps, args: ClosedViewArgs): Promise<void> }
  | {
      /** The app's Home tab. It is for users, and says so to others; it checks that whenever it is drawn. */
      kind: 'home';
      id: 'app_home_opened';
      open(deps: SlackDeps, args: HomeOpenedArgs): Promise<void>;
    }
  | {
      /** The pane with a card's details, which also says why there are none. */
      kind: 'details';
      id: 'entity_details_requested';
      access: Access;
      present(deps: SlackDeps, args: DetailsArgs, access: Access): Promise<void>;
    }
  /** Opens a URL in the browser. The app does nothing, so anyone may press it. */
  | { kind: 'url-button' };

type ActionHandler = (deps: SlackDeps, args: ActionArgs, user: AllowedUser) => Promise<void>;

const action = (id: string, access: Access, run: ActionHandler): Surface => ({
  kind: 'action',
  id,
  access,
  create: (deps) => (args, user) => run(deps, args, user),
});

/** The form and presets have the same inputs. Who saves a preset is checked when it is saved. */
const onInputChanged: ActionHandler = (deps, args) =>
  args.body.view?.callback_id === PRESET_VIEW
    ? onPresetChanged(deps, args)
    : onFormChanged(deps, args);

/**
 * Everything that people can do in Slack besides the command, whose subcommands are in `SUB_COMMANDS`. A handler can only
 * be registered through these tables, so it can't be without an access check, except for a form that is closed: that only
 * saves what the person typed.
 */
export const SURFACES: readonly Surface[] = [
  { kind: 'links', id: 'link_shared', access: 'users', create: createLinkShared },
  { kind: 'menu', id: CARD_ACTIONS.menu },
  {
    kind: 'details',
    id: 'entity_details_requested',
    access: 'users',
    present: onDetailsRequested,
  },
  { kind: 'url-button', id: CARD_ACTIONS.open },
  action(CARD_ACTIONS.refresh, 'users', onRefresh),
  action(CARD_ACTIONS.share, 'users', onShare),
  action(WATCH_ACTIONS.watch, 'users', onWatch),
  action(WATCH_ACTIONS.stop, 'users', onStopWatching),
  { kind: 'sub-command', id: RUN_SUB_COMMAND, run: onRunSubCommand },

  {
    kind: 'shortcut',
    id: SHORTCUTS.fromMessage,
    access: 'users',
    modal: formFromMessage,
    notOpened: FROM_MESSAGE.notOpened,
  },
  {
    kind: 'shortcut',
    id: SHORTCUTS.requestDesign,
    access: 'users',
    modal: (deps, { client }) => formModal(deps, { client }),
    notOpened: ANYWHERE.notOpened,
  },

  { kind: 'home', id: 'app_home_opened', open: ({ homes }, args) => homes.open(args) },
  {
    kind: 'modal',
    id: HOME_ACTIONS.newRequest,
    access: 'users',
    modal: (deps, { client }) => formModal(deps, { client }),
  },
  {
    kind: 'modal',
    id: HOME_ACTIONS.settings,
    access: 'admins',
    modal: (deps) => settingsModal(deps, undefined),
  },
  // Drawn again like after any button.
  action(HOME_ACTIONS.refresh, 'users', async () => undefined),

  { kind: 'stored-submission', id: REQUEST_FORM, access: 'users', submit: onSubmit },
  action(REQUEST_TYPE_INPUT, 'users', onInputChanged),
  action(SHARE_IN_INPUT, 'users', onFormChanged),
  action(FORM_ACTIONS.moreOptions, 'users', onFormChanged),
  action(FORM_ACTIONS.continueHere, 'users', onContinueHere),
  action(FORM_ACTIONS.discardForm, 'users', onDiscardForm),
  { kind: 'closed', id: REQUEST_FORM, close: onFormClosed },
  ...SEARCHABLE_FIELDS.map(
    (field): Surface => ({
      kind: 'options',
      id: field.name,
      access: 'users',
      list: (deps, args, { workspaceId }) => searchedChoices(deps, args, { workspaceId, field }),
    }),
  ),
  action(FORM_ACTIONS.retryLoading, 'users', onRetryLoading),
  { kind: 'modal', id: FORM_ACTIONS.openWithTyped, access: 'users', modal: typedTextModal },
  { kind: 'modal', id: REQUEST_AGAIN, access: 'users', modal: requestAgainModal },
  { kind: 'modal', id: CARD_ACTIONS.showAll, access: 'users', modal: showAllModal },
  { kind: 'modal', id: CARD_ACTIONS.again, access: 'users', modal: cardAgainModal },
  { kind: 'modal', id: FORM_ACTIONS.continue, access: 'users', modal: continueModal },
  { kind: 'modal', id: FORM_ACTIONS.reopen, access: 'users', modal: reopenModal },
  { kind: 'url-button', id: FORM_ACTIONS.openCard },
  action(FORM_ACTIONS.refresh, 'users', onRefreshConfirmation),
  action(FORM_ACTIONS.sendAgain, 'users', (deps, args) => onDecision(deps, args, 'send_again')),
  { kind: 'modal', id: FORM_ACTIONS.found, access: 'users', modal: foundModal },
  { kind: 'submission', id: FOUND_VIEW, access: 'users', read: onFoundSubmitted },
  action(FORM_ACTIONS.discard, 'users', (deps, args) => onDecision(deps, args, 'discard')),

  { kind: 'modal', id: CONNECT_ACTION, access: 'admins', modal: connectModal },
  action(ASK_ADMIN_ACTION, 'users', onAskAdmin),
  { kind: 'submission', id: CONNECT_VIEW, access: 'admins', read: onConnectSubmitted },
  { kind: 'submission', id: PROJECT_VIEW, access: 'admins', read: onProjectSubmitted },
  action(DISCONNECT_ACTION, 'admins', onDisconnect),
  { kind: 'modal', id: PRESET_ACTIONS.ofWorkspace, access: 'admins', modal: presetModal },
  { kind: 'modal', id: PRESET_ACTIONS.ofChannel, access: 'admins', modal: presetModal },
  { kind: 'submission', id: PRESET_VIEW, access: 'admins', read: onPresetSubmitted },
  { kind: 'submission', id: SETTINGS_VIEW, access: 'admins', read: onSettingsSubmitted },
  {
    kind: 'modal',
    id: RECENT_CHANGES_ACTIONS.open,
    access: 'admins',
    modal: (deps) => recentChangesModal(deps),
  },
  action(RECENT_CHANGES_ACTIONS.older, 'admins', onOtherChanges),
  action(RECENT_CHANGES_ACTIONS.newer, 'admins', onOtherChanges),

  { kind: 'step', id: CREATE_STEP, access: 'users', run: onCreateStep },
  { kind: 'step-options', id: STEP_OPTIONS.types, access: 'users', list: listTypes },
  { kind: 'step-options', id: STEP_OPTIONS.brands, access: 'users', list: listBrands },
  { kind: 'step-options', id: STEP_OPTIONS.products, access: 'users', list: listProducts },
];
