import type { Cards } from '../../design-service.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { WatchStore } from '../../store/watches.ts';
import { buttonsFor, type CachedCard, requestRow } from '../request-form/outcome.ts';
import { buttonRow, context, fitGroups } from '../text/blocks.ts';
import { LIST, SUB_COMMAND_WORDS } from '../words/command.ts';
import type { SubCommand } from './command.ts';

/** Requests to show. Each that is a card may cost a call to the service. */
const MAX_SHOWN = 10;

export function createList(deps: {
  requests: RequestStore;
  watches: Pick<WatchStore, 'watchedBy'>;
  cards: Cards;
  now: () => Date;
}): SubCommand {
  const { requests, watches, cards, now } = deps;

  /** The card, however old; undefined if it can't be read. */
  async function cardOf({ cardId, workspaceId }: DesignRequest): Promise<CachedCard | undefined> {
    if (cardId === undefined) return undefined;
    const reading = await cards
      .read(workspaceId, cardId, { class: 'person', allowStale: true })
      .catch(() => undefined);
    return reading && 'card' in reading ? reading : undefined;
  }

  return {
    name: 'list',
    ...SUB_COMMAND_WORDS.list,
    access: 'users',
    run: async (command) => {
      const { workspaceId, userId } = command;
      const [shown, count] = await Promise.all([
        requests.listByAuthor(workspaceId, userId, MAX_SHOWN),
        requests.countByAuthor(workspaceId, userId),
      ]);
      if (shown.length === 0) return command.reply(LIST.none);
      const cardIds = shown.flatMap(({ cardId }) => cardId ?? []);
      const watched = await watches.watchedBy(workspaceId, userId, cardIds);
      /** One line, and below it what its author can decide. */
      const describe = async (request: DesignRequest) => {
        const drawn = { card: await cardOf(request), links: cards, watched, now: now() };
        return [
          requestRow(request, { ...drawn, separator: ' · ' }),
          ...buttonRow(buttonsFor(request, cards.dashboardUrl)),
        ];
      };
      const { blocks, left } = fitGroups(await Promise.all(shown.map(describe)));
      const older = left + Math.max(count - shown.length, 0);
      const note = older > 0 ? [context(LIST.olderNotShown(older))] : [];
      await command.reply(LIST.heading, [...blocks, ...note]);
    },
  };
}
