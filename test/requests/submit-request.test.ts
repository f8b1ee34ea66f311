import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { suggestionsFrom } from '../../src/requests/form-defaults.ts';
import { T1, T2 } from '../installations/ids.ts';
import { speedUpMonotonicClock } from '../monotonic-clock.ts';
import { kindsOf } from '../store/kinds-of.ts';
import { FORM } from '../store/request-suite.ts';
import { at } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

describe('a submission', () => {
  it('becomes a card, and its author is told once', async () => {
    const { submit, stateOf, posts, announced, stores } = await requestsUnderTest();
    const request = await submit('r1');
    expect(request.reference).toMatch(/^DR-[0-9A-HJKMNP-TV-Z]{8}$/);
    await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
    expect(await stateOf('r1')).toBe('created');
    expect(posts()).toBe(1);
    const told = await stores.requests.get(T1, 'r1');
    expect(told).toMatchObject({ message: { channel: 'C1', ts: '1.1' }, attempts: 1 });
    expect(told?.announcedRevision).toBe(told?.revision);
  });

  it('of one form is one request and one card, however often it arrives', async () => {
    const { submit, posts, announced, jobsOfKind } = await requestsUnderTest();
    const requests = await Promise.all(Array.from({ length: 10 }, () => submit('r1')));
    expect(new Set(requests.map(({ reference }) => reference)).size).toBe(1);
    await expect.poll(() => announced).toHaveLength(1);
    await submit('r1');
    await submit('r1');
    expect(await jobsOfKind('deliver-request')).toHaveLength(1);
    expect(posts()).toBe(1);
  });

  it('of two forms with the same content is two cards', async () => {
    const { submit, posts, announced } = await requestsUnderTest();
    await Promise.all([submit('r1'), submit('r2')]);
    await expect.poll(() => announced).toHaveLength(2);
    expect(posts()).toBe(2);
  });

  it('isn’t accepted under someone else’s form', async () => {
    const { submit, stores } = await requestsUnderTest({ started: false });
    await submit('r1');
    const stolen = { form: { ...FORM, title: 'Stolen' } };
    await expect(submit('r1', { ...stolen, userId: 'U2' })).rejects.toThrow('someone else');
    await expect(submit('r1', { ...stolen, workspaceId: T2 })).rejects.toThrow('someone else');
    expect((await stores.requests.get(T1, 'r1'))?.form.title).toBe(FORM.title);
    expect(await stores.requests.get(T2, 'r1')).toBeUndefined();
  });

  it('is remembered as what the next form of this person and in this channel is filled with', async () => {
    const { submit, stores } = await requestsUnderTest({ started: false });
    await submit('r1', { form: { ...FORM, brand: { id: 'brand-7', name: 'Acme' } } });
    const stored = await kindsOf(stores).formDefaults.of(T1, ['U1', 'C1']);
    const place = { userId: 'U1', channelId: 'C1' };
    const { requestType, brand, formats } = suggestionsFrom(stored, place, FORM.requestType.id);
    expect({ requestType: requestType[0], brand: brand[0], formats: formats[0] }).toEqual({
      requestType: FORM.requestType.id,
      brand: 'brand-7',
      formats: FORM.formats,
    });
  });

  it('is no longer offered as an unfinished form', async () => {
    const { submit, stores } = await requestsUnderTest({ started: false });
    await kindsOf(stores).unfinishedForms.save(T1, 'U1', { formId: 'r1', draft: {} }, at(0));
    await submit('r1');
    expect(await kindsOf(stores).unfinishedForms.of(T1, 'U1')).toEqual([]);
  });

  it('is not offered either if a redraw of its form is saved after it, unless it is refused', async () => {
    const { submit, stores, stateOf, design, announced, restart } = await requestsUnderTest({
      started: false,
    });
    design.faults.add({ kind: 'status', status: 400, operation: 'createCard', times: 1 });
    await submit('r1');
    const saveRedraw = () =>
      kindsOf(stores).unfinishedForms.save(T1, 'U1', { formId: 'r1', draft: {} }, at(0));
    await saveRedraw();
    expect(await kindsOf(stores).unfinishedForms.of(T1, 'U1')).toEqual([]);
    await restart();
    await expect.poll(() => announced).toHaveLength(1);
    expect(await stateOf('r1')).toBe('rejected');
    await saveRedraw();
    expect(await kindsOf(stores).unfinishedForms.of(T1, 'U1')).toHaveLength(1);
  });

  it('that the database can’t store is refused', async () => {
    const { submit, stores, path } = await requestsUnderTest();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    speedUpMonotonicClock();
    await expect(submit('r1')).rejects.toThrow('database is locked');
    other.close();
    expect(await stores.requests.get(T1, 'r1')).toBeUndefined();
  });

  it('that was stored without its job is found at the next start', async () => {
    const { stores, posts, announced, restart, clock } = await requestsUnderTest();
    const { id, reference, workspaceId, userId, form } = {
      ...{ id: 'r1', reference: 'DR-00000001', workspaceId: T1, userId: 'U1' },
      form: { ...FORM, requestType: { id: 'type-social', name: 'Social media' } },
    };
    // A process that ended between two commits.
    await stores.requests.add({ id, reference, workspaceId, userId, form }, clock.now);
    await restart();
    await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
    expect(posts()).toBe(1);
  });
});

describe('a rejected request', () => {
  it('is sent again after being fixed, under the same reference', async () => {
    const { submit, design, announced, posts, stores } = await requestsUnderTest();
    design.faults.add({ kind: 'status', status: 400, operation: 'createCard', times: 1 });
    const first = await submit('r1');
    await expect.poll(() => announced).toEqual([{ state: 'rejected', problem: 'invalid_request' }]);
    const form = { ...first.form, title: 'Autumn banner' };
    const second = await submit('r1', { form, viewId: 'V2' });
    expect(second).toMatchObject({ reference: first.reference, viewId: 'V2', form });
    await expect.poll(() => announced.at(-1)?.state).toBe('created');
    expect(posts()).toBe(2);
    expect((await stores.requests.get(T1, 'r1'))?.problem).toBeUndefined();
  });

  it('is fixed once even if it is submitted twice', async () => {
    const { submit, design, announced, posts } = await requestsUnderTest();
    design.faults.add({ kind: 'status', status: 400, operation: 'createCard', times: 1 });
    await submit('r1');
    await expect.poll(() => announced).toHaveLength(1);
    await Promise.all([submit('r1'), submit('r1'), submit('r1')]);
    await expect.poll(() => announced.at(-1)?.state).toBe('created');
    expect(posts()).toBe(2);
  });
});
