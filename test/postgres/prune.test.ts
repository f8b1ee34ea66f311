import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { LAST_CHANNEL } from '../../src/slack/client/direct-messages.ts';
import { keepPruned } from '../../src/store/prune.ts';
import { T1 } from '../installations/ids.ts';
import { openPostgresStores } from './postgres-stores.ts';

const DAY_MS = 24 * 60 * 60_000;

it('what is old is decided by the database’s clock, not by a replica’s', async () => {
  const { db, stores } = await openPostgresStores();
  const { auditEntries, entries } = stores;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const entry = (by: string) => ({ what: 'key_connected' as const, by, changes: [] });
  await auditEntries.add(T1, entry('Recent'), daysAgo(1));
  await auditEntries.add(T1, entry('Old'), daysAgo(366));
  const recent = { kind: LAST_CHANNEL, owner: T1, name: 'U1' };
  await entries.put(recent, 'C1', daysAgo(0));
  const left = async () => (await auditEntries.list([T1], 9)).map(({ by }) => by);

  const ahead = () => daysAgo(-400);
  const eraser = { erase: async () => undefined };
  const log = createLog({ level: 'silent' });
  onTestFinished(keepPruned({ db, stores, eraser, now: ahead, log }));
  await expect.poll(left).toEqual(['Recent']);
  expect(await entries.get(recent)).toMatchObject({ value: 'C1' });
});
