import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import type { FormOptions } from '../../service/cache/catalogue.ts';
import { type ActionArgs, replyPrivately, workspaceOf } from '../listener/replies.ts';
import { updateView } from '../views/update-view.ts';
import type { ViewValues } from '../views/view-values.ts';
import { wordsForServiceTrouble } from '../words/errors.ts';
import { addBrands, type CompleteDeps } from './complete-form.ts';
import { rememberChoices, withEarlier } from './earlier-choices.ts';
import { readMetadata } from './metadata.ts';
import { buildFormView } from './modal.ts';
import { readDraft } from './parse.ts';

type ChangeTypeDeps = CompleteDeps;

const OPEN_FORMS = 1_000;

const NOTHING_LOST =
  'Until then the form can’t show what goes with the request type that you chose. What you typed is still there.';

/**
 * Draws the form for the chosen type: its products, software and formats. What was typed stays.
 *
 * Somebody may change the type faster than Slack draws. Changes of one form are drawn one after the
 * other, and one that a newer change has overtaken is not drawn at all.
 */
export function createTypeChange(deps: ChangeTypeDeps): (args: ActionArgs) => Promise<void> {
  const newest = new LRUCache<string, string>({ max: OPEN_FORMS });
  const drawing = new LRUCache<string, Promise<unknown>>({ max: OPEN_FORMS });

  /** @returns what is left to do where the form stands without its brands: nobody waits for them */
  async function draw(
    args: ActionArgs,
    viewId: string,
  ): Promise<(() => Promise<void>) | undefined> {
    const { action, body, client, context } = args;
    const workspaceId = workspaceOf(context);
    const isNewest = () => newest.get(viewId) === action.action_ts;
    if (!isNewest() || !body.view) return undefined;
    const { state, private_metadata: carried } = body.view;
    const options = await deps.catalogue
      .peekFormOptions(workspaceId)
      .then((known) => known ?? deps.catalogue.formOptions(workspaceId))
      .catch(wordsForServiceTrouble);
    if (typeof options === 'string') {
      await replyPrivately(args, `${options} ${NOTHING_LOST}`);
      return undefined;
    }
    // A form that stands is worth more than the news that there is nothing to choose: it would be lost.
    if (options.requestTypes.length === 0) return undefined;
    const changed = buildChangedForm(deps, state.values, carried, options);
    const view = await updateView(client, { viewId, view: changed });
    if (!options.brandsPending) return undefined;
    const metadata = readMetadata(changed.private_metadata ?? carried);
    return async () => {
      if (isNewest()) await addBrands(deps, client, { workspaceId, metadata, view });
    };
  }

  return async (args) => {
    const viewId = args.body.view?.id;
    if (!viewId) return;
    newest.set(viewId, args.action.action_ts);
    const before = drawing.get(viewId) ?? Promise.resolve();
    const now = before.catch(() => undefined).then(() => draw(args, viewId));
    drawing.set(viewId, now);
    const follow = await now;
    await follow?.();
  };
}

function buildChangedForm(
  { partnerName }: ChangeTypeDeps,
  values: ViewValues,
  carried: string,
  options: FormOptions,
): ModalView {
  const metadata = readMetadata(carried);
  const form = { options, partnerName, draft: readDraft(values, { options, partnerName }) };
  const earlier = rememberChoices(metadata.earlier ?? {}, values, form);
  const draft = withEarlier(earlier, form);
  return buildFormView({ ...form, draft, metadata: { ...metadata, earlier } });
}
