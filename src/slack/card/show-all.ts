import type { ModalView } from '@slack/types';
import { typedCardId } from '../../references.ts';
import type { SlackDeps } from '../deps.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import { type ActionArgs, pressedValue } from '../listener/replies.ts';
import { buildModal, buildNotice } from '../views/modal.ts';
import { SHARE, WHOLE_CARD } from '../words/card.ts';
import { ONE_MOMENT } from '../words/modal.ts';
import { buildCardBlocks, withPicturesIfAccepted } from './card-blocks.ts';
import type { CardView } from './card-view.ts';

const notice = (text: string) => buildNotice({ title: WHOLE_CARD.title, text });

/**
 * Shows a whole card in a modal, and so only to the person who asked. An ephemeral message would
 * need the app to be in the channel, or a `response_url`, and would vanish with the next reload.
 */
export function showAllModal(deps: SlackDeps, { action, client }: ActionArgs): ModalToOpen {
  const value = pressedValue(action) ?? '';
  return {
    loading: notice(ONE_MOMENT),
    notice,
    async fill({ workspaceId, person }, modal) {
      await modal.load();
      const cardId = typedCardId(value, deps.cardLinks);
      const actor = { client, workspaceId, userId: person.id };
      if (cardId === undefined) return void (await modal.draw(notice(SHARE.gone)));
      const facts = await deps.cardViews.read(actor, cardId);
      if (typeof facts === 'string') return void (await modal.draw(notice(facts)));
      const view = { ...facts, url: deps.cardLinks.urlOf(cardId), detail: 'all' as const };
      await withPicturesIfAccepted([view], ([shown = view]) =>
        modal.draw(buildWholeCardModal(shown)),
      );
    },
  };
}

export const buildWholeCardModal = (view: CardView): ModalView =>
  buildModal({ title: WHOLE_CARD.title, blocks: buildCardBlocks(view) });
