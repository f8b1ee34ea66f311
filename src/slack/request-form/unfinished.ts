import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../ops/logging.ts';
import { type FormDefaults, WORKSPACE } from '../../requests/form-defaults.ts';
import type { DesignRequest, FormDraft, RequestForm } from '../../requests/request.ts';
import type { UnfinishedForm, UnfinishedForms } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { RequestStore } from '../../store/requests.ts';
import { type Actor, actorOf } from '../surface/access.ts';
import type { ClosedViewArgs } from '../surface/replies.ts';
import { wordsOf } from '../text/rich-text-to-html.ts';
import { FORM } from '../words/request-form.ts';
import { draftOf, type FieldName, type FormLists, type ListsForForms } from './draft.ts';
import { asRichText } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';
import { brandHereOf, type Defaults } from './filled-form.ts';
import { isEmpty } from './form-field.ts';
import type { FormFilesAccess } from './form-files.ts';
import type { Drawing } from './form-view.ts';
import { draftIn, readDraft } from './parse.ts';
import { formIdOf, hidesFields, initialValues, type ShownForm } from './shown-form.ts';

/** Whose form it is. */
export type Author = Pick<Actor, 'workspaceId' | 'userId'>;

export type SavedForms = ReturnType<typeof createSavedForms>;

/** What is stored of forms that aren't sent, open or closed, and what they are drawn with. */
export function createSavedForms(deps: {
  unfinishedForms: UnfinishedForms;
  requests: Pick<RequestStore, 'get'>;
  formDefaults: Pick<FormDefaults, 'of'>;
  formFiles: FormFilesAccess;
  lists: ListsForForms;
  now: () => Date;
  log: Log;
}) {
  const { unfinishedForms, requests, formDefaults, formFiles, lists, now, log } = deps;

  /**
   * Reads a form. Sending it deletes it, and the request has what it contained.
   *
   * @returns undefined if nothing is stored: a day has passed, or it couldn't be saved
   */
  async function read(
    { workspaceId, userId }: Author,
    formId: string,
  ): Promise<UnfinishedForm | undefined> {
    const saved = await unfinishedForms.get(workspaceId, userId, formId);
    if (saved) return saved;
    const request = await requests.get(workspaceId, formId);
    if (request?.userId !== userId) return undefined;
    return { formId, draft: draftOf(request.form), isReturned: request.state === 'rejected' };
  }

  /**
   * Reads the form of a view that is open. If nothing is stored, what it shows is all there is: it goes on with all
   * fields, so that nobody sends what they can't see.
   *
   * @returns also what to tell its author then
   */
  async function readOpen(
    author: Author,
    view: ShownForm,
  ): Promise<{ form: UnfinishedForm; notice?: string }> {
    const formId = formIdOf(view);
    const form = await read(author, formId);
    if (form) return { form };
    const rest = { formId, draft: {}, isExpanded: true };
    return hidesFields(view.blocks) ? { form: rest, notice: FORM.hiddenLost } : { form: rest };
  }

  /** The form as a view contains it now. */
  async function readView(author: Author, view: ShownForm): Promise<UnfinishedForm> {
    const { form } = await readOpen(author, view);
    const cached = await lists.cached(author.workspaceId);
    const isTyped = form.isTyped || isTypedIn(view, cached);
    return { ...form, draft: draftIn(view, cached, form.draft), isTyped };
  }

  /** Never rejects: what is shown can be sent without it. */
  const save = ({ workspaceId, userId }: Author, form: UnfinishedForm): Promise<void> =>
    unfinishedForms
      .save(workspaceId, userId, form, now())
      .catch((error) =>
        log.warn({ err: error, workspace: workspaceId }, 'could not save an unfinished form'),
      );

  /** Saves a form that is shown no longer, or deletes it if nothing was typed. */
  const saveIfTyped = (author: Author, form: UnfinishedForm): Promise<void> =>
    form.isTyped
      ? save(author, form)
      : unfinishedForms.remove(author.workspaceId, author.userId, form.formId);

  /** The defaults that a form was filled with, or else the stored ones. */
  async function readDefaults(
    { workspaceId, userId }: Author,
    { channelId, defaults }: UnfinishedForm,
  ): Promise<Defaults> {
    const owners = new Set([userId, channelId ?? WORKSPACE, WORKSPACE]);
    const stored = defaults ?? (await formDefaults.of(workspaceId, [...owners]));
    return { stored, origin: { userId, channelId } };
  }

  return {
    ...unfinishedForms,
    ...{ read, readOpen, readView, save, saveIfTyped, readDefaults },

    async readDrawing(
      author: Author,
      form: UnfinishedForm,
      options: FormOptions,
    ): Promise<Drawing> {
      const { workspaceId } = author;
      const { isReturned, formId } = form;
      const [files, defaults, returned] = await Promise.all([
        formFiles.of(workspaceId),
        readDefaults(author, form),
        isReturned ? requests.get(workspaceId, formId) : undefined,
      ]);
      const { partnerName } = lists;
      const brandHere = brandHereOf(defaults);
      return { lists: { options, partnerName, files, brandHere }, defaults, returned };
    },

    /** Whether a request and its form are as they were drawn. A redrawn form is saved as unfinished. */
    async isAsDrawn({ workspaceId, userId, id, revision, state }: DesignRequest) {
      if (state === 'created') return true;
      const request = await requests.get(workspaceId, id);
      const redrawn = await unfinishedForms.get(workspaceId, userId, id);
      return request?.revision === revision && !redrawn;
    },

    /** If Slack doesn't say what was in a form that was closed, its last redraw stays saved. */
    async onClosed(args: ClosedViewArgs): Promise<void> {
      const { view } = args;
      if (Object.keys(view.state?.values ?? {}).length === 0) return;
      const author = actorOf(args);
      await saveIfTyped(author, await readView(author, view));
    },

    /** Deletes a sender's unfinished forms that say nothing beyond the request. Never rejects. */
    async removeSent({ workspaceId, userId }: Author, sent: RequestForm): Promise<void> {
      try {
        for (const { formId, draft, isTyped } of await unfinishedForms.of(workspaceId, userId)) {
          if (!isTyped || !isContained(draft, sent)) continue;
          await unfinishedForms.remove(workspaceId, userId, formId);
        }
      } catch (error) {
        log.warn({ err: error, workspace: workspaceId }, 'could not delete a form that was sent');
      }
    },
  };
}

/** Chosen in passing: alone, they aren't worth keeping. */
const IN_PASSING: readonly FieldName[] = ['requestType', 'isDraft', 'shareIn'];

/** Whether a view contains anything but what the app drew. */
export function isTypedIn(
  { state, blocks }: Pick<ShownForm, 'state' | 'blocks'>,
  lists: FormLists,
): boolean {
  const drawn = readDraft(initialValues(blocks), lists);
  const draft = readDraft(state.values, lists);
  return FORM_FIELDS.some(
    ({ name }) =>
      !isEmpty(draft[name]) &&
      !IN_PASSING.includes(name) &&
      !isDeepStrictEqual(contentOf(draft[name]), contentOf(drawn[name])),
  );
}

/** What a value says: names in any order, and a rich text however it is divided into sections. */
function contentOf(value: FormDraft[FieldName]): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).toSorted();
  return typeof value === 'object' && 'elements' in value ? wordsOf(asRichText(value)) : value;
}

/** Whether all that one form contains is in the other, apart from choices of a menu. */
function isContained(draft: FormDraft, sent: FormDraft): boolean {
  return FORM_FIELDS.every(({ name, choices }) => {
    if (choices || IN_PASSING.includes(name) || isEmpty(draft[name])) return true;
    const [one, other] = [contentOf(draft[name]), contentOf(sent[name])];
    if (typeof one === 'string' && typeof other === 'string') {
      const text = one.trim().toLowerCase();
      return name === 'title' ? text === other.toLowerCase() : other.toLowerCase().includes(text);
    }
    return isDeepStrictEqual(one, other);
  });
}
