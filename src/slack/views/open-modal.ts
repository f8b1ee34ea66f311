import type { ModalView } from '@slack/types';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { Access } from '../directory/permissions.ts';
import { type Asker, checkAccess, checkKnown, type Visitor } from '../listener/guard.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import { wordsForDenied } from '../words/errors.ts';
import { type ShownView, updateView } from './update-view.ts';

/** A modal that someone asked for. */
export type ModalRequest = {
  /** Shown while it isn't known yet whether they may have it. */
  loading: ModalView;
  /** Says something in place of it, for example why they may not have it. */
  notice(text: string): ModalView;
  /** Draws what was asked for. */
  fill(visitor: Visitor, modal: Modal): Promise<void>;
};

/** Both return the modal as it is now, undefined if it was closed. */
export type Modal = {
  /** Opens it with its loading view, unless it is open. */
  load(): Promise<ShownView | undefined>;
  /** Opens it with this view, or redraws it. */
  draw(view: ModalView): Promise<ShownView | undefined>;
};

/**
 * Opens a modal for someone who may have it. Nothing remote happens before `views.open`: whoever Slack
 * has never told us about gets the loading view first. Whoever is known gets the modal at once, and
 * loses it again if Slack's answer has changed.
 *
 * @throws Slack's error if the modal can't be opened; later errors are shown in it
 */
export async function openModal(
  deps: Pick<SlackDeps, 'people' | 'settings' | 'log'>,
  asker: Asker & { triggerId: string },
  access: Access,
  request: ModalRequest,
): Promise<void> {
  const { modal, isOpen } = createModal(asker, request.loading);
  try {
    // An admin is never taken for one without asking.
    const known = access === 'admins' ? undefined : await checkKnown(deps, asker, access);
    const isKnown = known !== undefined && 'visitor' in known;
    await (isKnown ? request.fill(known.visitor, modal) : modal.load());
    const checked = await checkAccess(deps, asker, access).catch((error: unknown) => {
      if (!isKnown) throw error;
      deps.log.info({ err: error }, 'Slack did not say again who opened a modal');
      return known;
    });
    if ('denied' in checked) await modal.draw(request.notice(wordsForDenied(checked.denied)));
    else if (!isKnown) await request.fill(checked.visitor, modal);
  } catch (error) {
    if (!isOpen()) throw error;
    const text = reportUnexpected(deps.log, error, 'a modal could not be filled');
    await modal.draw(request.notice(text));
  }
}

function createModal(
  { client, triggerId }: { client: SlackClient; triggerId: string },
  loading: ModalView,
): { modal: Modal; isOpen: () => boolean } {
  let viewId: string | undefined;
  let shown: ShownView | undefined;

  async function draw(view: ModalView): Promise<ShownView | undefined> {
    if (viewId !== undefined) {
      shown = await updateView(client, { viewId, view });
      return shown;
    }
    const { view: opened } = await client.views.open({ trigger_id: triggerId, view });
    if (!opened?.id) throw new Error('views.open named no view');
    viewId = opened.id;
    shown = { id: viewId, hash: opened.hash };
    return shown;
  }
  return {
    modal: { draw, load: async () => (viewId === undefined ? draw(loading) : shown) },
    isOpen: () => viewId !== undefined,
  };
}
