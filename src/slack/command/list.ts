import type { KnownBlock } from '@slack/types';
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

type ListDeps = {
  requests: RequestStore;
  watches: Pick<WatchStore, 'watchedBy'>;
  cards: Cards;
  now: () => Date;
};

export const createList = (deps: ListDeps): SubCommand => ({
  name: 'list',
  ...SUB_COMMAND_WORDS.list,
  access: 'users',
  run: async (command) => {
    const { workspaceId, person } = command;
    const [requests, count] = await Promise.all([
      deps.requests.listByAuthor(workspaceId, person.id, MAX_SHOWN),
      deps.requests.countByAuthor(workspaceId, person.id),
    ]);
    if (requests.length === 0) {
      return command.reply(LIST.none);
    }
    const cardIds = requests.flatMap(({ cardId }) => cardId ?? []);
    const watched = await deps.watches.watchedBy(workspaceId, person.id, cardIds);
    const described = await Promise.all(
      requests.map((request) => describe(deps, request, watched)),
    );
    const { blocks, left } = fitGroups(described);
    const older = left + Math.max(count - requests.length, 0);
    const note = older > 0 ? [context(LIST.olderNotShown(older))] : [];
    await command.reply(LIST.heading, [...blocks, ...note]);
  },
});

/** One line, and below it what its author can decide. */
async function describe(
  deps: ListDeps,
  request: DesignRequest,
  watched: ReadonlySet<string>,
): Promise<KnownBlock[]> {
  const { cards: links, now } = deps;
  const card = await cardOf(deps, request);
  return [
    requestRow(request, { card, links, watched, now: now(), separator: ' · ' }),
    ...buttonRow(buttonsFor(request, links.dashboardUrl)),
  ];
}

/** The card, however old; undefined if it can't be read. */
async function cardOf(
  deps: ListDeps,
  { cardId, workspaceId }: DesignRequest,
): Promise<CachedCard | undefined> {
  if (cardId === undefined) return undefined;
  const reading = await deps.cards
    .read(workspaceId, cardId, { class: 'person', allowStale: true })
    .catch(() => undefined);
  return reading && 'card' in reading ? reading : undefined;
}
