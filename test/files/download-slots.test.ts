import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDownloadSlots } from '../../src/files/download-slots.ts';
import { T1, T2, workspaceNamed } from '../installations/ids.ts';

const staying = new AbortController().signal;

function slotsUnderTest() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const slots = createDownloadSlots();
  const granted: string[] = [];
  const refused: string[] = [];
  return {
    granted,
    refused,
    /** Asks for a slot without waiting for it. */
    ask(name: string, workspaceId = T1, signal = staying) {
      return slots.take(workspaceId, signal).then((slot) => {
        (slot ? granted : refused).push(name);
        return { isWanted: () => slot?.isWanted(), free: () => slot?.[Symbol.dispose]() };
      });
    },
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('slots for downloads', () => {
  test('one workspace gets half, two a third each, and what is left is for the next', async () => {
    const { ask, granted } = slotsUnderTest();
    const held = await Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => ask(name)));
    void ask('seventh');
    for (let at = 1; at <= 5; at += 1) void ask(`theirs ${at}`, T2);
    await settled();
    expect(granted.slice(6)).toEqual(['theirs 1', 'theirs 2', 'theirs 3', 'theirs 4']);
    const [one, two, three] = held;
    one?.free();
    two?.free();
    await settled();
    expect(granted).toHaveLength(10);
    three?.free();
    await settled();
    expect(granted.slice(10)).toEqual(['seventh']);
  });

  test('there are twelve in all, wanted by those who get none, in the order in which they asked', async () => {
    const { ask, granted } = slotsUnderTest();
    const [first] = await Promise.all(
      Array.from({ length: 12 }, (_, at) => ask(`${at}`, workspaceNamed(`T${at}`))),
    );
    expect(first?.isWanted()).toBe(false);
    void ask('twelve', workspaceNamed('T12'));
    await settled();
    expect(first?.isWanted()).toBe(true);
    void ask('again', workspaceNamed('T0'));
    first?.free();
    await settled();
    expect(granted.slice(12)).toEqual(['twelve']);
  });

  test('what waits for its own workspace wants no slot of another', async () => {
    const { ask } = slotsUnderTest();
    const theirs = await ask('theirs', T2);
    for (let at = 1; at <= 9; at += 1) void ask(`${at}`);
    await settled();
    expect(theirs.isWanted()).toBe(false);
  });

  test('all wait for twenty seconds', async () => {
    const { ask, granted, refused } = slotsUnderTest();
    for (let at = 0; at < 200; at += 1) void ask(`${at}`);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toHaveLength(194);
    expect(granted).toHaveLength(6);
  });

  test('one that left meanwhile takes no slot', async () => {
    const { ask, granted } = slotsUnderTest();
    const held = await Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => ask(name)));
    const leaving = new AbortController();
    void ask('left', T1, leaving.signal);
    void ask('stays');
    leaving.abort();
    held[0]?.free();
    await settled();
    expect(granted.slice(6)).toEqual(['stays']);
  });
});
