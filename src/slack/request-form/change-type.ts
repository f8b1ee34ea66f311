import { LRUCache } from 'lru-cache';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, workspaceOf } from '../listeners.ts';
import { updateView } from '../views/update-view.ts';
import { readMetadata } from './metadata.ts';
import { buildFormView } from './modal.ts';
import { readDraft } from './parse.ts';

type ChangeTypeDeps = Pick<SlackDeps, 'catalogue' | 'partnerName'>;

const OPEN_FORMS = 1_000;

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
    const options = await deps.catalogue.formOptions(workspaceOf(context));
    const { partnerName } = deps;
    const draft = readDraft(body.view.state.values, { options, partnerName });
    const metadata = readMetadata(body.view.private_metadata);
    const view = buildFormView({ options, draft, metadata, partnerName });
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
