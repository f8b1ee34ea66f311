import { describe, expect, it } from 'vitest';
import { connectedWorkspaces } from '../../installations/connected-workspaces.ts';
import { T1, T2, T9, T10 } from '../../installations/ids.ts';
import { at } from '../../store/stores-under-test.ts';

/** In minutes: older than what counts as fresh. */
const OLD = 11;

async function setUp() {
  const workspaces = await connectedWorkspaces();
  const { design, clock } = workspaces;
  const typeName = (name: string) => {
    const [first, ...rest] = design.referenceLists.requestTypes;
    if (first) design.referenceLists.requestTypes = [{ ...first, name }, ...rest];
  };
  return {
    ...workspaces,
    typeName,
    moveTo: (minutes: number) => {
      clock.now = at(minutes * 60);
    },
    reads: (operation: 'listRequestTypes' | 'listBrands' | 'listTags') =>
      design.calls({ operation }).length,
  };
}

describe('the reference lists', () => {
  it('are read once, however many ask at the same time', async () => {
    const { referenceLists, reads, design } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => referenceLists.formOptions(T1)),
    );
    expect(new Set(answers.map(({ requestTypes }) => requestTypes.length)).size).toBe(1);
    expect(answers[0]?.brands).toHaveLength(design.referenceLists.brands.length);
    expect([reads('listRequestTypes'), reads('listBrands')]).toEqual([1, 1]);
  });

  it('are read once while they are fresh', async () => {
    const { referenceLists, reads, moveTo } = await setUp();
    await referenceLists.tags(T1);
    moveTo(9);
    await referenceLists.tags(T1);
    expect(reads('listTags')).toBe(1);
  });

  it('are shown at once when stale, and revalidated in the background', async () => {
    const { referenceLists, typeName, reads, design, moveTo } = await setUp();
    typeName('Before');
    await referenceLists.requestTypes(T1);
    typeName('After');
    moveTo(OLD);
    design.faults.add({ kind: 'stall', ms: 100, times: 1 });
    expect((await referenceLists.requestTypes(T1))[0]?.name).toBe('Before');
    await expect.poll(async () => (await referenceLists.requestTypes(T1))[0]?.name).toBe('After');
    expect(reads('listRequestTypes')).toBe(2);
  });

  it.each([
    ['is down', { kind: 'status', status: 503 } as const],
    ['has no such list', { kind: 'status', status: 404 } as const],
    ['limits calls', { kind: 'rate-limited', retryAfter: 60 } as const],
  ])('are still shown when stale and the service %s', async (_name, fault) => {
    const { referenceLists, reads, design, moveTo, typeName } = await setUp();
    const before = await referenceLists.requestTypes(T1);
    moveTo(OLD);
    design.faults.add(fault);
    expect(await referenceLists.requestTypes(T1)).toEqual(before);
    await expect.poll(() => reads('listRequestTypes')).toBeGreaterThan(1);
    expect(await referenceLists.requestTypes(T1)).toEqual(before);
    design.faults.clear();
    typeName('After');
    // The failure may be noted only after the clock has moved, so it moves on.
    let moment = OLD;
    await expect
      .poll(async () => {
        moment += 2;
        moveTo(moment);
        return (await referenceLists.requestTypes(T1))[0]?.name;
      })
      .toBe('After');
  });

  it('are not requested repeatedly if they can’t be read and are optional', async () => {
    const { referenceLists, reads, design, moveTo } = await setUp();
    design.faults.add({ kind: 'status', status: 400 });
    const decorate = () => referenceLists.brands(T1, 'posted').catch(({ code }) => code);
    expect(await decorate()).toBe('invalid_request');
    expect(await decorate()).toBe('invalid_request');
    expect(reads('listBrands')).toBe(1);
    await expect(referenceLists.brands(T1)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(reads('listBrands')).toBe(2);
    moveTo(2);
    await decorate();
    expect(reads('listBrands')).toBe(3);
  });

  it('are read again after a failure', async () => {
    const { referenceLists, design } = await setUp();
    design.faults.add({ kind: 'status', status: 400, times: 1 });
    await expect(referenceLists.tags(T1)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await referenceLists.tags(T1)).toHaveLength(design.referenceLists.tags.length);
  });

  it('belong to one workspace', async () => {
    const { referenceLists, connect, reads, typeName } = await setUp();
    await connect(T2);
    typeName('For T1');
    await referenceLists.requestTypes(T1);
    typeName('For T2');
    expect((await referenceLists.requestTypes(T2))[0]?.name).toBe('For T2');
    expect((await referenceLists.requestTypes(T1))[0]?.name).toBe('For T1');
    expect(reads('listRequestTypes')).toBe(2);
  });

  it('are unknown without a key', async () => {
    const { referenceLists } = await setUp();
    await expect(referenceLists.requestTypes(T9)).rejects.toMatchObject({ reason: 'no_key' });
    const unlisted = { withoutKey: 'no_key', requestTypes: [{ id: 'unlisted' }] };
    expect(await referenceLists.formOptions(T9)).toMatchObject(unlisted);
    expect(await referenceLists.cachedFormOptions(T9)).toMatchObject(unlisted);
  });

  it('are those that were read last, once the key is gone', async () => {
    const { referenceLists, stores, connect, clock } = await setUp();
    const lists = await referenceLists.formOptions(T1);
    await stores.keys.disconnect(T1, clock.now);
    referenceLists.forget(T1);
    expect(await referenceLists.formOptions(T1)).toEqual({ ...lists, withoutKey: 'no_key' });
    expect((await referenceLists.formOptions(T9)).brands).toEqual([]);
    await connect(T1);
    expect(await referenceLists.formOptions(T1)).toEqual(lists);
    expect(await referenceLists.cachedFormOptions(T1)).not.toHaveProperty('withoutKey');
  });
});

describe('the form’s data', () => {
  it('omits brands if the service doesn’t list them', async () => {
    const { referenceLists, design } = await setUp();
    design.forbid(design.apiKey, { operation: 'listBrands' });
    const lists = await referenceLists.formOptions(T1);
    expect(lists.requestTypes).toHaveLength(design.referenceLists.requestTypes.length);
    expect(lists.brands).toBeUndefined();
    const cached = await referenceLists.cachedFormOptions(T1);
    expect(cached).toEqual({ ...lists, brandsPending: undefined });
  });

  it('requires request types', async () => {
    const { referenceLists, design } = await setUp();
    design.forbid(design.apiKey, { operation: 'listRequestTypes' });
    await expect(referenceLists.formOptions(T1)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await referenceLists.cachedFormOptions(T1)).toBeUndefined();
  });

  it('is available without waiting once it was read, however old', async () => {
    const { referenceLists, reads, moveTo } = await setUp();
    expect(await referenceLists.cachedFormOptions(T1)).toBeUndefined();
    expect(reads('listRequestTypes')).toBe(0);
    const read = await referenceLists.formOptions(T1);
    moveTo(OLD);
    expect(await referenceLists.cachedFormOptions(T1)).toEqual(read);
  });

  it('is revalidated in the background when it is found stale', async () => {
    const { referenceLists, typeName, moveTo } = await setUp();
    typeName('Before');
    await referenceLists.formOptions(T1);
    typeName('After');
    moveTo(OLD);
    const cached = await referenceLists.cachedFormOptions(T1);
    expect(cached?.requestTypes[0]?.name).toBe('Before');
    await expect
      .poll(async () => (await referenceLists.cachedFormOptions(T1))?.requestTypes[0]?.name)
      .toBe('After');
  });
});

describe('dropping a workspace’s lists', () => {
  it('makes the next reader read them with the current key', async () => {
    const { referenceLists, connect, callsWith } = await setUp();
    await referenceLists.formOptions(T1);
    const replacement = await connect(T1);
    referenceLists.forget(T1);
    expect(await referenceLists.cachedFormOptions(T1)).toBeUndefined();
    await referenceLists.formOptions(T1);
    expect(callsWith(replacement)).toBe(2);
  });

  it('includes lists being read, whose waiting readers still get an answer', async () => {
    const { referenceLists, typeName, design } = await setUp();
    typeName('Before');
    design.faults.add({ kind: 'stall', ms: 50, times: 2 });
    const waiting = referenceLists.formOptions(T1);
    await expect.poll(() => design.calls().length).toBe(2);
    referenceLists.forget(T1);
    typeName('After');
    expect((await referenceLists.requestTypes(T1))[0]?.name).toBe('After');
    expect((await waiting).requestTypes[0]?.name).toBe('Before');
    expect((await referenceLists.requestTypes(T1))[0]?.name).toBe('After');
  });

  it('affects only that workspace', async () => {
    const { referenceLists, connect } = await setUp();
    await connect(T10);
    await referenceLists.formOptions(T10);
    await referenceLists.formOptions(T1);
    await connect(T1);
    referenceLists.forget(T1);
    expect(await referenceLists.cachedFormOptions(T1)).toBeUndefined();
    expect(await referenceLists.cachedFormOptions(T10)).toBeDefined();
  });
});
