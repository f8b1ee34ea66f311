import { describe, expect, it } from 'vitest';
import { connectedWorkspaces } from '../../installations/connected-workspaces.ts';
import { T1, T9, T10 } from '../../installations/ids.ts';
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
  it('are read once, however many ask at the same time and while they are fresh', async () => {
    const { referenceLists, reads, design, moveTo } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => referenceLists.formOptions(T1)),
    );
    expect(new Set(answers.map(({ requestTypes }) => requestTypes.length)).size).toBe(1);
    expect(answers[0]?.brands).toHaveLength(design.referenceLists.brands.length);
    moveTo(9);
    await referenceLists.formOptions(T1);
    expect([reads('listRequestTypes'), reads('listBrands')]).toEqual([1, 1]);
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
});

it('dropping a workspace’s lists affects only that workspace', async () => {
  const { referenceLists, connect } = await setUp();
  await connect(T10);
  await referenceLists.formOptions(T10);
  await referenceLists.formOptions(T1);
  await connect(T1);
  referenceLists.forget(T1);
  expect(await referenceLists.cachedFormOptions(T1)).toBeUndefined();
  expect(await referenceLists.cachedFormOptions(T10)).toBeDefined();
});
