import type { Log } from '../../ops/logging.ts';
import type { FormDefaults } from '../../requests/form-defaults.ts';
import { draftOf } from '../../requests/match-lists.ts';
import type { DesignRequest, RequestForm } from '../../requests/request.ts';
import type { UnfinishedForm, UnfinishedForms } from '../../requests/unfinished-forms.ts';
import type { FormOptions, ReferenceLists } from '../../service/cache/reference-lists.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { Conversations } from '../client/conversations.ts';
import type { People } from '../client/people.ts';
import type { Actor } from '../surface/access.ts';
import type { ClosedView } from '../surface/interactions.ts';
import { filledDraft, isContained, isTyped } from './filled-form.ts';
import type { FormLists, ListsWithDefaults } from './form-field.ts';
import { drawForm, type FormSources, offersAmong } from './form-view.ts';
import { draftIn, formIdOf, type ShownForm } from './parse.ts';

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

  /** From the request, once it was sent. Undefined after a day, or if it couldn't be saved. */
  async function read({ workspaceId, userId }: Author, formId: string) {
    const saved = await unfinishedForms.get(workspaceId, userId, formId);
    if (saved) return saved;
    const request = await requests.get(workspaceId, formId);
    if (request?.userId !== userId) return undefined;
    return { formId, draft: draftOf(request.form), isReturned: request.state === 'rejected' };
  }

  /**
   * Reads the form of a view that is open. If nothing is stored, what it shows is all there is: it goes on with all
   * fields, so that nobody sends what they can't see.
   */
  async function readOpen(author: Author, view: ShownForm): Promise<UnfinishedForm> {
    const formId = formIdOf(view);
    return (await read(author, formId)) ?? withAllFields(formId);
  }

  /** The form as a view contains it now. */
  async function readView(author: Author, view: ShownForm): Promise<UnfinishedForm> {
    const form = await readOpen(author, view);
    const options = await referenceLists.knownFormOptions(author.workspaceId);
    const draft = draftIn(view, { options }, form.draft);
    return { ...form, draft, isTyped: form.isTyped || isTyped(draft, form) };
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

  /**
   * What to draw of a form that opens: a new one with defaults and its author's closed forms, a
   * refused one with what is wrong. Asks Slack only until anyone of the workspace was looked up.
   */
  async function fill(author: Actor, stored: UnfinishedForm, options: FormOptions) {
    const { isNew, isPrefilled } = stored;
    const { workspaceId, userId } = author;
    const [sources, saved] = await Promise.all([
      readSources(author, stored, options),
      isNew && !isPrefilled ? unfinishedForms.of(workspaceId, userId) : [],
    ]);
    const draft = filledDraft(sources, stored);
    const start = draft.title === undefined ? ('title' as const) : ('description' as const);
    const focus = sources.returned ? undefined : start;
    const form: UnfinishedForm = { ...stored, draft, isNew: false };
    return { form, sources: { ...sources, unfinished: offersAmong(saved), focus } };
  }

  return {
    ...unfinishedForms,
    ...{ read, readOpen, readView, save, saveIfTyped, readSources, fill },
    unpostableChannel: conversations.unpostableChannel,

    /** Draws a stored form as it opens, with whatever Slack knows. */
    async draw(author: Actor, stored: UnfinishedForm, options: FormOptions) {
      const { form, sources } = await fill(author, stored, options);
      const noPostsIn = await conversations.unpostableChannel(author, form.draft.shareIn);
      return drawForm({ ...form, noPostsIn }, sources);
    },

    /** Whether a request and its form are as they were drawn. A redrawn form is saved as unfinished. */
    async isUnchanged({ workspaceId, userId, id, revision, state }: DesignRequest) {
      if (state === 'created') return true;
      const request = await requests.get(workspaceId, id);
      const redrawn = await unfinishedForms.get(workspaceId, userId, id);
      return request?.revision === revision && !redrawn;
    },

    /** If Slack doesn't say what was in a form that was closed, its last redraw stays saved. */
    async onClosed(closed: ClosedView): Promise<void> {
      const { view } = closed;
      if (Object.keys(view.state?.values ?? {}).length === 0) return;
      await saveIfTyped(closed, await readView(closed, view));
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

/** A form of which nothing is stored. */
export const withAllFields = (formId: string): UnfinishedForm => ({
  ...{ formId, draft: {}, isExpanded: true },
});
