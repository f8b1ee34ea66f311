import type { DesignRequest } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { SlackDeps } from '../deps.ts';
import { explainServiceError } from '../listener/explain.ts';
import { actorOf } from '../listener/guard.ts';
import { type ActionArgs, pressedValue, replyPrivately, workspaceOf } from '../listener/replies.ts';
import { updateView } from '../views/update-view.ts';
import { NOTICES, notRedrawn } from '../words/request-form.ts';
import { fieldsAmong } from './block-ids.ts';
import { changedForm } from './changed-form.ts';
import { chosenType, draftOf, type FormContext } from './draft.ts';
import { drawNewForm } from './draw-form.ts';
import { brandHereOf } from './fill-defaults.ts';
import { addBrands, type CompleteDeps } from './fill-form.ts';
import { FORM_ACTIONS, SHARE_IN_INPUT } from './ids.ts';
import { readMetadata } from './metadata.ts';
import { buildFormView } from './modal.ts';
import { readDraft } from './parse.ts';
import { channelWithoutPosts } from './post-confirmation.ts';
import { refusalOf } from './result-view.ts';
import { isTypedIn, offersAmong, readUnfinished, saveUnfinished } from './unfinished.ts';

type RedrawDeps = CompleteDeps & Pick<SlackDeps, 'redraws'>;

/** Redraws the form for another request type, or with all fields, and keeps what was typed. */
export async function onFormChanged(deps: RedrawDeps, args: ActionArgs): Promise<void> {
  const viewId = args.body.view?.id;
  if (!viewId) return;
  const addMissing = await deps.redraws.run({ viewId, id: args.action.action_ts }, (isLatest) =>
    redraw(deps, args, viewId, isLatest),
  );
  await addMissing?.();
}

/** @returns a function that adds the brands, if they aren't loaded yet */
async function redraw(
  deps: RedrawDeps,
  args: ActionArgs,
  viewId: string,
  isLatest: () => boolean,
): Promise<(() => Promise<void>) | undefined> {
  const { action, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  if (!isLatest() || !body.view) return undefined;
  const { state, blocks, hash, private_metadata: metadataText } = body.view;
  const options = await readOptions(deps, args);
  if (typeof options === 'string') {
    await replyPrivately(args, notRedrawn(options));
    return undefined;
  }
  // Keep the form: a notice that there is nothing to choose would replace what was typed.
  if (options.requestTypes.length === 0) return undefined;
  const given = { ...readMetadata(metadataText), userId: body.user.id };
  const isExpanded = given.isExpanded || action.action_id === FORM_ACTIONS.moreOptions;
  const files = await deps.formFiles.of(workspaceId);
  const { isContinued } = given;
  const defaults = await deps.defaultsOfForms.ofOpenForm(workspaceId, given);
  const brandHere = brandHereOf(defaults);
  const form = { options, partnerName: deps.partnerName, files, isContinued, brandHere };
  const visible = fieldsAmong(blocks);
  const changed = await changedForm(
    { values: state.values, visible },
    form,
    { ...given, isExpanded },
    () => defaults,
  );
  const { shareIn } = changed.draft;
  const noPostsIn = await channelWithoutPosts(deps, client, workspaceId, shareIn);
  const isOnlyChannel = action.action_id === SHARE_IN_INPUT;
  if (isOnlyChannel && noPostsIn === given.noPostsIn) return undefined;
  const metadata = { ...changed.metadata, noPostsIn };
  const readRequest = () => deps.requests.get(workspaceId, given.formId);
  const returned = given.isReturned ? await readRequest() : undefined;
  const refusal = returned ? refusalFor(returned, { ...form, draft: changed.draft }) : {};
  const drawn = buildFormView({ ...form, ...changed, metadata, ...refusal });
  // A view that has changed shows an earlier redraw, or the outcome of a Send, which stays.
  const wasSent = async () => (await readRequest())?.revision !== returned?.revision;
  // Before it is drawn, since the outcome of an earlier Send must not replace it any more.
  if (!isOnlyChannel) {
    const isTyped = isTypedIn(body.view, form);
    await saveUnfinished(deps, workspaceId, metadata, { draft: changed.draft, isTyped });
  }
  const view =
    (await updateView(client, { viewId, hash, view: drawn })) ??
    ((await wasSent()) ? undefined : await updateView(client, { viewId, view: drawn }));
  if (!options.brandsPending) return undefined;
  const shown = readMetadata(drawn.private_metadata ?? '');
  return async () => {
    if (isLatest()) await addBrands(deps, client, { workspaceId, metadata: shown, view });
  };
}

/** What is wrong with a form, as long as it has the type that it came back with. */
function refusalFor(returned: DesignRequest, form: FormContext) {
  const draft = draftOf(returned.form);
  const type = chosenType({ ...form, draft }) ?? draft.requestType;
  return type?.id === form.draft.requestType?.id ? refusalOf(returned, form) : {};
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
  const { id: viewId, hash, state, private_metadata: metadataText } = body.view;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  const saved = await deps.unfinishedForms.of(workspaceId, userId);
  const found = saved.find((one) => one.formId === formId);
  if (!found) return replyPrivately(args, NOTICES.notSavedAnyMore);
  const options = await readOptions(deps, args);
  if (typeof options === 'string') return replyPrivately(args, notRedrawn(options));
  const { partnerName } = deps;
  const replaced = { ...readMetadata(metadataText), userId };
  const form = { options, partnerName };
  const draft = readDraft(state.values, form, replaced.hidden);
  const isTyped = isTypedIn(body.view, form);
  await saveUnfinished(deps, workspaceId, replaced, { draft, isTyped });
  const { channelId, isExpanded, draft: left } = readUnfinished(found);
  const noPostsIn = await channelWithoutPosts(deps, client, workspaceId, left.shareIn);
  const { admin } = replaced;
  const again = { formId, userId, channelId, isExpanded, isContinued: true };
  const metadata = { ...again, admin, noPostsIn };
  const drawn = await drawNewForm(deps, workspaceId, metadata, { options });
  const view = await updateView(client, { viewId, hash, view: drawn });
  if (options.brandsPending) await addBrands(deps, client, { workspaceId, metadata, view });
}

/** Deletes a form that was closed before, and redraws the one that offered it; the Home tab is redrawn anyway. */
export async function onDiscardForm(deps: RedrawDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  const userId = body.user.id;
  await deps.unfinishedForms.remove(workspaceId, userId, pressedValue(action) ?? '');
  if (body.view?.type !== 'modal') return;
  const { id: viewId, hash, state, blocks, private_metadata: metadataText } = body.view;
  const metadata = { ...readMetadata(metadataText), userId };
  const options = await readOptions(deps, args);
  if (typeof options === 'string') return replyPrivately(args, notRedrawn(options));
  const [saved, files, defaults] = await Promise.all([
    deps.unfinishedForms.of(workspaceId, userId),
    deps.formFiles.of(workspaceId),
    deps.defaultsOfForms.ofOpenForm(workspaceId, metadata),
  ]);
  const form = { options, partnerName: deps.partnerName, files, brandHere: brandHereOf(defaults) };
  const draft = readDraft(state.values, form, metadata.hidden);
  const unfinished = offersAmong(saved.filter((one) => one.formId !== metadata.formId));
  const visible = fieldsAmong(blocks);
  const view = buildFormView({ ...form, draft, metadata, visible, unfinished });
  await updateView(client, { viewId, hash, view });
}
