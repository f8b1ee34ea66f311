import { DEFAULT_ACCOUNT } from './api-keys.ts';
import type { CardStatus, StoredCard } from './resources.ts';
import { type FileFields, fileOf } from './serve-file.ts';

/** The project of every created card, in every account. */
export const DEFAULT_PROJECT = 'project-1';

/** The statuses of a card here; api.md shows neither the list nor the transitions. */
export const STATUSES = {
  draft: { id: 'status-draft', name: 'Draft', color: '#9aa0a6' },
  toDo: { id: 'status-to-do', name: 'To do', color: '#5b6cff' },
  inProgress: { id: 'status-in-progress', name: 'In progress', color: '#f5a623' },
  inReview: { id: 'status-in-review', name: 'In review', color: '#a259ff' },
  revision: { id: 'status-revision', name: 'Revision', color: '#e5484d' },
  done: { id: 'status-done', name: 'Done', color: '#30a46c' },
} satisfies Record<string, CardStatus>;

const FIRST_CARD_NUMBER = 1001;

/** The service's cards. Changing one that doesn't exist throws. */
export type Cards = ReturnType<typeof createCards>;

export function createCards(clock: () => Date, filesUrl: string, changed: () => void) {
  const cards = new Map<string, StoredCard>();
  let nextNumber = FIRST_CARD_NUMBER;

  function freeId(): string {
    while (cards.has(`card-${nextNumber}`)) nextNumber += 1;
    return `card-${nextNumber}`;
  }

  function existing(id: string): StoredCard {
    const card = cards.get(id);
    if (!card) throw new Error(`The design service has no card "${id}".`);
    return card;
  }

  function update(id: string, patch: Partial<StoredCard>): StoredCard {
    const card = { ...existing(id), updatedAt: clock(), ...patch, id };
    cards.set(id, card);
    changed();
    return card;
  }

  return {
    /** Oldest first. */
    all: () => [...cards.values()],
    get: (id: string) => cards.get(id),
    /** Missing fields get plain values; an ID in use throws. */
    add(fields: Partial<StoredCard> & { title: string }): StoredCard {
      const now = clock();
      const card = { ...plainCard(now), id: freeId(), ...fields };
      if (cards.has(card.id)) throw new Error(`The design service already has "${card.id}".`);
      cards.set(card.id, card);
      changed();
      return card;
    },
    update,
    addFile: (id: string, file: FileFields) =>
      update(id, { files: [...existing(id).files, fileOf(file, filesUrl)] }),
  };
}

function plainCard(now: Date): Omit<StoredCard, 'id' | 'title'> {
  return {
    account: DEFAULT_ACCOUNT,
    projectId: DEFAULT_PROJECT,
    description: '',
    requestTypeId: null,
    productType: 'Graphics',
    dimensions: '',
    createdBy: null,
    labels: [],
    tags: [],
    textCopy: '',
    fileFormats: '',
    software: '',
    status: STATUSES.toDo,
    dueDate: null,
    createdAt: now,
    updatedAt: now,
    files: [],
    brandId: null,
    isDraft: false,
  };
}
