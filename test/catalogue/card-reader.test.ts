import { describe, expect, it } from 'vitest';
import { createCardReader } from '../../src/cards/card-reader.ts';
import { connectedWorkspaces } from '../workspaces/connected-workspaces.ts';
import { movingClock } from './moving-clock.ts';

async function setUp() {
  const workspaces = await connectedWorkspaces();
  const { design, service } = workspaces;
  const card = design.cards.add({ title: 'Spring banner' });
  const cards = createCardReader(service);
  return {
    ...workspaces,
    cards,
    id: card.id,
    reads: () => design.calls({ operation: 'getCard' }).length,
    titleOf: async (workspaceId: string, cardId = card.id, options?: { fresh?: boolean }) => {
      const reading = await cards.read(workspaceId, cardId, options);
      return 'card' in reading ? reading.card.title : reading.unreadable;
    },
  };
}

describe('a card', () => {
  it('is read once, however many ask at once', async () => {
    const { titleOf, reads } = await setUp();
    const titles = await Promise.all(Array.from({ length: 50 }, () => titleOf('T1')));
    expect(new Set(titles)).toEqual(new Set(['Spring banner']));
    expect(reads()).toBe(1);
  });

  it('is read once a minute', async () => {
    const clock = movingClock();
    const { titleOf, reads, design, id } = await setUp();
    await titleOf('T1');
    design.cards.update(id, { title: 'Autumn banner' });
    await clock.advance(59_000);
    expect(await titleOf('T1')).toBe('Spring banner');
    await clock.advance(2_000);
    expect(await titleOf('T1')).toBe('Autumn banner');
    expect(reads()).toBe(2);
  });

  it('is read again where somebody wants it afresh, and then kept for the others', async () => {
    const { titleOf, reads, design, id } = await setUp();
    await titleOf('T1');
    design.cards.update(id, { title: 'Autumn banner' });
    expect(await titleOf('T1', id, { fresh: true })).toBe('Autumn banner');
    expect(await titleOf('T1')).toBe('Autumn banner');
    expect(reads()).toBe(2);
  });

  it('that does not exist is asked for once a minute too', async () => {
    const clock = movingClock();
    const { titleOf, reads, design } = await setUp();
    expect(await titleOf('T1', 'card-new')).toBe('not_found');
    design.cards.add({ id: 'card-new', title: 'Made meanwhile' });
    expect(await titleOf('T1', 'card-new')).toBe('not_found');
    expect(reads()).toBe(1);
    await clock.advance(61_000);
    expect(await titleOf('T1', 'card-new')).toBe('Made meanwhile');
  });

  it('that may not be read is asked for once a minute too', async () => {
    const { titleOf, reads, design, id } = await setUp();
    design.forbid(design.apiKey, { cardId: id });
    expect(await titleOf('T1')).toBe('forbidden');
    expect(await titleOf('T1')).toBe('forbidden');
    expect(reads()).toBe(1);
  });

  it('that could not be read for another reason is asked for again at once', async () => {
    const { cards, titleOf, design, id } = await setUp();
    design.faults.add({ kind: 'status', status: 418, times: 1 });
    await expect(cards.read('T1', id)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await titleOf('T1')).toBe('Spring banner');
  });

  it('is not read without a key', async () => {
    const { cards, id, reads } = await setUp();
    await expect(cards.read('T9', id)).rejects.toMatchObject({ reason: 'no_key' });
    expect(reads()).toBe(0);
  });
});

describe('two workspaces', () => {
  it('never see each other’s card of the same id', async () => {
    const { titleOf, design, connect, reads } = await setUp();
    await connect('T2', design.issueKey({ account: 'account-2' }));
    design.cards.add({ id: 'shared', title: 'Of the first', account: 'account-1' });
    expect(await titleOf('T1', 'shared')).toBe('Of the first');
    expect(await titleOf('T2', 'shared')).toBe('forbidden');
    expect(await titleOf('T1', 'shared')).toBe('Of the first');
    expect(reads()).toBe(2);
  });

  it('are told apart whatever a card’s id holds', async () => {
    const { cards, reads, connect } = await setUp();
    await connect('T1/T2');
    await cards.read('T1', 'T2/card-x');
    await cards.read('T1', '0/T2/card-x');
    await cards.read('T1/T2', 'card-x');
    expect(reads()).toBe(3);
  });
});

describe('what is forgotten', () => {
  it('is every card of that workspace, and of no other', async () => {
    const { titleOf, connect, reads, cards, design } = await setUp();
    const second = design.cards.add({ title: 'Second' });
    await connect('T10');
    await titleOf('T1');
    await titleOf('T1', second.id);
    await titleOf('T10');
    expect(reads()).toBe(3);
    cards.forget('T1');
    await titleOf('T10');
    expect(reads()).toBe(3);
    await titleOf('T1');
    await titleOf('T1', second.id);
    expect(reads()).toBe(5);
  });

  it('stays forgotten though it was just being read, and whoever waits for it is answered', async () => {
    const { cards, titleOf, design, id } = await setUp();
    design.faults.add({ kind: 'stall', ms: 50, times: 1 });
    const waiting = titleOf('T1');
    await expect.poll(() => design.calls().length).toBe(1);
    cards.forget('T1');
    design.cards.update(id, { title: 'Autumn banner' });
    expect(await titleOf('T1')).toBe('Autumn banner');
    expect(await waiting).toBe('Spring banner');
    expect(await titleOf('T1')).toBe('Autumn banner');
  });

  it('stays forgotten though it was just being refreshed', async () => {
    const { cards, titleOf, design, id } = await setUp();
    await titleOf('T1');
    design.faults.add({ kind: 'stall', ms: 50, times: 1 });
    const refreshing = titleOf('T1', id, { fresh: true });
    await expect.poll(() => design.calls().length).toBe(2);
    cards.forget('T1');
    design.cards.update(id, { title: 'Autumn banner' });
    expect(await titleOf('T1')).toBe('Autumn banner');
    expect(await refreshing).toBe('Spring banner');
  });
});
