import type { KnownBlock, ModalView } from '@slack/types';
import type { Connecting } from '../../installations/connect-key.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { Homes } from '../home/homes.ts';
import type { Allowed, AllowedUser } from '../interaction/access.ts';
import type { Command, Press, Submission } from '../interaction/interactions.ts';
import type { ModalSubmission, ModalToOpen } from '../interaction/open-modal.ts';
import { buildModal } from '../interaction/views.ts';
import { textInput } from '../request-form/form-field.ts';
import type { Forms } from '../request-form/forms.ts';
import { REQUEST_FORM } from '../request-form/ids.ts';
import type { OpenForms } from '../request-form/open-forms.ts';
import { button, buttonRow, inputBlock, plainText, section } from '../text/blocks.ts';
import {
  CONNECT,
  confirmDisconnect,
  connected,
  DISCONNECT,
  describeKey,
  PROJECT,
} from '../words/connect.ts';
import { wordsForRefusedKey } from '../words/errors.ts';
import { CLOSE, SAVE } from '../words/modal.ts';
import { changesIn, projectBlocks, readProjectId, type SettingsModal } from './settings.ts';

export const CONNECT_VIEW = 'connect';
export const PROJECT_VIEW = 'connect-project';
export const DISCONNECT_ACTION = 'disconnect';
const KEY_BLOCK = 'api-key';
const KEY_INPUT = 'key';
/** Keeps its British spelling, because a form that was opened before an update may be sent after it. */
const SHARE_BLOCK = 'for-organisation';
const SHARE_INPUT = 'share';

/** Longer than any likely key, in characters. */
const KEY_MAX = 500;

/** What the modal showed first, in its metadata, and the request form under it, if Connect was pressed there. */
type Shown = {
  projectId?: string | undefined;
  form?: { viewId: string; formId: string } | undefined;
};

export type Connect = ReturnType<typeof createConnect>;

export function createConnect(deps: {
  connecting: Connecting;
  settings: WorkspaceSettingsStore;
  settingsModal: SettingsModal;
  forms: Forms;
  openForms: Pick<OpenForms, 'complete'>;
  homes: Homes;
  directMessages: DirectMessages;
  log: Log;
}) {
  const { connecting, settings, settingsModal, forms, openForms, homes, directMessages, log } =
    deps;

  async function buildConnectView(
    { workspaceId, person }: AllowedUser,
    shown: Shown,
    refused?: { projectId: string | undefined; problem: string },
  ): Promise<ModalView> {
    const current = await connecting.describe(workspaceId);
    const { projectId } = refused ?? shown;
    const mayShare = (await connecting.organizationOf(workspaceId, person)) !== undefined;
    return buildModal({
      callbackId: CONNECT_VIEW,
      metadata: JSON.stringify(shown),
      title: CONNECT.title,
      submit: CONNECT.title,
      blocks: [
        ...(refused ? [section(`:warning: ${refused.problem}`)] : []),
        section(describeKey(current)),
        inputBlock(KEY_BLOCK, CONNECT.key, textInput(KEY_INPUT, undefined, { maxLength: KEY_MAX })),
        ...projectBlocks(projectId),
        ...(mayShare ? [SHARE_CHOICE] : []),
      ],
    });
  }

  /** Saves what was typed in the form that the button is in. @returns what is needed to draw it again */
  async function saveFormBelow(press: Press): Promise<Shown['form']> {
    const { view } = press;
    if (view?.callback_id !== REQUEST_FORM) return undefined;
    const form = await forms.readShown(press, view);
    await forms.save(press, form);
    return { viewId: view.id, formId: form.formId };
  }

  /** Tests and saves the project. If it can't be used, asks for it again, below the confirmation. */
  async function saveProject(
    { workspaceId, person }: AllowedUser,
    changed: { projectId?: string | undefined },
    confirmation: string,
  ): Promise<ModalView | string> {
    const change = { workspaceId, by: person, changed };
    const { projectId, problem, note } = await settingsModal.save(change, { isNewKey: true });
    if (problem === undefined) return [confirmation, note].filter(Boolean).join('\n');
    return {
      ...buildModal({
        callbackId: PROJECT_VIEW,
        title: CONNECT.title,
        submit: SAVE,
        blocks: [section(confirmation), ...projectBlocks(projectId, problem)],
      }),
      // There is nothing to cancel: the key is connected.
      close: plainText(CLOSE),
    };
  }

  async function questionFor({ workspaceId, person }: AllowedUser): Promise<Question> {
    const key = await connecting.describe(workspaceId);
    if (!key || key.state === 'disconnected') return { text: DISCONNECT.notConnected };
    // The organization's default key also serves other workspaces.
    if (key.ofOrganization !== undefined && !person.administers.includes(key.ofOrganization)) {
      return { text: DISCONNECT.organizationKey };
    }
    const text = confirmDisconnect(key);
    const confirm = {
      ...button(DISCONNECT_ACTION, DISCONNECT.button, { style: 'danger', value: nameOf(key) }),
      accessibility_label: DISCONNECT.buttonLabel,
    };
    return { text, blocks: [section(text), ...buttonRow([confirm])], key };
  }

  return {
    /** `/design-request connect`, or Connect, which may be in a request form. */
    modal: (press?: Press): ModalToOpen => ({
      title: CONNECT.title,
      async fill(user, modal) {
        const { projectId } = await settings.get(user.workspaceId);
        const form = press && (await saveFormBelow(press));
        await modal.draw(await buildConnectView(user, { projectId, form }));
      },
    }),

    /** Checks the format of a submitted key right away, and the key itself with the service. */
    onSubmitted({ view }: Submission): ModalSubmission {
      const { values } = view.state;
      const key = values[KEY_BLOCK]?.[KEY_INPUT]?.value?.trim() ?? '';
      const problem = formatProblem(key);
      if (problem) return { problems: { [KEY_BLOCK]: problem } };
      const isShared = values[SHARE_BLOCK]?.[SHARE_INPUT]?.selected_options?.length === 1;
      const projectId = readProjectId(values);
      const shown: Shown = JSON.parse(view.private_metadata);
      return {
        title: CONNECT.title,
        busy: CONNECT.checking,
        async apply(user) {
          const { client, workspaceId, person } = user;
          const organizationId = isShared
            ? await connecting.organizationOf(workspaceId, person)
            : undefined;
          const result = await connecting.connect({ workspaceId, by: person, key, organizationId });
          if (!result.connected) {
            const problem = wordsForRefusedKey(result.code);
            return buildConnectView(user, shown, { projectId, problem });
          }
          log.info({ workspace: workspaceId, by: person.id }, 'an API key was connected');
          homes.workspaceChanged(workspaceId);
          const text = connected(await connecting.describe(workspaceId), result);
          const to = { workspaceId, userId: person.id };
          await directMessages.send(client, to, { text }).catch((error) => {
            log.warn({ err: error }, 'could not confirm a new API key in a direct message');
          });
          // An unchanged project isn't saved, since it may have been changed elsewhere. But the key must be able to use it.
          const changed = changesIn({ projectId: shown.projectId }, { projectId });
          const { form } = shown;
          const [next] = await Promise.all([
            saveProject(user, changed, text),
            // A form under the modal can be sent as it is, too.
            form &&
              openForms.complete(user, form.formId, { id: form.viewId }).catch((error) => {
                const about = { err: error, workspace: workspaceId };
                log.warn(about, 'could not add the service’s lists to an open form');
              }),
          ]);
          return next;
        },
      };
    },

    /** The project alone: the key was connected, but the project given with it couldn't be used. */
    onProjectSubmitted: ({ view }: Submission): ModalSubmission => ({
      title: CONNECT.title,
      busy: PROJECT.checking,
      apply: (user) =>
        saveProject(user, { projectId: readProjectId(view.state.values) }, PROJECT.saved),
    }),

    /** `/design-request disconnect`: asks for confirmation, since requests then wait for a new key. */
    async askToDisconnect(command: Allowed<Command>): Promise<void> {
      const { text, blocks } = await questionFor(command);
      await command.reply(text, blocks);
    },

    /** The confirmation button. Asks again if another key has been connected since. */
    async disconnect(press: Allowed<Press>): Promise<void> {
      const { workspaceId, person } = press;
      const question = await questionFor(press);
      const { key } = question;
      if (!key || press.value !== nameOf(key)) return replaceQuestion(press, question);
      const owner = key.ofOrganization ?? workspaceId;
      const isDone = await connecting.disconnect({ owner, by: person });
      if (isDone) log.info({ workspace: owner, by: person.id }, 'an API key was disconnected');
      homes.workspaceChanged(workspaceId);
      await replaceQuestion(press, { text: isDone ? DISCONNECT.done : DISCONNECT.notConnected });
    },
  };
}

const SHARE_CHOICE = inputBlock(
  SHARE_BLOCK,
  { label: CONNECT.scopeLabel },
  {
    type: 'checkboxes',
    action_id: SHARE_INPUT,
    options: [{ value: 'organization', text: plainText(CONNECT.wholeOrganization) }],
  },
  { optional: true },
);

/** HTTP headers allow only visible ASCII; anything else was copied wrong. */
function formatProblem(key: string): string | undefined {
  if (key === '') return CONNECT.noKey;
  return /^[\x21-\x7e]+$/.test(key) ? undefined : CONNECT.malformedKey;
}

type Question = { text: string; blocks?: KnownBlock[]; key?: ApiKeyRecord };

/** Enough to tell the keys of one owner apart. */
const FINGERPRINT_HEX_DIGITS = 8;

/** Which key is asked about, without revealing it, and whose it is. */
const nameOf = ({ ofOrganization, fingerprint = '' }: ApiKeyRecord): string =>
  `${ofOrganization ?? ''}/${fingerprint.slice(0, FINGERPRINT_HEX_DIGITS)}`;

async function replaceQuestion({ respond, reply }: Press, { text, blocks }: Question) {
  if (!respond) return reply(text, blocks);
  const content = { text, ...(blocks ? { blocks } : {}) };
  await respond({ response_type: 'ephemeral', replace_original: true, ...content }).catch(() =>
    reply(text, blocks),
  );
}
