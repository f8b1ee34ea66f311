import { describe, expect, it } from 'vitest';
import { connectedWorkspaces } from '../../installations/connected-workspaces.ts';
import { T1 } from '../../installations/ids.ts';
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
  it.each([
    ['is down', { kind: 'status', status: 503 } as const],
    ['has no such list', { kind: 'status', status: 404 } as const],
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

  it('are those of request types alone if the service doesn’t list brands', async () => {
    const { referenceLists, design } = await setUp();
    design.forbid(design.apiKey, { operation: 'listBrands' });
    const lists = await referenceLists.formOptions(T1);
    expect(lists.requestTypes).toHaveLength(design.referenceLists.requestTypes.length);
    expect(lists.brands).toBeUndefined();
    const cached = await referenceLists.cachedFormOptions(T1);
    expect(cached).toEqual({ ...lists, brandsPending: undefined });
  });
});
