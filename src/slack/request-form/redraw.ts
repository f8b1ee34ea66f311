import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { actorOf, explainServiceError } from '../listener/access.ts';
import { type ActionArgs, pressedValue, replyPrivately, workspaceOf } from '../listener/replies.ts';
import { type ShownView, updateView } from '../views/update-view.ts';
import { NOTICES, notRedrawn } from '../words/request-form.ts';
import { fieldsAmong } from './block-ids.ts';
import { asDrawn, changedForm } from './changed-form.ts';
import { drawForm } from './draw-form.ts';
import { brandHereOf, readDefaults } from './fill-defaults.ts';
import { addBrands, type CompleteDeps } from './fill-form.ts';
import { FORM_ACTIONS, SHARE_IN_INPUT } from './ids.ts';
import { buildFormView } from './modal.ts';
import { channelWithoutPosts } from './post-confirmation.ts';
import { refusalFor } from './result-view.ts';
import { draftIn, type ShownForm } from './shown-form.ts';
import {
  formIn,
  isTypedIn,
  keepIfTyped,
  offersAmong,
  readOpenForm,
  saveForm,
} from './unfinished.ts';

type RedrawDeps = CompleteDeps & Pick<SlackDeps, 'redraws'>;

/** Redraws the form for another request type, or with all fields, and keeps what was typed. */
export async function onFormChanged(deps: RedrawDeps, args: ActionArgs): Promise<void> {
  const viewId = args.body.view?.id;
  if (!viewId) return;
  const addMissing = await deps.redraws.run(viewId, (isLatest) => redraw(deps, args, isLatest));
  await addMissing?.();
}

/** @returns a function that adds the brands, if they aren't loaded yet */
async function redraw(
  deps: RedrawDeps,
  args: ActionArgs,
  isLatest: () => boolean,
): Promise<(() => Promise<void>) | undefined> {
  const { body, client, context } = args;
  if (!isLatest() || !body.view) return undefined;
  const options = await readOptions(deps, args);
  if (typeof options === 'string') {
    await replyPrivately(args, notRedrawn(options));
    return undefined;
  }
  // Keep the form: a notice that there is nothing to choose would replace what was typed.
  if (options.requestTypes.length === 0) return undefined;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  const { form, notice } = await readOpenForm(deps, workspaceId, userId, body.view);
  if (Number(form.changedAt) > Number(args.action.action_ts)) return undefined;
  const drawn = await drawChanged(deps, args, body.view, form, { options, notice });
  if (!drawn || !options.brandsPending) return undefined;
  const { formId } = form;
  return async () => {
    if (isLatest()) await addBrands(deps, client, { workspaceId, userId, formId, ...drawn });
  };
}

/**
 * Stores a form with what was changed in it, and then draws it. Another redraw, or Send, may come between, perhaps in
 * another process: then that one's view stays.
 *
 * @returns the view, undefined if it isn't drawn; nothing if there is nothing to draw
 */
async function drawChanged(
  deps: RedrawDeps,
  { action, body, client, context }: ActionArgs,
  shown: ShownForm & { id: string; hash: string },
  stored: UnfinishedForm,
  { options, notice = '' }: { options: FormOptions; notice: string | undefined },
): Promise<{ view: ShownView | undefined } | undefined> {
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  const { formId, isContinued } = stored;
  const files = await deps.formFiles.of(workspaceId);
  const defaults = await readDefaults(deps.formDefaults, workspaceId, userId, stored);
  const brandHere = brandHereOf(defaults);
  const lists = { options, partnerName: deps.partnerName, files, isContinued, brandHere };
  const changed = await changedForm(shown, lists, stored, () => defaults);
  const { shareIn } = changed.draft;
  const noPostsIn = await channelWithoutPosts(deps, client, workspaceId, shareIn);
  const readRequest = () => deps.requests.get(workspaceId, formId);
  const returned = stored.isReturned ? await readRequest() : undefined;
  if (action.action_id === SHARE_IN_INPUT) {
    if (noPostsIn === stored.noPostsIn) return undefined;
    // Slack was asked about the channel meanwhile.
    if ((await readRequest())?.revision !== returned?.revision) return undefined;
  }
  const changedAt = action.action_ts;
  const isTyped = stored.isTyped || isTypedIn(shown, lists);
  const isExpanded = stored.isExpanded || action.action_id === FORM_ACTIONS.moreOptions;
  const form = { ...changed, noPostsIn, isTyped, isExpanded, changedAt };
  // Before it is drawn, since the outcome of an earlier Send must not replace it any more.
  await saveForm(deps, workspaceId, userId, asDrawn(lists, form));
  const refusal = refusalFor(returned, { ...lists, draft: changed.draft });
  const view = buildFormView({ ...lists, ...form, notice, ...refusal });
  const { id: viewId, hash } = shown;
  const updated = await updateView(client, { viewId, hash, view });
  if (updated) return { view: updated };
  const current = await deps.unfinishedForms.get(workspaceId, userId, formId);
  const isOurs = current?.changedAt === changedAt;
  return { view: isOurs ? await updateView(client, { viewId, view }) : undefined };
}

const readOptions = (deps: RedrawDeps, args: ActionArgs) =>
  deps.referenceLists
    .openFormOptions(workspaceOf(args.context))
    .then(({ cached, read }): FormOptions | Promise<FormOptions> => cached ?? read())
    .catch((error) => explainServiceError(deps, actorOf(args), error));

/** Replaces a new form by one that was closed before, and saves what was typed in the new one. */
export async function onContinueHere(deps: RedrawDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context } = args;
  const formId = pressedValue(action);
  if (!body.view || !formId) return;
  const { id: viewId, hash } = body.view;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  const found = await deps.unfinishedForms.get(workspaceId, userId, formId);
  if (!found) return replyPrivately(args, NOTICES.notSavedAnyMore);
  const options = await readOptions(deps, args);
  if (typeof options === 'string') return replyPrivately(args, notRedrawn(options));
  const replaced = await formIn(deps, workspaceId, userId, body.view);
  await keepIfTyped(deps, workspaceId, userId, replaced);
  const noPostsIn = await channelWithoutPosts(deps, client, workspaceId, found.draft.shareIn);
  const form = { ...found, isContinued: true, admin: replaced.admin, noPostsIn };
  const drawn = await drawForm(deps, workspaceId, userId, form, options);
  await saveForm(deps, workspaceId, userId, drawn.form);
  const view = await updateView(client, { viewId, hash, view: drawn.view });
  if (options.brandsPending) await addBrands(deps, client, { workspaceId, userId, formId, view });
}

/** Deletes a form that was closed before, and redraws the one that offered it; the Home tab is redrawn anyway. */
export async function onDiscardForm(deps: RedrawDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  await deps.unfinishedForms.remove(workspaceId, userId, pressedValue(action) ?? '');
  if (body.view?.type !== 'modal') return;
  const { id: viewId, hash, blocks } = body.view;
  const options = await readOptions(deps, args);
  if (typeof options === 'string') return replyPrivately(args, notRedrawn(options));
  const { form } = await readOpenForm(deps, workspaceId, userId, body.view);
  const [saved, files, defaults] = await Promise.all([
    deps.unfinishedForms.of(workspaceId, userId),
    deps.formFiles.of(workspaceId),
    readDefaults(deps.formDefaults, workspaceId, userId, form),
  ]);
  const { partnerName } = deps;
  const lists = { options, partnerName, files, brandHere: brandHereOf(defaults) };
  const draft = draftIn(body.view, lists, form.draft);
  const unfinished = offersAmong(saved.filter(({ formId }) => formId !== form.formId));
  const visible = [...fieldsAmong(blocks)];
  const view = buildFormView({ ...lists, ...form, draft, visible, unfinished });
  await updateView(client, { viewId, hash, view });
}
