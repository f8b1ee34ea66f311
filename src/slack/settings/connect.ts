import type { KnownBlock, ModalView } from '@slack/types';
import type { Connecting } from '../../installations/connect-key.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import type { Homes } from '../home/homes.ts';
import type { Forms } from '../request-form/forms.ts';
import { REQUEST_FORM } from '../request-form/ids.ts';
import type { OpenForms } from '../request-form/redraw-form.ts';
import type { Allowed, AllowedUser } from '../surface/access.ts';
import type { Command, Press, Submission } from '../surface/interactions.ts';
import type { ModalSubmission, ModalToOpen } from '../surface/open-modal.ts';
import { buildModal } from '../surface/views.ts';
import { button, buttonRow, plainText, section } from '../text/blocks.ts';
import {
  CONNECT,
  confirmDisconnect,
  connected,
  DISCONNECT,
  describeKey,
  PROJECT,
} from '../words/connect.ts';
import { wordsForRefusedKey } from '../words/errors.ts';
import {
  buildProjectView,
  changesIn,
  projectBlocks,
  readProjectId,
  type SaveSettings,
} from './project.ts';

export const CONNECT_VIEW = 'connect';
export const DISCONNECT_ACTION = 'disconnect';
const KEY_BLOCK = 'api-key';
const KEY_INPUT = 'key';
/** Keeps its spelling: a form opened before an update may be sent after it. */
const SHARE_BLOCK = 'for-organisation';
const SHARE_INPUT = 'share';

/** Longer than any likely key, in characters. */
const KEY_MAX = 500;

/** The request form under the modal, if Connect was pressed there. */
type FormBelow = { viewId: string; formId: string };

/** What the modal showed first, in its metadata. */
type Shown = { projectId?: string | undefined; form?: FormBelow | undefined };

export type Connect = ReturnType<typeof createConnect>;

export function createConnect(deps: {
  connecting: Connecting;
  settings: WorkspaceSettingsStore;
  saveSettings: SaveSettings;
  forms: Forms;
  openForms: Pick<OpenForms, 'complete'>;
  homes: Homes;
  directMessages: DirectMessages;
  log: Log;
}) {
  const { connecting, settings, saveSettings, forms, openForms, homes, directMessages, log } = deps;

  /** Saves what was typed in the form that the button is in. @returns what is needed to draw it again */
  async function saveFormBelow(press: Press): Promise<FormBelow | undefined> {
    const { view } = press;
    if (view?.callback_id !== REQUEST_FORM) return undefined;
    const form = await forms.readView(press, view);
    await forms.save(press, form);
    return { viewId: view.id, formId: form.formId };
  }

  async function connect(
    user: AllowedUser,
    input: { key: string; isShared: boolean; projectId: string | undefined; shown: Shown },
  ): Promise<ModalView | string> {
    const { client, workspaceId, person } = user;
    const { key, isShared, projectId, shown } = input;
    const ownOrganization = await connecting.organizationOf(workspaceId, person);
    const organizationId = isShared ? ownOrganization : undefined;
    const result = await connecting.connect({ workspaceId, by: person, key, organizationId });
    const current = await connecting.describe(workspaceId);
    if (!result.connected) {
      const mayShare = ownOrganization !== undefined;
      const problem = wordsForRefusedKey(result.code);
      return buildConnectView({ current, problem, projectId, shown, mayShare });
    }
    log.info({ workspace: workspaceId, by: person.id }, 'an API key was connected');
    homes.workspaceChanged(workspaceId);
    const text = connected(current, result);
    await directMessages
      .send(client, { workspaceId, userId: person.id }, { text })
      .catch((error) =>
        log.warn({ err: error }, 'could not confirm a new API key in a direct message'),
      );
    const [next] = await Promise.all([
      // An unchanged project isn't saved, since it may have been changed elsewhere. But the key must be able to use it.
      saveProject(user, changesIn({ projectId: shown.projectId }, { projectId }), text),
      complete(user, shown.form),
    ]);
    return next;
  }

  /** Adds the lists and their fields to the form under the modal. Never rejects: it can be sent as it is, too. */
  async function complete(user: AllowedUser, form: FormBelow | undefined): Promise<void> {
    if (!form) return;
    const { workspaceId: workspace } = user;
    await openForms
      .complete(user, form.formId, { id: form.viewId })
      .catch((error) =>
        log.warn({ err: error, workspace }, 'could not add the service’s lists to an open form'),
      );
  }

  /** Tests and saves the project. If it can't be used, asks for it again, below the confirmation. */
  async function saveProject(
    { workspaceId, person }: AllowedUser,
    changed: { projectId?: string | undefined },
    confirmation: string,
  ): Promise<ModalView | string> {
    const change = { workspaceId, by: person, changed };
    const { projectId, problem, note } = await saveSettings(change, { isNewKey: true });
    if (problem !== undefined) return buildProjectView({ confirmation, projectId, problem });
    return [confirmation, note].filter(Boolean).join('\n');
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
      async fill({ workspaceId, person }, modal) {
        const { projectId } = await settings.get(workspaceId);
        const current = await connecting.describe(workspaceId);
        const mayShare = (await connecting.organizationOf(workspaceId, person)) !== undefined;
        const shown = { projectId, form: press && (await saveFormBelow(press)) };
        await modal.draw(buildConnectView({ current, projectId, shown, mayShare }));
      },
    }),

    /** Checks the format of a submitted key right away, and the key itself with the service. */
    onSubmitted({ view }: Submission): ModalSubmission {
      const { values } = view.state;
      const key = values[KEY_BLOCK]?.[KEY_INPUT]?.value?.trim() ?? '';
      const problem = formatProblem(key);
      if (problem) return { problems: { [KEY_BLOCK]: problem } };
      const isShared = values[SHARE_BLOCK]?.[SHARE_INPUT]?.selected_options?.length === 1;
      const shown: Shown = JSON.parse(view.private_metadata);
      return {
        title: CONNECT.title,
        busy: CONNECT.checking,
        apply: (user) => connect(user, { key, isShared, projectId: readProjectId(values), shown }),
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

function buildConnectView(props: {
  current: ApiKeyRecord | undefined;
  /** Why the last key was not saved. */
  problem?: string;
  projectId: string | undefined;
  shown: Shown;
  /** Whether the person may connect the key for the whole organization. */
  mayShare: boolean;
}): ModalView {
  const { current, problem, projectId, shown, mayShare } = props;
  return buildModal({
    callbackId: CONNECT_VIEW,
    metadata: JSON.stringify(shown),
    title: CONNECT.title,
    submit: CONNECT.submit,
    blocks: [
      ...(problem ? [section(`:warning: ${problem}`)] : []),
      section(describeKey(current)),
      {
        type: 'input',
        block_id: KEY_BLOCK,
        label: plainText(CONNECT.keyLabel),
        hint: plainText(CONNECT.keyHint),
        element: { type: 'plain_text_input', action_id: KEY_INPUT, max_length: KEY_MAX },
      },
      ...projectBlocks(projectId),
      ...(mayShare ? [SHARE_CHOICE] : []),
    ],
  });
}

const SHARE_CHOICE: KnownBlock = {
  type: 'input',
  block_id: SHARE_BLOCK,
  optional: true,
  label: plainText(CONNECT.scopeLabel),
  element: {
    type: 'checkboxes',
    action_id: SHARE_INPUT,
    options: [{ value: 'organization', text: plainText(CONNECT.wholeOrganization) }],
  },
};

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
