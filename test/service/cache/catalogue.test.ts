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
    const [first, ...rest] = design.catalogue.requestTypes;
    if (first) design.catalogue.requestTypes = [{ ...first, name }, ...rest];
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
    const { catalogue, reads, design } = await setUp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => catalogue.formOptions(T1)));
    expect(new Set(answers.map(({ requestTypes }) => requestTypes.length)).size).toBe(1);
    expect(answers[0]?.brands).toHaveLength(design.catalogue.brands.length);
    expect([reads('listRequestTypes'), reads('listBrands')]).toEqual([1, 1]);
  });

  it('are read once while they are fresh', async () => {
    const { catalogue, reads, moveTo } = await setUp();
    await catalogue.tags(T1);
    moveTo(9);
    await catalogue.tags(T1);
    expect(reads('listTags')).toBe(1);
  });

  it('are shown at once when stale, and revalidated in the background', async () => {
    const { catalogue, typeName, reads, design, moveTo } = await setUp();
    typeName('Before');
    await catalogue.requestTypes(T1);
    typeName('After');
    moveTo(OLD);
    design.faults.add({ kind: 'stall', ms: 100, times: 1 });
    expect((await catalogue.requestTypes(T1))[0]?.name).toBe('Before');
    await expect.poll(async () => (await catalogue.requestTypes(T1))[0]?.name).toBe('After');
    expect(reads('listRequestTypes')).toBe(2);
  });

  it.each([
    ['is down', { kind: 'status', status: 503 } as const],
    ['has no such list', { kind: 'status', status: 404 } as const],
    ['limits calls', { kind: 'rate-limited', retryAfter: 60 } as const],
  ])('are still shown when stale and the service %s', async (_name, fault) => {
    const { catalogue, reads, design, moveTo, typeName } = await setUp();
    const before = await catalogue.requestTypes(T1);
    moveTo(OLD);
    design.faults.add(fault);
    expect(await catalogue.requestTypes(T1)).toEqual(before);
    await expect.poll(() => reads('listRequestTypes')).toBeGreaterThan(1);
    expect(await catalogue.requestTypes(T1)).toEqual(before);
    design.faults.clear();
    typeName('After');
    // The failure may be noted only after the clock has moved, so it moves on.
    let moment = OLD;
    await expect
      .poll(async () => {
        moment += 2;
        moveTo(moment);
        return (await catalogue.requestTypes(T1))[0]?.name;
      })
      .toBe('After');
  });

  it('are not requested repeatedly if they can’t be read and are optional', async () => {
    const { catalogue, reads, design, moveTo } = await setUp();
    design.faults.add({ kind: 'status', status: 400 });
    const decorate = () => catalogue.brands(T1, 'posted').catch(({ code }) => code);
    expect(await decorate()).toBe('invalid_request');
    expect(await decorate()).toBe('invalid_request');
    expect(reads('listBrands')).toBe(1);
    await expect(catalogue.brands(T1)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(reads('listBrands')).toBe(2);
    moveTo(2);
    await decorate();
    expect(reads('listBrands')).toBe(3);
  });

  it('are read again after a failure', async () => {
    const { catalogue, design } = await setUp();
    design.faults.add({ kind: 'status', status: 400, times: 1 });
    await expect(catalogue.tags(T1)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await catalogue.tags(T1)).toHaveLength(design.catalogue.tags.length);
  });

  it('that the key may not read are requested once a minute', async () => {
    const { catalogue, design, reads, moveTo } = await setUp();
    design.faults.add({ kind: 'status', status: 403, times: 1 });
    for (const _again of [1, 2]) {
      await expect(catalogue.tags(T1)).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(reads('listTags')).toBe(1);
    moveTo(2);
    expect(await catalogue.tags(T1)).toHaveLength(design.catalogue.tags.length);
  });

  it('belong to one workspace', async () => {
    const { catalogue, connect, reads, typeName } = await setUp();
    await connect(T2);
    typeName('For T1');
    await catalogue.requestTypes(T1);
    typeName('For T2');
    expect((await catalogue.requestTypes(T2))[0]?.name).toBe('For T2');
    expect((await catalogue.requestTypes(T1))[0]?.name).toBe('For T1');
    expect(reads('listRequestTypes')).toBe(2);
  });

  it('are unknown without a key', async () => {
    const { catalogue } = await setUp();
    await expect(catalogue.requestTypes(T9)).rejects.toMatchObject({ reason: 'no_key' });
    const unlisted = { withoutKey: 'no_key', requestTypes: [{ id: 'unlisted', name: 'Later' }] };
    expect(await catalogue.formOptions(T9)).toMatchObject(unlisted);
    expect((await catalogue.openFormOptions(T9)).known).toMatchObject(unlisted);
    expect(await catalogue.knownFormOptions(T9)).toMatchObject(unlisted);
  });

  it('are those that were known last, once the key is gone', async () => {
    const { catalogue, stores, connect, clock } = await setUp();
    const { requestTypes, brands } = await catalogue.formOptions(T1);
    await stores.keys.disconnect(T1, clock.now);
    catalogue.forget(T1);
    expect(await catalogue.formOptions(T1)).toEqual({ requestTypes, brands, withoutKey: 'no_key' });
    expect((await catalogue.formOptions(T9)).brands).toEqual([]);
    await connect(T1);
    expect(await catalogue.formOptions(T1)).toEqual({ requestTypes, brands });
    expect(await catalogue.knownFormOptions(T1)).not.toHaveProperty('withoutKey');
  });
});

describe('the form’s data', () => {
  it('omits brands if the service doesn’t list them', async () => {
    const { catalogue, design } = await setUp();
    design.forbid(design.apiKey, { operation: 'listBrands' });
    const { requestTypes, brands } = await catalogue.formOptions(T1);
    expect(requestTypes).toHaveLength(design.catalogue.requestTypes.length);
    expect(brands).toBeUndefined();
    expect(await catalogue.knownFormOptions(T1)).toEqual({ requestTypes, brands: undefined });
  });

  it('requires request types', async () => {
    const { catalogue, design } = await setUp();
    design.forbid(design.apiKey, { operation: 'listRequestTypes' });
    await expect(catalogue.formOptions(T1)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await catalogue.knownFormOptions(T1)).toBeUndefined();
  });

  it('is available without waiting once it was read, however old', async () => {
    const { catalogue, reads, moveTo } = await setUp();
    expect((await catalogue.openFormOptions(T1)).known).toBeUndefined();
    expect(reads('listRequestTypes')).toBe(0);
    const read = await catalogue.formOptions(T1);
    moveTo(OLD);
    expect((await catalogue.openFormOptions(T1)).known).toEqual(read);
    expect(await catalogue.knownFormOptions(T1)).toEqual(read);
  });

  it('is read with the key that was looked up when the form was opened', async () => {
    const { catalogue, connect, callsWith, design } = await setUp();
    const { read } = await catalogue.openFormOptions(T1);
    const replacement = await connect(T1);
    await read();
    expect([callsWith(design.apiKey), callsWith(replacement)]).toEqual([2, 0]);
    expect((await catalogue.openFormOptions(T1)).known).toBeUndefined();
  });

  it('is revalidated in the background when it is found stale', async () => {
    const { catalogue, typeName, moveTo } = await setUp();
    typeName('Before');
    await catalogue.formOptions(T1);
    typeName('After');
    moveTo(OLD);
    const { known } = await catalogue.openFormOptions(T1);
    expect(known?.requestTypes[0]?.name).toBe('Before');
    await expect
      .poll(async () => (await catalogue.knownFormOptions(T1))?.requestTypes[0]?.name)
      .toBe('After');
  });
});

describe('dropping a workspace’s lists', () => {
  it('makes the next reader read them with the current key', async () => {
    const { catalogue, connect, callsWith } = await setUp();
    await catalogue.formOptions(T1);
    const replacement = await connect(T1);
    catalogue.forget(T1);
    expect(await catalogue.knownFormOptions(T1)).toBeUndefined();
    await catalogue.formOptions(T1);
    expect(callsWith(replacement)).toBe(2);
  });

  it('includes lists being read, whose waiting readers still get an answer', async () => {
    const { catalogue, typeName, design } = await setUp();
    typeName('Before');
    design.faults.add({ kind: 'stall', ms: 50, times: 2 });
    const waiting = catalogue.formOptions(T1);
    await expect.poll(() => design.calls().length).toBe(2);
    catalogue.forget(T1);
    typeName('After');
    expect((await catalogue.requestTypes(T1))[0]?.name).toBe('After');
    expect((await waiting).requestTypes[0]?.name).toBe('Before');
    expect((await catalogue.requestTypes(T1))[0]?.name).toBe('After');
  });

  it('affects only that workspace', async () => {
    const { catalogue, connect } = await setUp();
    await connect(T10);
    await catalogue.formOptions(T10);
    await catalogue.formOptions(T1);
    catalogue.forget(T1);
    expect(await catalogue.knownFormOptions(T1)).toBeUndefined();
    expect(await catalogue.knownFormOptions(T10)).toBeDefined();
  });
});

describe('lists kept warm', () => {
  it('are available before the first form opens', async () => {
    const { catalogue, design, reads } = await setUp();
    await catalogue.warm(T1);
    const options = await catalogue.knownFormOptions(T1);
    expect(options?.requestTypes).toHaveLength(design.catalogue.requestTypes.length);
    expect(options?.brands).toHaveLength(design.catalogue.brands.length);
    expect(reads('listTags')).toBe(0);
  });

  it('stay fresh even if no form is opened', async () => {
    const { catalogue, typeName, moveTo } = await setUp();
    typeName('Before');
    await catalogue.warm(T1);
    typeName('After');
    moveTo(OLD);
    await catalogue.warmAgain();
    expect((await catalogue.knownFormOptions(T1))?.requestTypes[0]?.name).toBe('After');
  });

  it('are retried if the service was down', async () => {
    const { catalogue, design, moveTo } = await setUp();
    design.faults.add({ kind: 'html', times: 2 });
    await catalogue.warm(T1);
    expect(await catalogue.knownFormOptions(T1)).toBeUndefined();
    moveTo(30);
    await catalogue.warmAgain();
    expect(await catalogue.knownFormOptions(T1)).toBeDefined();
  });

  it('exclude those of a workspace that was dropped', async () => {
    const { catalogue, reads, moveTo } = await setUp();
    await catalogue.warm(T1);
    catalogue.forget(T1);
    moveTo(OLD);
    await catalogue.warmAgain();
    expect(reads('listRequestTypes')).toBe(1);
  });
});
