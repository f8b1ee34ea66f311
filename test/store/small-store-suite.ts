import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createWorkspaceSettings,
  DEFAULT_SETTINGS,
  saveSettings,
  type WorkspaceSettings,
} from '../../src/installations/settings.ts';
import { entryKind } from '../../src/store/entries.ts';
import { prune } from '../../src/store/prune.ts';
import { E1, T1, T2 } from '../installations/ids.ts';
import { kindsOf } from './kinds-of.ts';
import { newRequest } from './request-suite.ts';
import { at, type OpenStores } from './stores-under-test.ts';

const NOTE = entryKind('note', z.string());
const ADMIN = { id: 'U1', administers: [T1] };

export function describeSmallStores(openStores: OpenStores): void {
  describe('the audit trail', () => {
    it('lists what was done to some owners, the newest first', async () => {
      const { auditEntries } = (await openStores()).stores;
      const entry = (by: string) => ({ what: 'settings_changed' as const, by, changes: [] });
      for (const [second, owner] of [T1, E1, T2, T1].entries()) {
        await auditEntries.add(owner, entry(`U${second}`), at(second));
      }
      const newest = async (limit: number) =>
        (await auditEntries.list([T1, E1], limit)).map(({ by }) => by);
      expect(await newest(2)).toEqual(['U3', 'U1']);
      expect(await newest(9)).toEqual(['U3', 'U1', 'U0']);
    });

    it('isn’t written without the change, nor the change without it', async () => {
      const { stores } = await openStores();
      const failing = stores.transact(async ({ administer }) => {
        const { entries, record } = await administer(T1, ADMIN);
        const settings = createWorkspaceSettings(entries);
        await settings.save(T1, { ...DEFAULT_SETTINGS, unfurls: 'off' }, at(0));
        await record({ what: 'settings_changed', changes: [] }, at(0));
        throw new Error('no room');
      });
      await expect(failing).rejects.toThrow('no room');
      expect(await kindsOf(stores).settings.get(T1)).toEqual(DEFAULT_SETTINGS);
      expect(await stores.auditEntries.list([T1], 9)).toEqual([]);
    });
  });

  it('changes of settings at the same time are all kept', async () => {
    const { stores, openAgain } = await openStores();
    const other = await openAgain();
    const save = ({ transact }: typeof stores, changed: Partial<WorkspaceSettings>) =>
      saveSettings({ transact, now: () => at(0) }, { workspaceId: T1, by: ADMIN, changed });
    await Promise.all([
      save(stores, { unfurls: 'off' }),
      save(other, { guestsAllowed: true }),
      save(stores, { projectId: 'project-1' }),
      save(other, { muted: true }),
    ]);
    const changed = { unfurls: 'off', guestsAllowed: true, projectId: 'project-1', muted: true };
    expect(await kindsOf(stores).settings.get(T1)).toEqual({ ...DEFAULT_SETTINGS, ...changed });
  });

  const ANN = { workspaceId: T1, userId: 'U1' };
  const BEN = { workspaceId: T1, userId: 'U2' };

  it('unfinished forms are kept up to a hundred for each person, besides those that were only looked at', async () => {
    const { stores, db } = await openStores();
    const { unfinishedForms } = kindsOf(stores);
    await unfinishedForms.save(BEN, { formId: 'f', draft: {} }, at(0));
    for (let index = 0; index <= 100; index += 1)
      await unfinishedForms.save(ANN, { formId: `f${index}`, draft: {}, isTyped: true }, at(index));
    for (let index = 0; index <= 100; index += 1)
      await unfinishedForms.save(ANN, { formId: `seen${index}`, draft: {} }, at(200));
    await unfinishedForms.removeOldest(ANN);
    const forms = await unfinishedForms.of(ANN);
    expect(forms).toHaveLength(200);
    const found = forms.filter(({ isTyped }) => isTyped).map(({ formId }) => formId);
    expect([found.length, found[0], found.at(-1)]).toEqual([100, 'f100', 'f1']);
    expect(await unfinishedForms.of(BEN)).toHaveLength(1);
    expect(await prune(db, at(48 * 3_600))).toMatchObject({ entries: 201 });
  });

  /** In names, NUL and lone surrogates become the replacement character; nothing is cut. */
  const asKept = (text: string) => text.replaceAll('\u0000', '\ufffd').toWellFormed();
  const anyText = fc
    .array(fc.constantFrom('\u0000', '\ud800', '\udfff', 'a', 'ü', '🎨', '\u202e', '\n', ' '), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => parts.join(''));

  it('text with any characters is stored whole and found again, and a request comes back as it was typed', async () => {
    const { stores } = await openStores();
    const { entries, requests } = stores;
    const { settings } = kindsOf(stores);
    let number = 0;
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (name, text) => {
        const noted = { kind: NOTE, owner: T1, name };
        await entries.put(noted, text, at(0));
        expect(await entries.get(noted)).toMatchObject({ name: asKept(name), value: text });
        await settings.save(T1, { ...DEFAULT_SETTINGS, projectId: text }, at(0));
        expect((await settings.get(T1)).projectId).toBe(text);
        number += 1;
        const { form } = newRequest('r');
        const request = newRequest(`r${number}`, { form: { ...form, title: text } });
        await requests.add(request, at(0));
        expect((await requests.get(T1, request.id))?.form.title).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
}
