import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../src/catalogue/catalogue.ts';
import { connectedWorkspaces } from '../workspaces/connected-workspaces.ts';
import { movingClock } from './moving-clock.ts';

const MINUTE_MS = 60_000;
/** Older than what counts as fresh. */
const STALE_MS = 11 * MINUTE_MS;

async function setUp() {
  const workspaces = await connectedWorkspaces();
  const { design, service } = workspaces;
  const typeName = (name: string) => {
    const [first, ...rest] = design.catalogue.requestTypes;
    if (first) design.catalogue.requestTypes = [{ ...first, name }, ...rest];
  };
  return {
    ...workspaces,
    catalogue: createCatalogue(service),
    typeName,
    reads: (operation: 'listRequestTypes' | 'listBrands' | 'listTags') =>
      design.calls({ operation }).length,
  };
}

describe('what the service offers', () => {
  it('is read once, however many ask at once', async () => {
    const { catalogue, reads, design } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => catalogue.formOptions('T1')),
    );
    expect(new Set(answers.map(({ requestTypes }) => requestTypes.length)).size).toBe(1);
    expect(answers[0]?.brands).toHaveLength(design.catalogue.brands.length);
    expect([reads('listRequestTypes'), reads('listBrands')]).toEqual([1, 1]);
  });

  it('is read once while it is fresh', async () => {
    const clock = movingClock();
    const { catalogue, reads } = await setUp();
    await catalogue.tags('T1');
    await clock.advance(9 * MINUTE_MS);
    await catalogue.tags('T1');
    expect(reads('listTags')).toBe(1);
  });

  it('is shown at once when it has grown old, and refreshed behind', async () => {
    const clock = movingClock();
    const { catalogue, typeName, reads, design } = await setUp();
    typeName('Before');
    await catalogue.requestTypes('T1');
    typeName('After');
    await clock.advance(STALE_MS);
    design.faults.add({ kind: 'stall', ms: 100, times: 1 });
    expect((await catalogue.requestTypes('T1'))[0]?.name).toBe('Before');
    await expect.poll(async () => (await catalogue.requestTypes('T1'))[0]?.name).toBe('After');
    expect(reads('listRequestTypes')).toBe(2);
  });

  it('is still shown when it has grown old and the service is away', async () => {
    const clock = movingClock();
    const { catalogue, reads, design } = await setUp();
    const before = await catalogue.requestTypes('T1');
    await clock.advance(STALE_MS);
    design.faults.add({ kind: 'status', status: 404 });
    for (let again = 0; again < 3; again += 1) {
      const asked = reads('listRequestTypes');
      expect(await catalogue.requestTypes('T1')).toEqual(before);
      await expect.poll(() => reads('listRequestTypes')).toBeGreaterThan(asked);
    }
    design.faults.clear();
    expect(await catalogue.requestTypes('T1')).toEqual(before);
  });

  it('is read again after a failure', async () => {
    const { catalogue, design } = await setUp();
    design.faults.add({ kind: 'status', status: 403, times: 1 });
    await expect(catalogue.tags('T1')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await catalogue.tags('T1')).toHaveLength(design.catalogue.tags.length);
  });

  it('is each workspace’s own', async () => {
    const { catalogue, connect, reads, typeName } = await setUp();
    await connect('T2');
    typeName('For T1');
    await catalogue.requestTypes('T1');
    typeName('For T2');
    expect((await catalogue.requestTypes('T2'))[0]?.name).toBe('For T2');
    expect((await catalogue.requestTypes('T1'))[0]?.name).toBe('For T1');
    expect(reads('listRequestTypes')).toBe(2);
  });

  it('is not known without a key', async () => {
    const { catalogue } = await setUp();
    await expect(catalogue.formOptions('T9')).rejects.toMatchObject({ reason: 'no_key' });
    expect(catalogue.peekFormOptions('T9')).toBeUndefined();
  });
});

describe('what the form is filled from', () => {
  it('does without brands where the service would not list them', async () => {
    const { catalogue, design } = await setUp();
    design.forbid(design.apiKey, { operation: 'listBrands' });
    const { requestTypes, brands } = await catalogue.formOptions('T1');
    expect(requestTypes).toHaveLength(design.catalogue.requestTypes.length);
    expect(brands).toBeUndefined();
    expect(catalogue.peekFormOptions('T1')).toEqual({ requestTypes, brands: undefined });
  });

  it('can not do without types', async () => {
    const { catalogue, design } = await setUp();
    design.forbid(design.apiKey, { operation: 'listRequestTypes' });
    await expect(catalogue.formOptions('T1')).rejects.toMatchObject({ code: 'forbidden' });
    expect(catalogue.peekFormOptions('T1')).toBeUndefined();
  });

  it('is there without a wait once it was read, however old', async () => {
    const clock = movingClock();
    const { catalogue, reads } = await setUp();
    expect(catalogue.peekFormOptions('T1')).toBeUndefined();
    expect(reads('listRequestTypes')).toBe(0);
    const read = await catalogue.formOptions('T1');
    expect(catalogue.peekFormOptions('T1')).toEqual(read);
    await clock.advance(STALE_MS);
    expect(catalogue.peekFormOptions('T1')).toEqual(read);
  });

  it('is refreshed behind by a look at what has grown old', async () => {
    const clock = movingClock();
    const { catalogue, typeName } = await setUp();
    typeName('Before');
    await catalogue.formOptions('T1');
    typeName('After');
    await clock.advance(STALE_MS);
    expect(catalogue.peekFormOptions('T1')?.requestTypes[0]?.name).toBe('Before');
    await expect.poll(() => catalogue.peekFormOptions('T1')?.requestTypes[0]?.name).toBe('After');
  });
});

describe('what is forgotten', () => {
  it('is read anew, with the key of that time', async () => {
    const { catalogue, connect, callsWith } = await setUp();
    await catalogue.formOptions('T1');
    const replacement = await connect('T1');
    catalogue.forget('T1');
    expect(catalogue.peekFormOptions('T1')).toBeUndefined();
    await catalogue.formOptions('T1');
    expect(callsWith(replacement)).toBe(2);
  });

  it('stays forgotten though it was just being read, and whoever waits for it is answered', async () => {
    const { catalogue, typeName, design } = await setUp();
    typeName('Before');
    design.faults.add({ kind: 'stall', ms: 50, times: 2 });
    const waiting = catalogue.formOptions('T1');
    await expect.poll(() => design.calls().length).toBe(2);
    catalogue.forget('T1');
    typeName('After');
    expect((await catalogue.requestTypes('T1'))[0]?.name).toBe('After');
    expect((await waiting).requestTypes[0]?.name).toBe('Before');
    expect((await catalogue.requestTypes('T1'))[0]?.name).toBe('After');
  });

  it('is that of one workspace', async () => {
    const { catalogue, connect } = await setUp();
    await connect('T10');
    await catalogue.formOptions('T10');
    await catalogue.formOptions('T1');
    catalogue.forget('T1');
    expect(catalogue.peekFormOptions('T1')).toBeUndefined();
    expect(catalogue.peekFormOptions('T10')).toBeDefined();
  });
});
