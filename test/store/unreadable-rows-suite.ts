import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/installations/settings.ts';
import { T1 } from '../installations/ids.ts';
import { kindsOf } from './kinds-of.ts';
import { idsOf, newRequest } from './request-suite.ts';
import { at, type OpenStores, type StoresUnderTest } from './stores-under-test.ts';

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
  it.each(UNREADABLE)(
    'a row that says %j affects no other, and its own owner least',
    async (text) => {
      const opened = await openStores();
      const { requests, watches, auditEntries } = opened.stores;
      const { formDefaults, unfinishedForms } = kindsOf(opened.stores);
      const ids = ['r1', 'r2', 'r3'];
      for (const id of ids) await requests.add(newRequest(id), at(0));
      await damage(opened, ['requests', 'form'], ['id', 'r2'], text);
      await damage(opened, ['requests', 'problem'], ['id', 'r3'], text || 'x');
      for (const found of [
        await requests.listByAuthor(T1, 'U1', 10),
        await requests.listOpenByAuthor(T1, 'U1', 10),
      ])
        expect(found.map(({ id }) => id).toSorted()).toEqual(ids);
      expect(await idsOf(requests.unfinished('queued'))).toEqual(ids);
      const [lost] = await requests.withReference('DR-r2');
      expect(lost).toMatchObject({ form: { title: 'DR-r2' }, problem: { code: 'unreadable' } });
      const kept = { form: { title: 'Spring banner' }, problem: undefined };
      expect(await requests.get(T1, 'r3')).toMatchObject(kept);
      // Who requested a card is still known.
      await requests.changeState({ workspaceId: T1, id: 'r2' }, ['queued'], 'created', CARD, at(1));
      expect(await requests.getByCard(T1, CARD.cardId)).toMatchObject({ id: 'r2', userId: 'U1' });

      const others = { ...CARD, cardId: 'card-2' };
      await watches.begin(CARD, { watchId: 'w1', told: { files: [] } }, at(0));
      await watches.begin(others, { watchId: 'w2' }, at(0));
      const message = { channel: 'C1', ts: '1.2', shown: { size: 'small' } } as const;
      for (const ts of ['1.1', '1.2']) await watches.addMessage(CARD, { ...message, ts }, at(0));
      await damage(opened, ['watched_cards', 'told'], ['watch_id', 'w1'], text);
      await damage(opened, ['entries', 'value'], ['name', 'card-1/C1/1.1'], text);
      expect(await watches.get(CARD)).toMatchObject({ watchId: 'w1' });
      expect(await watches.messagesOf(CARD, 9)).toContainEqual(message);
      expect(await watches.prune(at(1))).toBe(2);
      expect(await watches.get(others)).toBeUndefined();

      const latest = { owner: 'U1', scope: 'latest', choices: { requestType: 'a' } };
      await formDefaults.learn(T1, [latest, { ...latest, scope: 'channel/C1' }], at(0));
      await damage(opened, ['entries', 'value'], ['name', 'U1/channel/C1'], text);
      const filling = await formDefaults.of(T1, ['U1']);
      expect(filling.filter(({ choices }) => Object.keys(choices).length > 0)).toEqual([latest]);
      const author = { workspaceId: T1, userId: 'U1' };
      for (const formId of ['f1', 'f2'])
        await unfinishedForms.save(author, { formId, draft: { title: 'x' } }, at(0));
      await damage(opened, ['entries', 'value'], ['name', 'U1/f1'], text);
      expect((await unfinishedForms.of(author)).map(({ formId }) => formId)).toEqual(['f2']);

      for (const by of ['U1', 'U2'])
        await auditEntries.add(T1, { what: 'settings_changed', by, changes: [] }, at(0));
      await damage(opened, ['audit_entries', 'details'], ['done_by', 'U1'], text);
      const listed = (await auditEntries.list([T1], 9)).map(({ by, changes }) => [by, changes]);
      expect(listed.toSorted()).toEqual([
        ['U1', []],
        ['U2', []],
      ]);

      const lines = opened.logLines.join('');
      for (const words of ['"table":"requests"', '"row":"r3"', '"workspace":"T1"'])
        expect(lines).toContain(words);
      expect(lines).not.toContain('Secret');
      expect(lines.match(/"row":"r2"/g)).toHaveLength(1);
    },
  );

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
