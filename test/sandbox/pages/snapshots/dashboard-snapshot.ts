import { linesOf } from '../../../../src/slack/text/html-lines.ts';
import { STATUSES } from '../../../stand-ins/design-service/cards.ts';
import type { CardFile, StoredCard } from '../../../stand-ins/design-service/resources.ts';
import type { DesignService } from '../../../stand-ins/design-service/server.ts';
import type { SlackState } from '../../../stand-ins/slack/state/state.ts';
import { wordsForDelivery } from '../record/delivery-words.ts';
import type { Recorder } from '../record/recorder.ts';
import type { FaultsPanel } from '../service/faults-panel.ts';
import type { Keys } from '../service/keys.ts';

/** How many calls the page shows, the newest. */
const MOST_CALLS = 60;
/** Of a card's description, in characters. */
const MOST_SEARCHED = 4_000;
const PICTURES = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp']);

export type DashboardSources = {
  service: DesignService;
  state: SlackState;
  recorder: Recorder;
  keys: Keys;
  faults: FaultsPanel;
  cardUrl: (id: string) => string;
};

export type DashboardSnapshot = ReturnType<typeof dashboardSnapshot>;

export function dashboardSnapshot(
  { service, state, recorder, keys, faults, cardUrl }: DashboardSources,
  cardId: string | undefined,
) {
  const open = cardId === undefined ? undefined : service.cards.get(cardId);
  return {
    now: state.clock().getTime(),
    cards: service.cards
      .all()
      .map((card) => rowOf(card, service, cardUrl))
      .sort((one, other) => other.updatedAt - one.updatedAt),
    statuses: Object.values(STATUSES),
    open: open && cardShown(open, service, cardUrl),
    keys: keys.list(),
    faults: faults.list(),
    calls: callRows(recorder, keys, state),
    callCount: service.ledger.length,
    largestWindow: service.largestWindow(),
  };
}

export type CardRow = ReturnType<typeof rowOf>;

function rowOf(
  card: StoredCard,
  { referenceLists }: DesignService,
  cardUrl: (id: string) => string,
) {
  const { id, title, status, updatedAt, files, brandId, description } = card;
  return {
    id,
    title,
    status,
    brand: referenceLists.brands.find((brand) => brand.id === brandId)?.name,
    updatedAt: updatedAt.getTime(),
    picture: files.findLast(isPicture)?.urls.small,
    /** What a search looks through besides what is shown: the description, with its reference. */
    words: description.replaceAll(/<[^>]*>/g, ' ').slice(0, MOST_SEARCHED),
    url: cardUrl(id),
  };
}

export type CardShown = ReturnType<typeof cardShown>;

/** A card with everything the service stores. */
function cardShown(card: StoredCard, service: DesignService, cardUrl: (id: string) => string) {
  const { description, textCopy, dimensions, labels, tags, dueDate, files, sent } = card;
  return {
    ...rowOf(card, service, cardUrl),
    dimensions,
    labels,
    tags,
    sent,
    facts: factsOf(card, service),
    description: linesOf(description),
    descriptionHtml: description,
    textCopy: linesOf(textCopy),
    dueDate: dueDate?.toISOString().slice(0, 10) ?? '',
    files: files.map((file) => fileShown(file, service)),
  };
}

/** Short facts under the names used in api.md. */
function factsOf(card: StoredCard, { referenceLists }: DesignService): [string, string][] {
  const { requestTypeId, brandId, createdBy } = card;
  const type = referenceLists.requestTypes.find(({ id }) => id === requestTypeId);
  const brand = referenceLists.brands.find(({ id }) => id === brandId);
  const facts: [string, string][] = [
    ['request_type', type?.name ?? ''],
    ['product_type', card.productType],
    ['brand', brand?.name ?? ''],
    ['dimensions', card.dimensions],
    ['software', card.software],
    ['file_formats', card.fileFormats],
    ['labels', card.labels.join(', ')],
    ['tags', card.tags.join(', ')],
    ['created_by', createdBy?.name ?? ''],
    ['due_date', card.dueDate?.toISOString().slice(0, 10) ?? ''],
    ['created_at', card.createdAt.toISOString()],
    ['updated_at', card.updatedAt.toISOString()],
    ['account, project', `${card.account}, ${card.projectId}`],
  ];
  return facts.filter(([, value]) => value !== '');
}

const isPicture = ({ ext }: CardFile) => PICTURES.has(ext.toLowerCase());

export type CardFileShown = ReturnType<typeof fileShown>;

function fileShown(file: CardFile, { downloads }: DesignService) {
  const { id, name, type, urls } = file;
  return {
    id,
    name,
    type,
    address: urls.full,
    download: downloads.statusOf(id),
    picture: isPicture(file) ? urls.medium : undefined,
  };
}

/** Newest first. */
function callRows(recorder: Recorder, keys: Keys, state: SlackState) {
  return recorder
    .exchanges()
    .flatMap((one) => (one.kind === 'service-call' ? [{ seq: one.seq, ...one.call }] : []))
    .slice(-MOST_CALLS)
    .reverse()
    .map(({ seq, entry, ms, cause }) => {
      const { method, path, query, status, executed, keyEnding } = entry;
      return {
        seq,
        status,
        executed,
        at: entry.at.getTime(),
        call: `${method} ${path}${query && `?${query}`}`,
        isOver: ms !== undefined,
        owner: keyEnding ? keys.ownerOf(keyEnding) : 'no key',
        cause: cause ? wordsForDelivery(cause, state).title : '',
      };
    });
}
