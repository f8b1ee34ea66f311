import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../ops/logging.ts';
import type { FormDefaults } from '../../requests/form-defaults.ts';
import { draftOf } from '../../requests/match-lists.ts';
import type { DesignRequest, FormDraft, RequestForm } from '../../requests/request.ts';
import type { UnfinishedForm, UnfinishedForms } from '../../requests/unfinished-forms.ts';
import {
  type FormOptions,
  isUnlisted,
  type ReferenceLists,
} from '../../service/cache/reference-lists.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { Conversations } from '../client/conversations.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import type { People } from '../client/people.ts';
import type { Actor } from '../interaction/access.ts';
import type { ClosedView } from '../interaction/interactions.ts';
import { plainTextToRichText, wordsOf } from '../text/rich-text-to-html.ts';
import { FORM_FIELDS } from './fields.ts';
import {
  asRichText,
  chosenType,
  type FieldName,
  type FormContext,
  type FormLists,
  isEmpty,
  type ListsWithDefaults,
} from './form-field.ts';
import { drawForm, type FormSources, onlyOffered } from './form-view.ts';
import { choiceOf, optionValue } from './options.ts';
import {
  fieldsAmong,
  formIdOf,
  hiddenIn,
  readDraft,
  type ShownForm,
  shownTypeOf,
} from './parse.ts';

type Author = Pick<Actor, 'workspaceId' | 'userId'>;

export type Forms = ReturnType<typeof createForms>;

/** What is stored of forms that aren't sent, open or closed, and what they are drawn with. */
export function createForms(deps: {
  unfinishedForms: UnfinishedForms;
  requests: Pick<RequestStore, 'get'>;
  formDefaults: Pick<FormDefaults, 'suggestionsFor'>;
  referenceLists: Pick<ReferenceLists, 'knownFormOptions'>;
  people: People;
  /** Undefined if files can't be passed on. */
  fileLimits: FormLists['files'];
  conversations: Conversations;
  now: () => Date;
  log: Log;
}) {
  const { unfinishedForms, requests, formDefaults, referenceLists, people, fileLimits } = deps;
  const { conversations, now, log } = deps;

  /** The unfinished form, or what was sent. Undefined a day after it was closed, or if it couldn't be saved. */
  async function find(author: Author, formId: string) {
    const saved = await unfinishedForms.get(author, formId);
    if (saved) return saved;
    const request = await requests.get(author.workspaceId, formId);
    if (request?.userId !== author.userId) return undefined;
    return { formId, draft: draftOf(request.form), isReturned: request.state === 'rejected' };
  }

  /**
   * The form of a view that is open. If nothing is stored, what it shows is all there is: it goes on with all
   * fields, so that nobody sends what they can't see.
   */
  async function storedOf(author: Author, view: ShownForm): Promise<UnfinishedForm> {
    const formId = formIdOf(view);
    return (await find(author, formId)) ?? withAllFields(formId);
  }

  /** With what was typed in the view since. */
  async function readShown(author: Author, view: ShownForm): Promise<UnfinishedForm> {
    const form = await storedOf(author, view);
    const options = await referenceLists.knownFormOptions(author.workspaceId);
    return readForm(view, { options }, form);
  }

  /** Never rejects: what is shown can be sent without it. */
  const save = (author: Author, form: UnfinishedForm): Promise<void> =>
    unfinishedForms.save(author, form, now()).catch((error) => {
      const about = { err: error, workspace: author.workspaceId };
      log.warn(about, 'could not save an unfinished form');
    });

  /** Saves a form that is shown no longer, or deletes it if nothing was typed. */
  const saveIfTyped = (author: Author, form: UnfinishedForm): Promise<void> =>
    form.isTyped ? save(author, form) : unfinishedForms.remove(author, form.formId);

  /** What a form is drawn from, besides its content; `asksSlack` if there is time to ask Slack. */
  async function readSources(
    author: Actor,
    { channelId, formId, isReturned }: UnfinishedForm,
    options: FormOptions,
    { asksSlack = true } = {},
  ): Promise<ListsWithDefaults & FormSources> {
    const { client, workspaceId, userId } = author;
    const isUnknown = people.mayReadFiles(workspaceId) === undefined;
    const lookUp = () => people.lookUp(client, workspaceId, userId).catch(() => undefined);
    const [suggestionsFor, returned] = await Promise.all([
      formDefaults.suggestionsFor(workspaceId, { userId, channelId }),
      isReturned ? requests.get(workspaceId, formId) : undefined,
      isUnknown && asksSlack && fileLimits ? lookUp() : undefined,
    ]);
    // A form with a file input that the app has no scope for is refused by Slack.
    const files = people.mayReadFiles(workspaceId) ? fileLimits : undefined;
    return { options, files, suggestionsFor, returned };
  }

  /** What to draw of a form that opens. Asks Slack only until anyone of the workspace was looked up. */
  async function fill(author: Actor, stored: UnfinishedForm, options: FormOptions) {
    const { isNew, isPrefilled } = stored;
    const [sources, saved] = await Promise.all([
      readSources(author, stored, options),
      isNew && !isPrefilled ? unfinishedForms.of(author) : [],
    ]);
    const draft = filledDraft(sources, stored);
    const start = draft.title === undefined ? ('title' as const) : ('description' as const);
    const focus = sources.returned ? undefined : start;
    const form: UnfinishedForm = { ...stored, draft, isNew: false };
    return { form, sources: { ...sources, unfinished: saved, focus } };
  }

  return {
    ...unfinishedForms,
    find,
    storedOf,
    readShown,
    save,
    saveIfTyped,
    readSources,
    fill,
    unpostableChannel: conversations.unpostableChannel,

    async draw(author: Actor, stored: UnfinishedForm, options: FormOptions) {
      const { form, sources } = await fill(author, stored, options);
      const noPostsIn = await conversations.unpostableChannel(author, form.draft.shareIn);
      return drawForm({ ...form, noPostsIn }, sources);
    },

    /** Whether a request and its form are as they were drawn. A redrawn form is saved as unfinished. */
    async isUnchanged(request: DesignRequest) {
      if (request.state === 'created') return true;
      const current = await requests.get(request.workspaceId, request.id);
      const redrawn = await unfinishedForms.get(request, request.id);
      return current?.revision === request.revision && !redrawn;
    },

    /** If Slack doesn't say what was in a form that was closed, its last redraw stays saved. */
    async onClosed(closed: ClosedView): Promise<void> {
      const { view } = closed;
      if (Object.keys(view.state?.values ?? {}).length === 0) return;
      await saveIfTyped(closed, await readShown(closed, view));
    },

    /** Deletes a sender's unfinished forms that say nothing beyond the request. Never rejects. */
    async removeSent(author: Author, sent: RequestForm): Promise<void> {
      try {
        for (const { formId, draft, isTyped } of await unfinishedForms.of(author)) {
          if (isTyped && isContained(draft, sent)) await unfinishedForms.remove(author, formId);
        }
      } catch (error) {
        const about = { err: error, workspace: author.workspaceId };
        log.warn(about, 'could not delete a form that was sent');
      }
    },
  };
}

export const withAllFields = (formId: string) => ({ formId, draft: {}, isExpanded: true });

function readForm(view: ShownForm, lists: FormLists, stored: UnfinishedForm): UnfinishedForm {
  const draft = readDraft(view.state.values, lists, hiddenIn(view.blocks, stored.draft));
  return { ...stored, draft, isTyped: stored.isTyped || isTyped(draft, stored) };
}

/**
 * Fills the empty fields of a form that nobody has seen: the channel, the description's template, the type, and its
 * fields. In one that was open without lists, the type and its fields. Any other stays as its author left it.
 */
function filledDraft(lists: ListsWithDefaults, form: UnfinishedForm): FormDraft {
  const { isNew, isReturned, isContinued, draft, channelId } = form;
  if (isReturned || isContinued || (!isNew && draft.requestType)) return draft;
  const { requestTypes } = lists.options;
  const { requestType, brief, shareIn } = lists.suggestionsFor();
  const [suggested] = requestType.flatMap((id) => requestTypes.filter((type) => type.id === id));
  const onlyType = requestTypes.length === 1 && !isUnlisted(lists.options) && requestTypes[0];
  const type = draft.requestType ?? suggested ?? onlyType;
  const filled = { ...draft };
  if (isNew) {
    const here = channelId && !isDirectMessage(channelId) ? channelId : undefined;
    if (!('shareIn' in draft)) filled.shareIn = shareIn[0] ?? here;
    if (brief[0]) filled.description ??= plainTextToRichText(brief[0]);
  }
  if (type) filled.requestType = { id: type.id, name: type.name };
  return fillFieldsOfType({ ...lists, draft: filled });
}

function fillFieldsOfType(context: ListsWithDefaults & { draft: FormDraft }): FormDraft {
  const suggestions = context.suggestionsFor(chosenType(context)?.id);
  let { draft } = context;
  for (const { name, suggest } of FORM_FIELDS) {
    if (isEmpty(draft[name]))
      draft = { ...draft, ...suggest?.(suggestions, { ...context, draft }) };
  }
  return draft;
}

/** Empties the fields that still have what was suggested for an earlier type. */
function withoutSuggested(
  draft: FormDraft,
  lists: ListsWithDefaults,
  requestType: FormDraft['requestType'],
): FormDraft {
  const suggested = fillFieldsOfType({ ...lists, draft: { requestType } });
  const kept = { ...draft };
  for (const { name, section } of FORM_FIELDS) {
    if (section === 'type' && isDeepStrictEqual(kept[name], suggested[name])) delete kept[name];
  }
  return kept;
}

/** Whether a form's fields, shown or hidden, belong to another request type than the chosen one. */
export function isForOtherType(context: FormContext, view: ShownForm, stored: FormDraft): boolean {
  const type = chosenType(context);
  if (!type || isUnlisted(context.options)) return false;
  const { requestType: storedFor = type } = stored;
  return optionValue(type.id) !== shownTypeOf(view) || storedFor.id !== type.id;
}

/** After a change. Another type brings its suggestions, and empties what it doesn't offer. */
export function changedForm(view: ShownForm, lists: ListsWithDefaults, stored: UnfinishedForm) {
  const visible = [...fieldsAmong(view.blocks)];
  const changed = { ...readForm(view, lists, stored), visible };
  const { draft } = changed;
  const chosen = chosenType({ ...lists, draft });
  // The types that the shown fields and the hidden ones are for.
  const shown = choiceOf(lists.options.requestTypes, shownTypeOf(view) ?? '');
  const drawnFor = [shown, chosenType({ ...lists, draft: stored.draft })];
  const earlierTypes = drawnFor.filter((type) => type?.id !== chosen?.id);
  if (earlierTypes.length === 0) return changed;
  const own = earlierTypes.reduce(
    (kept, requestType) => withoutSuggested(kept, lists, requestType),
    draft,
  );
  const earlier = { ...stored.earlier };
  for (const type of earlierTypes) if (type) earlier[type.id] = choicesOf(own);
  // If the view already shows the chosen type, its fields are as their author left them.
  const again = chosen?.id !== shown?.id && chosen && earlier[chosen.id];
  const offered = onlyOffered({ ...lists, draft: { ...own, ...again } });
  return {
    ...changed,
    earlier,
    draft: fillFieldsOfType({ ...lists, draft: offered }),
    // An empty field may get a value from the new type, and be hidden.
    visible: visible.filter((name) => !isEmpty(offered[name as FieldName])),
  };
}

/** The values of fields that are menus for some types, and texts for others. */
const choicesOf = (draft: FormDraft): FormDraft =>
  Object.fromEntries(
    FORM_FIELDS.flatMap(({ name, offeredByType }) =>
      offeredByType && !isEmpty(draft[name]) ? [[name, draft[name]]] : [],
    ),
  );

/** A form with only these isn't worth keeping. */
const NOT_WORTH_KEEPING: readonly FieldName[] = ['requestType', 'isDraft', 'shareIn'];

/** Whether a form contains anything but what the app drew, which is stored. */
const isTyped = (draft: FormDraft, drawn: UnfinishedForm): boolean =>
  FORM_FIELDS.some(
    ({ name }) =>
      !isEmpty(draft[name]) &&
      !NOT_WORTH_KEEPING.includes(name) &&
      !isDeepStrictEqual(contentOf(draft[name]), contentOf(drawn.draft[name])),
  );

/** What a value says: names in any order, and a rich text however Slack divides it into sections. */
function contentOf(value: FormDraft[FieldName]): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).toSorted();
  return typeof value === 'object' && 'elements' in value ? wordsOf(asRichText(value)) : value;
}

/** Whether the sent form contains everything that was typed in the draft. */
function isContained(draft: FormDraft, sent: FormDraft): boolean {
  return FORM_FIELDS.every(({ name, choices }) => {
    if (choices || NOT_WORTH_KEEPING.includes(name) || isEmpty(draft[name])) return true;
    const [one, other] = [contentOf(draft[name]), contentOf(sent[name])];
    if (typeof one === 'string' && typeof other === 'string') {
      const text = one.trim().toLowerCase();
      return name === 'title' ? text === other.toLowerCase() : other.toLowerCase().includes(text);
    }
    return isDeepStrictEqual(one, other);
  });
}
