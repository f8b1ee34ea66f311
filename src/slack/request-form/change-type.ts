import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import type { FormOptions } from '../../service/cache/catalogue.ts';
import { type ActionArgs, replyPrivately, workspaceOf } from '../listener/replies.ts';
import { updateView } from '../views/update-view.ts';
import type { ViewValues } from '../views/view-values.ts';
import { wordsForServiceError } from '../words/errors.ts';
import { typeNotChanged } from '../words/request-form.ts';
import { addBrands, type CompleteDeps } from './complete-form.ts';
import { rememberChoices, restoreChoices } from './earlier-choices.ts';
import { readMetadata } from './metadata.ts';
import { buildFormView } from './modal.ts';
import { readDraft } from './parse.ts';

const MAX_FORMS = 1_000;

/**
 * Redraws the form for the chosen type and keeps what was typed.
 *
 * People may change the type faster than Slack draws, so the changes of one form are drawn one at a
 * time, and outdated ones are skipped.
 */
export function createTypeChange(deps: CompleteDeps): (args: ActionArgs) => Promise<void> {
  const latest = new LRUCache<string, string>({ max: MAX_FORMS });
  const drawing = new LRUCache<string, Promise<unknown>>({ max: MAX_FORMS });

  /** @returns a function that adds the brands, if they aren't loaded yet */
  async function draw(
    args: ActionArgs,
    viewId: string,
  ): Promise<(() => Promise<void>) | undefined> {
    const { action, body, client, context } = args;
    const workspaceId = workspaceOf(context);
    const isLatest = () => latest.get(viewId) === action.action_ts;
    if (!isLatest() || !body.view) return undefined;
    const { state, private_metadata: metadataText } = body.view;
    const options = await deps.catalogue
      .openFormOptions(workspaceId)
      .then(({ known, read }) => known ?? read())
      .catch(wordsForServiceError);
    if (typeof options === 'string') {
      await replyPrivately(args, typeNotChanged(options));
      return undefined;
    }
    // Keep the form: a notice that there is nothing to choose would replace what was typed.
    if (options.requestTypes.length === 0) return undefined;
    const changed = buildChangedForm(deps, state.values, metadataText, options);
    const view = await updateView(client, { viewId, view: changed });
    if (!options.brandsPending) return undefined;
    const metadata = readMetadata(changed.private_metadata ?? metadataText);
    return async () => {
      if (isLatest()) await addBrands(deps, client, { workspaceId, metadata, view });
    };
  }

  return async (args) => {
    const viewId = args.body.view?.id;
    if (!viewId) return;
    latest.set(viewId, args.action.action_ts);
    const previous = drawing.get(viewId) ?? Promise.resolve();
    const current = previous.catch(() => undefined).then(() => draw(args, viewId));
    drawing.set(viewId, current);
    const addMissing = await current;
    await addMissing?.();
  };
}

function buildChangedForm(
  { partnerName }: CompleteDeps,
  values: ViewValues,
  metadataText: string,
  options: FormOptions,
): ModalView {
  const metadata = readMetadata(metadataText);
  const form = { options, partnerName, draft: readDraft(values, { options, partnerName }) };
  const earlier = rememberChoices(metadata.earlier ?? {}, values, form);
  const draft = restoreChoices(earlier, form);
  return buildFormView({ ...form, draft, metadata: { ...metadata, earlier } });
}
