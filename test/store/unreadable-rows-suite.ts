import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/installations/settings.ts';
import { createOperatorJobs } from '../../src/store/operator-jobs.ts';
import { T1 } from '../installations/ids.ts';
import { kindsOf } from './kinds-of.ts';
import { idsOf, newRequest } from './request-suite.ts';
import { at, claimOne, type OpenStores, type StoresUnderTest } from './stores-under-test.ts';

/** What a damaged disk, a hand-written statement, or a newer version may leave in a column of JSON. */
const UNREADABLE = ['', '{"title":"Secret', 'null', '7', '"Secret"', '[]', '{"version":2}'];

const CARD = { workspaceId: T1, cardId: 'card-1' };

/** Overwrites a column of one row. */
async function damage(
  { db }: StoresUnderTest,
  [table, column]: readonly [table: string, column: string],
  [key, id]: readonly [key: string, id: string],
  text: string,
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text}
    where ${sql.ref(key)} = ${id}`.execute(db);
}

export function describeUnreadableRows(openStores: OpenStores): void {
  describe.each(UNREADABLE)('a row that says %j', (text) => {
    it('is a request whose author is told, and that is listed and resumed like every other', async () => {
      const opened = await openStores();
      const { requests } = opened.stores;
      for (const id of ['r1', 'r2', 'r3']) await requests.add(newRequest(id), at(0));
      await damage(opened, ['requests', 'form'], ['id', 'r2'], text);
      await damage(opened, ['requests', 'problem'], ['id', 'r3'], text || 'x');
      const ids = ['r1', 'r2', 'r3'];
      for (const found of [
        await requests.listByAuthor(T1, 'U1', 10),
        await requests.listOpenByAuthor(T1, 'U1', 10),
      ])
        expect(found.map(({ id }) => id).toSorted()).toEqual(ids);
      expect(await idsOf(requests.unfinished('queued'))).toEqual(ids);
      const [lost] = await requests.withReference('DR-r2');
      expect(lost).toMatchObject({ form: { title: 'DR-r2' }, problem: { code: 'unreadable' } });
      expect(await requests.get(T1, 'r3')).toMatchObject({
        form: { title: 'Spring banner' },
        problem: undefined,
      });
      const lines = opened.logLines.join('');
      expect(lines).toContain('"table":"requests"');
      expect(lines).toContain('"row":"r2"');
      expect(lines).toContain('"row":"r3"');
      expect(lines).toContain('"workspace":"T1"');
      expect(lines).not.toContain('Secret');
      expect(lines.match(/"row":"r2"/g)).toHaveLength(1);
    });

    it('doesn’t hide who requested a card', async () => {
      const opened = await openStores();
      const { requests } = opened.stores;
      await requests.add(newRequest('r1'), at(0));
      await requests.changeState({ workspaceId: T1, id: 'r1' }, ['queued'], 'created', CARD, at(1));
      await damage(opened, ['requests', 'form'], ['id', 'r1'], text);
      expect(await requests.getByCard(T1, CARD.cardId)).toMatchObject({ id: 'r1', userId: 'U1' });
    });

    it('is a watch that goes on, and that is deleted in the end like every other', async () => {
      const opened = await openStores();
      const { watches } = opened.stores;
      const others = { ...CARD, cardId: 'card-2' };
      await watches.begin(CARD, { watchId: 'w1', told: { files: [] } }, at(0));
      await watches.begin(others, { watchId: 'w2' }, at(0));
      for (const ts of ['1.1', '1.2'])
        await watches.addMessage(CARD, { channel: 'C1', ts, shown: { size: 'small' } }, at(0));
      await damage(opened, ['watched_cards', 'told'], ['watch_id', 'w1'], text);
      await damage(opened, ['entries', 'value'], ['name', 'card-1/C1/1.1'], text);
      expect(await watches.get(CARD)).toMatchObject({ watchId: 'w1' });
      expect(await watches.messagesOf(CARD, 9)).toContainEqual({
        ...{ channel: 'C1', ts: '1.2', shown: { size: 'small' } },
      });
      expect(await watches.prune(at(1))).toBe(2);
      expect(await watches.get(others)).toBeUndefined();
    });

    it('is left out of what forms are filled with, and of those that were not sent', async () => {
      const opened = await openStores();
      const { formDefaults, unfinishedForms } = kindsOf(opened.stores);
      const latest = { owner: 'U1', scope: 'latest', choices: { requestType: 'a' } };
      await formDefaults.learn(T1, [latest, { ...latest, scope: 'channel/C1' }], at(0));
      await damage(opened, ['entries', 'value'], ['name', 'U1/channel/C1'], text);
      const readable = (await formDefaults.of(T1, ['U1'])).filter(
        ({ choices }) => Object.keys(choices).length > 0,
      );
      expect(readable).toEqual([latest]);
      for (const formId of ['f1', 'f2'])
        await unfinishedForms.save(T1, 'U1', { formId, draft: { title: 'x' } }, at(0));
      await damage(opened, ['entries', 'value'], ['name', 'U1/f1'], text);
      const formIds = (await unfinishedForms.of(T1, 'U1')).map(({ formId }) => formId);
      expect(formIds).toEqual(['f2']);
    });

    it('doesn’t hide who changed what', async () => {
      const opened = await openStores();
      const { auditEntries } = opened.stores;
      for (const by of ['U1', 'U2'])
        await auditEntries.add(T1, { what: 'settings_changed', by, changes: [] }, at(0));
      await damage(opened, ['audit_entries', 'details'], ['done_by', 'U1'], text);
      const listed = await auditEntries.list([T1], 9);
      expect(listed.map(({ by, changes }) => [by, changes])).toEqual(
        expect.arrayContaining([
          ['U1', []],
          ['U2', []],
        ]),
      );
    });
  });

  describe('a job that can’t be read', () => {
    it('is claimed, listed, and given up alone', async () => {
      const opened = await openStores();
      const { jobTable } = opened.stores;
      for (const identity of ['bad', 'good'])
        await jobTable.add({ kind: 'k', workspaceId: T1, identity, payload: { a: 1 } }, at(0));
      await damage(opened, ['jobs', 'payload'], ['identity', 'bad'], '{"title":"Secret');
      const listed = await createOperatorJobs(opened.db).list({ states: ['ready'], limit: 9 });
      expect(listed.map(({ payload }) => payload)).toEqual([undefined, { a: 1 }]);
      expect(await claimOne(jobTable, at(1))).toMatchObject({ kind: 'k', payload: undefined });
      expect(await claimOne(jobTable, at(1))).toMatchObject({ payload: { a: 1 } });
      const exhausted = await jobTable.releaseAbandoned(at(2), 1);
      expect(exhausted.map(({ payload }) => payload)).toContainEqual({ a: 1 });
      expect(opened.logLines.join('')).toMatch(/"table":"jobs","row":\d+,"workspace":"T1"/);
      expect(opened.logLines.join('')).not.toContain('Secret');
    });
  });

  describe('a value of a newer version', () => {
    it('counts as the default of its setting', async () => {
      const opened = await openStores();
      const { settings, channelSettings } = kindsOf(opened.stores);
      const chosen = { ...DEFAULT_SETTINGS, guestsAllowed: true };
      await settings.save(T1, chosen, at(0));
      await channelSettings.save(T1, 'C1', { unfurls: 'large' }, at(0));
      const newer = JSON.stringify({ ...chosen, unfurls: 'huge', workObjects: '3d', later: true });
      await damage(opened, ['entries', 'value'], ['kind', 'workspace_settings'], newer);
      expect(await settings.get(T1)).toEqual(chosen);
      expect(await settings.get(T1, 'C1')).toEqual({ ...chosen, unfurls: 'large' });
      await damage(
        opened,
        ['entries', 'value'],
        ['kind', 'channel_settings'],
        '{"unfurls":"huge"}',
      );
      expect(await settings.get(T1, 'C1')).toEqual(chosen);
      expect(await channelSettings.get(T1, 'C1')).toMatchObject({ unfurls: undefined });
    });

    it('sets a request or an entry of the audit trail aside', async () => {
      const opened = await openStores();
      const { requests, auditEntries } = opened.stores;
      for (const id of ['r1', 'r2']) await requests.add(newRequest(id), at(0));
      await damage(opened, ['requests', 'state'], ['id', 'r2'], 'archived');
      expect((await requests.listByAuthor(T1, 'U1', 10)).map(({ id }) => id)).toEqual(['r1']);
      for (const by of ['U1', 'U2'])
        await auditEntries.add(T1, { what: 'settings_changed', by, changes: [] }, at(0));
      await damage(opened, ['audit_entries', 'what'], ['done_by', 'U1'], 'moon_changed');
      const listed = await auditEntries.list([T1], 9);
      expect(listed.map(({ by }) => by)).toEqual(['U2']);
    });
  });
}
