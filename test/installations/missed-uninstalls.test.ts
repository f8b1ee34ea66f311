import { describe, expect, it, onTestFinished } from 'vitest';
import { keepFindingMissedUninstalls } from '../../src/installations/delete-workspace.ts';
import type { OwnerId } from '../../src/installations/workspace-id.ts';
import { createLog } from '../../src/ops/logging.ts';
import { E1, T1, T2 } from './ids.ts';

function look(deps: {
  list?: () => Promise<OwnerId[]>;
  deleteIfUninstalled?: (id: OwnerId) => Promise<void>;
}) {
  const asked: OwnerId[] = [];
  const lines: string[] = [];
  const { list = async () => [T1, E1, T2], deleteIfUninstalled = async () => undefined } = deps;
  const end = keepFindingMissedUninstalls({
    installations: { list },
    deleteIfUninstalled: async (id) => {
      asked.push(id);
      await deleteIfUninstalled(id);
    },
    log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    ...{ firstCheckMs: 1, pauseMs: 1 },
  });
  onTestFinished(end);
  return { asked, lines, end };
}

describe('looking for missed uninstalls', () => {
  it('checks every owner, even if one can’t be checked', async () => {
    const { asked } = look({
      deleteIfUninstalled: async (id) => {
        if (id === T1) throw new Error('Slack does not answer');
      },
    });
    await expect.poll(() => asked).toEqual([T1, E1, T2]);
  });

  it('stops with the app, after the check in progress', async () => {
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const { asked, lines, end } = look({ deleteIfUninstalled: () => answered });
    await expect.poll(() => asked).toEqual([T1]);
    end();
    resolve();
    await new Promise((done) => setTimeout(done, 20));
    expect(asked).toEqual([T1]);
    expect(lines).toEqual([]);
  });

  it('logs if the database can’t list the owners', async () => {
    const { lines } = look({ list: () => Promise.reject(new Error('no database')) });
    await expect.poll(() => lines.join()).toContain('could not look for missed uninstalls');
  });
});
