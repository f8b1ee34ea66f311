import { LRUCache } from 'lru-cache';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, replyPrivately, workspaceOf } from '../listeners.ts';
import { wordsForServiceTrouble } from '../service-trouble.ts';
import { updateView } from '../views/update-view.ts';
import { rememberChoices, withEarlier } from './earlier-choices.ts';
import { readMetadata } from './metadata.ts';
import { buildFormView } from './modal.ts';
import { readDraft } from './parse.ts';

type ChangeTypeDeps = Pick<SlackDeps, 'catalogue' | 'partnerName'>;

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
  const drawing = new LRUCache<string, Promise<void>>({ max: OPEN_FORMS });

  async function draw(args: ActionArgs, viewId: string): Promise<void> {
    const { action, body, client, context } = args;
    if (newest.get(viewId) !== action.action_ts || !body.view) return;
    const options = await deps.catalogue
      .formOptions(workspaceOf(context))
      .catch(wordsForServiceTrouble);
    if (typeof options === 'string') return replyPrivately(args, `${options} ${NOTHING_LOST}`);
    // A form that stands is worth more than the news that there is nothing to choose: it would be lost.
    if (options.requestTypes.length === 0) return;
    const { partnerName } = deps;
    const { values } = body.view.state;
    const metadata = readMetadata(body.view.private_metadata);
    const typed = readDraft(values, { options, partnerName });
    const form = { options, partnerName, draft: typed };
    const earlier = rememberChoices(metadata.earlier ?? {}, values, form);
    const draft = withEarlier(earlier, form);
    const view = buildFormView({ ...form, draft, metadata: { ...metadata, earlier } });
    await updateView(client, { viewId, view });
  }

  return async (args) => {
    const viewId = args.body.view?.id;
    if (!viewId) return;
    newest.set(viewId, args.action.action_ts);
    const before = drawing.get(viewId) ?? Promise.resolve();
    const now = before.catch(() => undefined).then(() => draw(args, viewId));
    drawing.set(viewId, now);
    await now;
  };
}
