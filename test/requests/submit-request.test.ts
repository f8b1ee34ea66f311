import { describe, expect, it } from 'vitest';
import { T1, T2 } from '../installations/ids.ts';
import { kindsOf } from '../store/kinds-of.ts';
import { FORM } from '../store/request-suite.ts';
import { at } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

describe('a submission', () => {
  it('isn’t accepted under someone else’s form', async () => {
    const { submit, stores } = await requestsUnderTest({ started: false });
    await submit('r1');
    const stolen = { form: { ...FORM, title: 'Stolen' } };
    await expect(submit('r1', { ...stolen, userId: 'U2' })).rejects.toThrow('someone else');
    await expect(submit('r1', { ...stolen, workspaceId: T2 })).rejects.toThrow('someone else');
    expect((await stores.requests.get(T1, 'r1'))?.form.title).toBe(FORM.title);
    expect(await stores.requests.get(T2, 'r1')).toBeUndefined();
  });

  it('is not offered as an unfinished form, even if a redraw of its form is saved after it, unless it is refused', async () => {
    const { submit, stores, stateOf, design, announced, restart } = await requestsUnderTest({
      started: false,
    });
    design.faults.add({ kind: 'status', status: 400, operation: 'createCard', times: 1 });
    const { unfinishedForms } = kindsOf(stores);
    const author = { workspaceId: T1, userId: 'U1' };
    const saveRedraw = () => unfinishedForms.save(author, { formId: 'r1', draft: {} }, at(0));
    await saveRedraw();
    await submit('r1');
    expect(await unfinishedForms.of(author)).toEqual([]);
    await saveRedraw();
    expect(await unfinishedForms.of(author)).toEqual([]);
    await restart();
    await expect.poll(() => announced).toHaveLength(1);
    expect(await stateOf('r1')).toBe('rejected');
    await saveRedraw();
    expect(await unfinishedForms.of(author)).toHaveLength(1);
  });
});
