import type { KnownBlock } from '@slack/types';
import type { Cards } from '../../design-service.ts';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { WatchStore } from '../../store/watches.ts';
import { linkedTitle, onOneLine } from '../card/card-text.ts';
import {
  buttonsFor,
  type CachedCard,
  cardUrlOf,
  requestFacts,
  requestMenu,
} from '../request-form/outcome.ts';
import { buttonRow, context, fitGroups, section } from '../text/blocks.ts';
import { clip } from '../text/limits.ts';
import { LIST, SUB_COMMAND_WORDS } from '../words/command.ts';
import { wordsForRequest } from '../words/messages.ts';
import type { SubCommand } from './command.ts';

/** Requests to show. Each that is a card may cost a call to the service. */
const MAX_SHOWN = 10;
const TITLE_CHARS = 150;

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
      requests.map((request) => describe(deps, request, watched.has(request.cardId ?? ''))),
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
  isWatched: boolean,
): Promise<KnownBlock[]> {
  const title = clip(request.form.title, TITLE_CHARS);
  const url = cardUrlOf(deps.cards, request);
  const facts = isBeingChecked(request)
    ? onOneLine([wordsForRequest(request), request.reference])
    : requestFacts(request, await cardOf(deps, request), deps.now());
  const choices = buttonsFor(request, deps.cards.dashboardUrl);
  const menu = requestMenu(request, isWatched);
  return [
    { ...section(`${linkedTitle(url, title)} · ${facts}`), ...(menu ? { accessory: menu } : {}) },
    ...buttonRow(choices),
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
