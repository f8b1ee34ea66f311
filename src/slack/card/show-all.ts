import type { ModalView } from '@slack/types';
import { typedCardId } from '../../references.ts';
import type { SlackDeps } from '../deps.ts';
import { explainServiceError } from '../listener/access.ts';
import type { ModalToOpen } from '../listener/open-modal.ts';
import { type ActionArgs, pressedValue } from '../listener/replies.ts';
import { buildNotice } from '../views/modal.ts';
import { SHARE, WHOLE_CARD } from '../words/card.ts';
import { CLOSE, ONE_MOMENT } from '../words/modal.ts';
import { buildCardBlocks, withPicturesIfAccepted } from './card-blocks.ts';
import { type CardView, describeCard } from './card-view.ts';

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
      const view = cardId === undefined ? SHARE.gone : await read(cardId);
      if (typeof view === 'string') {
        await modal.draw(notice(view));
        return;
      }
      await withPicturesIfAccepted([view], ([shown = view]) =>
        modal.draw(buildWholeCardModal(shown)),
      );

      async function read(id: string): Promise<CardView | string> {
        const reading = await deps.cards
          .read(workspaceId, id, { class: 'person' })
          .catch((error) =>
            explainServiceError(deps, { client, workspaceId, userId: person.id }, error),
          );
        if (typeof reading === 'string') return reading;
        if ('unreadable' in reading) return SHARE.gone;
        const reader = { client, workspaceId, callClass: 'person' as const };
        const described = await describeCard(deps, reader, reading);
        return { ...described, url: deps.cardLinks.urlOf(id), detail: 'all' };
      }
    },
  };
}

export const buildWholeCardModal = (view: CardView): ModalView => ({
  type: 'modal',
  title: { type: 'plain_text', text: WHOLE_CARD.title },
  close: { type: 'plain_text', text: CLOSE },
  blocks: buildCardBlocks(view),
});
