import type { ModalView } from '@slack/types';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { RequestStore } from '../../store/requests.ts';
import { type AccessControl, type AllowedUser, actorOf } from '../surface/access.ts';
import {
  type ActionArgs,
  type OptionsArgs,
  pressedValue,
  replyPrivately,
} from '../surface/replies.ts';
import { createTurns, updateView } from '../surface/views.ts';
import { NOTICES, notRedrawn } from '../words/request-form.ts';
import type { Posting } from './confirmation.ts';
import type { ListsForForms } from './draft.ts';
import type { FormFilling } from './fill-form.ts';
import { changedForm } from './filled-form.ts';
import type { FormField } from './form-field.ts';
import { buildLoadingView, drawForm, focusIn, offersAmong } from './form-view.ts';
import { FORM_ACTIONS, SHARE_IN_INPUT } from './ids.ts';
import { type Choice, choiceOf } from './options.ts';
import { draftIn } from './parse.ts';
import { fieldsAmong, formIdOf, type ShownForm, shownTypeOf } from './shown-form.ts';
import { isTypedIn, type SavedForms } from './unfinished.ts';

/** What people can do in an open form, apart from sending and closing it. */
export function createFormChanges(deps: {
  lists: ListsForForms;
  savedForms: SavedForms;
  posting: Posting;
  filling: FormFilling;
  requests: Pick<RequestStore, 'get'>;
  access: AccessControl;
}) {
  const { lists, savedForms, posting, filling, requests, access } = deps;
  const inTurn = createTurns();

  /**
   * Redraws the form for another request type, or with all fields, and keeps what was typed. Of two changes that
   * overtake each other, the one that was made last is stored and shown; in two processes, unless both read the form
   * before either stores it.
   */
  async function onChanged(args: ActionArgs): Promise<void> {
    const { action, body, client } = args;
    const shown = body.view;
    const options = shown && (await readOptions(args));
    // Keep the form: a notice that there is nothing to choose would replace what was typed.
    if (!options || options.requestTypes.length === 0) return;
    const actor = actorOf(args);
    const { workspaceId, userId } = actor;
    const formId = formIdOf(shown);
    const read = () =>
      Promise.all([savedForms.readOpen(actor, shown), requests.get(workspaceId, formId)]);
    const [before, requestBefore] = await read();
    const { partnerName } = lists;
    const { shareIn } = draftIn(shown, { options, partnerName }, before.form.draft);
    const noPostsIn = await posting.channelWithoutPosts(actor, shareIn);
    if (action.action_id === SHARE_IN_INPUT && noPostsIn === before.form.noPostsIn) return;
    const { action_ts: changedAt } = action;
    const change = async (isLatest: () => boolean) => {
      // Read again, because Slack was asked meanwhile.
      const [{ form, notice }, request] = await read();
      const isSent = request?.revision !== requestBefore?.revision;
      if (isSent || Number(form.changedAt) > Number(changedAt)) return undefined;
      const drawn = await saveChanged(args, shown, { ...form, noPostsIn }, options, notice);
      // The next change is drawn with this one.
      if (!isLatest()) return undefined;
      let view = await updateView(client, shown, drawn);
      const current = view ? undefined : await savedForms.get(workspaceId, userId, formId);
      // An earlier change was drawn in between.
      if (current?.changedAt === changedAt)
        view = await updateView(client, { id: shown.id }, drawn);
      return { view };
    };
    const drawn = await inTurn(shown.id, change, Number(changedAt));
    if (drawn && options.brandsPending) await filling.addBrands(actor, { formId, ...drawn });
  }

  /** Stores the form with what was changed in it. @returns how to draw it */
  async function saveChanged(
    args: ActionArgs,
    shown: ShownForm,
    stored: UnfinishedForm,
    options: FormOptions,
    notice = '',
  ): Promise<ModalView> {
    const { action_id: changed, action_ts: changedAt } = args.action;
    const actor = actorOf(args);
    const read = await savedForms.readDrawing(actor, stored, options);
    const form = {
      ...changedForm(shown, read.lists, stored, read.defaults),
      changedAt,
      isTyped: stored.isTyped || isTypedIn(shown, read.lists),
      isExpanded: stored.isExpanded || changed === FORM_ACTIONS.moreOptions,
    };
    const drawn = drawForm(read, form, { notice });
    await savedForms.save(actor, drawn.form);
    return drawn.view;
  }

  /** Explains to the person why it can't be redrawn, if the lists can't be read. */
  async function readOptions(args: ActionArgs): Promise<FormOptions | undefined> {
    const actor = actorOf(args);
    const options = await lists
      .cachedOptions(actor.workspaceId)
      .then((cached) => cached ?? lists.options(actor.workspaceId))
      .catch((error) => access.explainServiceError(actor, error));
    if (typeof options !== 'string') return options;
    await replyPrivately(args, notRedrawn(options));
    return undefined;
  }

  /** Replaces a new form by one that was closed before, and saves what was typed in the new one. */
  async function onContinue(args: ActionArgs): Promise<void> {
    const { action, body, client } = args;
    const formId = pressedValue(action);
    if (!body.view || !formId) return;
    const actor = actorOf(args);
    const { workspaceId, userId } = actor;
    const found = await savedForms.get(workspaceId, userId, formId);
    if (!found) return replyPrivately(args, NOTICES.notSavedAnyMore);
    const options = await readOptions(args);
    if (!options) return;
    const replaced = await savedForms.readView(actor, body.view);
    await savedForms.saveIfTyped(actor, replaced);
    const noPostsIn = await posting.channelWithoutPosts(actor, found.draft.shareIn);
    const form = { ...found, isContinued: true, admin: replaced.admin, noPostsIn };
    const read = await savedForms.readDrawing(actor, form, options);
    const drawn = drawForm(read, form, { focus: focusIn(found.draft) });
    await savedForms.save(actor, drawn.form);
    const view = await updateView(client, body.view, drawn.view);
    if (options.brandsPending) await filling.addBrands(actor, { formId, view });
  }

  /** Deletes a form that was closed before, and redraws the one that offered it; the Home tab is redrawn anyway. */
  async function onDiscard(args: ActionArgs): Promise<void> {
    const { action, body, client } = args;
    const actor = actorOf(args);
    const { workspaceId, userId } = actor;
    await savedForms.remove(workspaceId, userId, pressedValue(action) ?? '');
    if (body.view?.type !== 'modal') return;
    const options = await readOptions(args);
    if (!options) return;
    const stored = await savedForms.readView(actor, body.view);
    const form = { ...stored, visible: [...fieldsAmong(body.view.blocks)] };
    const [read, saved] = await Promise.all([
      savedForms.readDrawing(actor, form, options),
      savedForms.of(workspaceId, userId),
    ]);
    const unfinished = offersAmong(saved.filter(({ formId }) => formId !== form.formId));
    const { view } = drawForm(read, form, { unfinished });
    await updateView(client, body.view, view);
  }

  /** "Try again" in a form that couldn't be loaded. */
  async function onRetry(args: ActionArgs): Promise<void> {
    const { body, client } = args;
    if (!body.view) return;
    const formId = formIdOf(body.view);
    const view = await updateView(client, body.view, buildLoadingView(formId));
    // Undefined if pressed twice or closed: someone else updates it, or nobody needs it.
    await filling.complete(actorOf(args), { formId, view });
  }

  /**
   * The choices of one field's menu. Slack doesn't send the form's other values, so the request type is the one that
   * the view is drawn for.
   */
  const searchedChoices =
    ({ choices }: FormField) =>
    async ({ payload }: OptionsArgs, { workspaceId }: AllowedUser): Promise<readonly Choice[]> => {
      const { partnerName } = lists;
      const options = await lists.options(workspaceId);
      const shownType = payload.view && shownTypeOf(payload.view.blocks);
      const requestType = choiceOf(options.requestTypes, shownType ?? '');
      return choices?.({ options, partnerName, draft: { requestType } }) ?? [];
    };

  return { onChanged, onContinue, onDiscard, onRetry, searchedChoices };
}
