import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../../../src/installations/workspace-id.ts';
import type { CardDemand } from '../../../src/service/cache/card-reader.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { connectedWorkspaces } from '../../installations/connected-workspaces.ts';
import { T1, T2, workspaceNamed } from '../../installations/ids.ts';
import { at } from '../../store/stores-under-test.ts';

const MINUTE_S = 60;
/** All attempts of a read that fails. */
const ONE_READ = 4;
const FOR_A_PERSON: CardDemand = { class: 'person' };

async function setUp() {
  const workspaces = await connectedWorkspaces();
  const { design, cards, clock } = workspaces;
  const card = design.cards.add({ title: 'Spring banner' });
  return {
    ...workspaces,
    id: card.id,
    reads: () => design.calls({ operation: 'getCard' }).length,
    /** Moves the clock to that many seconds after the start. */
    moveTo: (seconds: number) => {
      clock.now = at(seconds);
    },
    rename: (title: string) => design.cards.update(card.id, { title }),
    titleOf: async (workspaceId: WorkspaceId, cardId = card.id, demand = FOR_A_PERSON) => {
      const reading = await cards.read(workspaceId, cardId, demand);
      return 'card' in reading ? reading.card.title : reading.unreadable;
    },
  };
}

describe('a card from the cache', () => {
  it('counts as read when the service was asked, however late it answered', async () => {
    const { cards, clock, design, id, moveTo } = await setUp();
    design.faults.add({ kind: 'stall', ms: 50, times: 1 });
    const reading = cards.read(T1, id, FOR_A_PERSON);
    await expect.poll(() => design.calls().length).toBe(1);
    const askedAt = clock.now;
    moveTo(10);
    expect((await reading).readAt).toEqual(askedAt);
  });

  it('read before the clock was set back is read again', async () => {
    const { titleOf, reads, moveTo, rename } = await setUp();
    await titleOf(T1);
    rename('Autumn banner');
    moveTo(-60 * MINUTE_S);
    expect(await titleOf(T1)).toBe('Autumn banner');
    expect(reads()).toBe(2);
  });

  it('that doesn’t exist or may not be read is requested only once a minute too', async () => {
    const { titleOf, reads, design, id, moveTo } = await setUp();
    design.forbid(design.apiKey, { cardId: id });
    expect(await titleOf(T1, 'card-new')).toBe('not_found');
    design.cards.add({ id: 'card-new', title: 'Made meanwhile' });
    expect(await titleOf(T1, 'card-new')).toBe('not_found');
    expect([await titleOf(T1), await titleOf(T1)]).toEqual(['forbidden', 'forbidden']);
    expect(reads()).toBe(2);
    moveTo(MINUTE_S + 1);
    expect(await titleOf(T1, 'card-new', { class: 'posted', since: at(0) })).toBe('Made meanwhile');
  });
});

describe('while the service can’t answer, a cached card', () => {
  it('is returned for an hour', async () => {
    const { cards, design, id, moveTo, titleOf } = await setUp();
    await titleOf(T1);
    design.faults.add({ kind: 'html' });
    moveTo(59 * MINUTE_S);
    expect(await titleOf(T1)).toBe('Spring banner');
    moveTo(61 * MINUTE_S);
    await expect(cards.read(T1, id, FOR_A_PERSON)).rejects.toMatchObject({
      code: 'unreadable_answer',
    });
  });
});

it('Refresh doesn’t call a failing service more often', async () => {
  const { cards, design, id, moveTo, reads, titleOf } = await setUp();
  await titleOf(T1);
  design.faults.add({ kind: 'status', status: 503 });
  // Of a card that was never read.
  for (const _ of '12')
    await expect(cards.refresh(T1, 'other')).rejects.toMatchObject({ code: 'unavailable' });
  expect(reads()).toBe(1 + ONE_READ);
  moveTo(2 * MINUTE_S);
  expect(await cards.refresh(T1, id)).toMatchObject({ readError: { code: 'unavailable' } });
  expect(await cards.refresh(T1, id)).toMatchObject({
    card: { title: 'Spring banner' },
    readError: { code: 'unavailable' },
  });
  expect(reads()).toBe(1 + 2 * ONE_READ);
  design.faults.clear();
  moveTo(2 * MINUTE_S + 11);
  expect(await cards.refresh(T1, id)).not.toHaveProperty('readError');
});

it('two workspaces are kept apart whatever a card’s ID contains', async () => {
  const { titleOf, reads, connect } = await setUp();
  await connect(workspaceNamed('T1/T2'));
  await connect(workspaceNamed('T1","T2'));
  const key = fingerprintOf((await connect(T2)) ?? '');
  await titleOf(T1, 'T2/card-x');
  await titleOf(T1, `${key}","card-x`);
  await titleOf(workspaceNamed('T1/T2'), 'card-x');
  await titleOf(workspaceNamed('T1","T2'), 'card-x');
  await titleOf(T2, 'card-x');
  expect(reads()).toBe(5);
});

it('a workspace’s new key sees nothing that the previous one read', async () => {
  const { titleOf, design, connect } = await setUp();
  await titleOf(T1);
  await connect(T1, design.issueKey({ account: 'account-2' }));
  expect(await titleOf(T1)).toBe('forbidden');
});

it('counts cache hits and misses', async () => {
  const { titleOf, cacheAnswers, design, moveTo } = await setUp();
  await titleOf(T1);
  await titleOf(T1);
  await titleOf(T1, 'card-new');
  await titleOf(T1, 'card-new');
  moveTo(2 * MINUTE_S);
  design.faults.add({ kind: 'html' });
  await titleOf(T1);
  await expect(titleOf(T1, 'card-new')).rejects.toThrow();
  expect(cacheAnswers).toEqual(
    ['miss', 'hit', 'miss', 'negative', 'stale', 'miss'].map((answer) => `cards ${answer}`),
  );
});
