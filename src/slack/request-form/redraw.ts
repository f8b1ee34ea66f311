import type { ViewOutput } from '@slack/bolt';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
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
import { buildLoadingView, drawForm, offersAmong } from './form-view.ts';
import { FORM_ACTIONS, SHARE_IN_INPUT } from './ids.ts';
import { type Choice, choiceOf } from './options.ts';
import { fieldsAmong, formIdOf, shownTypeOf } from './parse.ts';
import type { SavedForms } from './unfinished.ts';

/** What people can do in an open form, apart from sending and closing it. */
export function createFormChanges(deps: {
  lists: ListsForForms;
  savedForms: SavedForms;
  posting: Posting;
  filling: FormFilling;
  access: AccessControl;
}) {
  const { lists, savedForms, posting, filling, access } = deps;
  const inTurn = createTurns();

  /** Redraws the form for another request type, or with all fields, and keeps what was typed. */
  async function onChanged(args: ActionArgs): Promise<void> {
    const shown = args.body.view;
    if (shown) await inTurn(shown.id, () => redraw(args, shown));
  }

  async function redraw(args: ActionArgs, shown: ViewOutput): Promise<void> {
    const { action_id: changed, action_ts: changedAt } = args.action;
    const options = await readOptions(args);
    // Keep the form: a notice that there is nothing to choose would replace what was typed.
    if (!options || options.requestTypes.length === 0) return;
    const actor = actorOf(args);
    const stored = await savedForms.readOpen(actor, shown);
    // Another process has handled a later change.
    if (Number(stored.changedAt) > Number(changedAt)) return;
    const read = await savedForms.readDrawing(actor, stored, options);
    const form = changedForm(shown, read.lists, stored, read.defaults);
    const noPostsIn = await posting.channelWithoutPosts(actor, form.draft.shareIn);
    if (changed === SHARE_IN_INPUT && noPostsIn === stored.noPostsIn) return;
    const isExpanded = stored.isExpanded || changed === FORM_ACTIONS.moreOptions;
    const drawn = drawForm(read, { ...form, noPostsIn, isExpanded, changedAt });
    await savedForms.save(actor, drawn.form);
    if (await updateView(args.client, shown, drawn.view)) return;
    // Something was drawn since the change. Sending the form deletes it.
    const current = await savedForms.get(actor.workspaceId, actor.userId, form.formId);
    if (current?.changedAt !== changedAt) return;
    await updateView(args.client, { id: shown.id }, drawn.view);
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
    const { action, body } = args;
    const formId = pressedValue(action);
    if (!body.view || !formId) return;
    const actor = actorOf(args);
    const found = await savedForms.get(actor.workspaceId, actor.userId, formId);
    if (!found) return replyPrivately(args, NOTICES.notSavedAnyMore);
    await savedForms.saveIfTyped(actor, await savedForms.readView(actor, body.view));
    await savedForms.save(actor, { ...found, isContinued: true });
    await filling.complete(actor, formId, body.view);
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
    if (view) await filling.complete(actorOf(args), formId, view);
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
      const shownType = payload.view && shownTypeOf(payload.view);
      const requestType = choiceOf(options.requestTypes, shownType ?? '');
      return choices?.({ options, partnerName, draft: { requestType } }) ?? [];
    };

  return { onChanged, onContinue, onDiscard, onRetry, searchedChoices };
}
