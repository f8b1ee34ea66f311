import { describe, expect, it } from 'vitest';
import { T1, T2 } from '../installations/ids.ts';
import { newRequest } from './request-suite.ts';
import { at, claimOne, type OpenStores } from './stores-under-test.ts';

export function describeBacklog(openStores: OpenStores): void {
  describe('what waits', () => {
    it('is counted over all workspaces, with the oldest request in each state', async () => {
      const { backlog, requests } = (await openStores()).stores;
      const inState = async (id: string, state: 'in_doubt' | 'created', second: number) => {
        await requests.add(newRequest(id, { workspaceId: T2 }), at(second));
        await requests.changeState({ workspaceId: T2, id }, ['queued'], state, {}, at(9));
      };
      await requests.add(newRequest('a'), at(2));
      await requests.add(newRequest('b', { workspaceId: T2 }), at(1));
      await inState('c', 'in_doubt', 4);
      await inState('d', 'in_doubt', 3);
      await inState('e', 'created', 0);
      const none = { count: 0, oldestAt: undefined };
      expect(await backlog.openRequests()).toEqual([
        { name: 'queued', count: 2, oldestAt: at(1) },
        { name: 'sending', ...none },
        { name: 'waiting_for_key', ...none },
        { name: 'in_doubt', count: 2, oldestAt: at(3) },
      ]);
    });

    it('are jobs that are due, urgent or not, but none that runs later or has started', async () => {
      const { backlog, jobTable } = (await openStores()).stores;
      const add = (kind: string, second: number, isUrgent = false) =>
        jobTable.add({ kind, workspaceId: T1, payload: {}, isUrgent, runAt: at(second) }, at(0));
      await add('started', 0);
      await claimOne(jobTable, at(0));
      await add('tell', 5, true);
      await add('tell', 4);
      await add('read', 6);
      await add('read', 8);
      const due = await backlog.dueJobs(at(7));
      expect(due.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
        { name: 'read', count: 1, oldestAt: at(6) },
        { name: 'tell', count: 2, oldestAt: at(4) },
      ]);
    });
  });
}
