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
      return slots.take(workspaceId, signal).then((free) => {
        (free ? granted : refused).push(name);
        return free;
      });
    },
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('slots for downloads', () => {
  test('one workspace gets six, and leaves the others to the next', async () => {
    const { ask, granted } = slotsUnderTest();
    const held = await Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => ask(name)));
    void ask('seventh');
    void ask('theirs', T2);
    await settled();
    expect(granted.slice(6)).toEqual(['theirs']);
    held[0]?.();
    await settled();
    expect(granted.slice(7)).toEqual(['seventh']);
  });

  test('who waits for their own is passed over', async () => {
    const { ask, granted } = slotsUnderTest();
    const ask6 = (id = T1) =>
      Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => ask(name, id)));
    await ask6();
    const [free] = await ask6(T2);
    void ask('seventh');
    void ask('theirs', T2);
    free?.();
    await settled();
    expect(granted.slice(12)).toEqual(['theirs']);
  });

  test('there are twelve in all', async () => {
    const { ask, granted } = slotsUnderTest();
    for (let at = 0; at < 14; at += 1) void ask(`${at}`, workspaceNamed(`T${at}`));
    await settled();
    expect(granted).toHaveLength(12);
  });

  test('a hundred wait, for twenty seconds', async () => {
    const { ask, granted, refused } = slotsUnderTest();
    for (let at = 0; at < 6 + 101; at += 1) void ask(`${at}`);
    await settled();
    expect(refused).toEqual(['106']);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(refused).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toHaveLength(101);
    expect(granted).toHaveLength(6);
  });

  test('one that left meanwhile takes no slot', async () => {
    const { ask, granted } = slotsUnderTest();
    const held = await Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => ask(name)));
    const leaving = new AbortController();
    void ask('left', T1, leaving.signal);
    void ask('stays');
    leaving.abort();
    held[0]?.();
    await settled();
    expect(granted.slice(6)).toEqual(['stays']);
  });
});
