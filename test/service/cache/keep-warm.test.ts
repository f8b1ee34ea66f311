import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WorkspaceId } from '../../../src/installations/workspace-id.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { keepWarm } from '../../../src/service/cache/keep-warm.ts';
import { workspaceNamed } from '../../installations/ids.ts';

/** Ten thousand workspaces, each of which is being warmed until `answerOne`. */
function setUp(list?: () => Promise<WorkspaceId[]>) {
  const ids = Array.from({ length: 10_000 }, (_, index) => workspaceNamed(`T${index}`));
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const lines: string[] = [];
  const end = keepWarm({
    referenceLists: {
      warm: (id) => {
        asked.push(id);
        return new Promise((resolve) => waiting.push(resolve));
      },
      warmAgain: async () => undefined,
    },
    inUse: { list: list ?? (async (most) => ids.slice(0, most)) },
    log: createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }),
  });
  onTestFinished(end);
  const answerOne = async () => {
    waiting.shift()?.();
    await nextTurn();
  };
  return { ids, asked, waiting, lines, end, answerOne };
}

describe('at a start with many workspaces', () => {
  it('a few at a time are warmed, the most recently used first, and no more than some dozens', async () => {
    const { ids, asked, waiting, answerOne } = setUp();
    await nextTurn();
    expect(asked).toEqual(ids.slice(0, 4));
    while (waiting.length > 0) {
      expect(waiting.length).toBeLessThanOrEqual(4);
      await answerOne();
    }
    expect(asked).toEqual(ids.slice(0, 50));
  });

  it('none is started after the app is told to stop', async () => {
    const { asked, waiting, end, answerOne } = setUp();
    await nextTurn();
    end();
    while (waiting.length > 0) await answerOne();
    expect(asked).toHaveLength(4);
  });

  it('the app continues if the database can’t list them', async () => {
    const { lines } = setUp(() => Promise.reject(new Error('database is away')));
    await expect.poll(() => lines.join('')).toContain('database is away');
  });
});
