import { describe, expect, it } from 'vitest';
import type { DesignApi } from '../../src/service/client.ts';
import { NotConnectedError } from '../../src/service/service-access.ts';
import {
  type ConnectedWorkspaces,
  connectedWorkspaces,
} from '../installations/connected-workspaces.ts';
import { T1 } from '../installations/ids.ts';
import { at } from '../store/stores-under-test.ts';

const listBrands = (api: DesignApi) => api.listBrands();
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => {
      if (error instanceof NotConnectedError) return error.reason;
      return error instanceof Error && 'code' in error ? error.code : String(error);
    },
  );

describe('a call to the service', () => {
  it.each<[string, (replica: ConnectedWorkspaces, key: string) => Promise<unknown>, string]>([
    [
      'replaced',
      ({ stores, design }) => stores.keys.save(T1, design.issueKey(), 'U2', at(1)),
      'answered',
    ],
    ['disconnected', ({ stores }) => stores.keys.disconnect(T1, at(1)), 'no_key'],
    [
      'had refused',
      ({ openService, design }, key) => {
        design.revokeKey(key);
        return reasonOf(openService().call(T1, listBrands));
      },
      'key_rejected',
    ],
  ])('is not made with a key that another replica has %s', async (_what, change, expected) => {
    const replicas = await connectedWorkspaces();
    const { service, design, callsWith } = replicas;
    await service.call(T1, listBrands);
    await change(replicas, design.apiKey);
    const before = callsWith(design.apiKey);
    expect(await reasonOf(service.call(T1, listBrands))).toBe(expected);
    expect(await reasonOf(service.open(T1).then((session) => session.ready()))).toBe(expected);
    expect(callsWith(design.apiKey)).toBe(before);
  });

  it('uses the new key if the old one was being decrypted when it was replaced', async () => {
    const { service, stores, design, connect, callsWith } = await connectedWorkspaces();
    for (let round = 0; round < 20; round += 1) {
      await connect(T1, design.apiKey);
      // The call has started to read the old key; the new one is stored before it is decrypted.
      const early = service.call(T1, listBrands);
      const replacement = design.issueKey();
      await stores.keys.save(T1, replacement, 'U1', at(0));
      service.forget(T1);
      await early;
      const before = callsWith(replacement);
      await service.call(T1, listBrands);
      expect(callsWith(replacement)).toBe(before + 1);
    }
  });

  it('is not made after a disconnect that happened while it was being prepared', async () => {
    const { service, stores } = await connectedWorkspaces();
    const early = reasonOf(service.call(T1, listBrands));
    await stores.keys.disconnect(T1, at(1));
    service.forget(T1);
    await early;
    expect(await reasonOf(service.call(T1, listBrands))).toBe('no_key');
  });
});

describe('a key that the service rejects', () => {
  it('is reported once by many concurrent calls', async () => {
    const { service, stores, design, rejectionsToTell, callsWith } = await connectedWorkspaces();
    design.revokeKey(design.apiKey);
    const calls = Array.from({ length: 20 }, () => reasonOf(service.call(T1, listBrands)));
    const reasons = await Promise.all(calls);
    const arrived = reasons.filter((reason) => reason === 'unauthorized');
    // Calls that were waiting for a slot are no longer sent.
    expect(new Set(reasons)).toEqual(new Set(['unauthorized', 'key_rejected']));
    expect(await reasonOf(service.call(T1, listBrands))).toBe('key_rejected');
    expect(callsWith(design.apiKey)).toBe(arrived.length);
    expect(await rejectionsToTell()).toEqual([T1]);
    expect((await stores.keys.describe(T1))?.state).toBe('rejected');
  });

  it('is not used while it is being marked', async () => {
    const marking = Promise.withResolvers<void>();
    const marked = Promise.withResolvers<void>();
    const { service, design, callsWith } = await connectedWorkspaces({
      async beforeMarking() {
        marking.resolve();
        await marked.promise;
      },
    });
    design.revokeKey(design.apiKey);
    const first = reasonOf(service.call(T1, listBrands));
    await marking.promise;
    const later = Array.from({ length: 10 }, () => reasonOf(service.call(T1, listBrands)));
    expect(new Set(await Promise.all(later))).toEqual(new Set(['key_rejected']));
    marked.resolve();
    expect(await first).toBe('unauthorized');
    expect(await reasonOf(service.call(T1, listBrands))).toBe('key_rejected');
    expect(callsWith(design.apiKey)).toBe(1);
  });

  it('is tried again if it couldn’t be marked', async () => {
    let failures = 1;
    const { service, stores, design, rejectionsToTell } = await connectedWorkspaces({
      async beforeMarking() {
        failures -= 1;
        if (failures >= 0) throw new Error('database is locked');
      },
    });
    design.revokeKey(design.apiKey);
    await expect(service.call(T1, listBrands)).rejects.toThrow('401');
    expect(await reasonOf(service.call(T1, listBrands))).toBe('unauthorized');
    expect(await rejectionsToTell()).toEqual([T1]);
    expect((await stores.keys.describe(T1))?.state).toBe('rejected');
  });

  it('doesn’t affect the key that has replaced it meanwhile', async () => {
    const { service, stores, design, connect, rejectionsToTell } = await connectedWorkspaces();
    design.faults.add({ kind: 'stall', ms: 50, times: 1 });
    await service.call(T1, listBrands);
    design.revokeKey(design.apiKey);
    design.faults.add({ kind: 'stall', ms: 50, times: 1 });
    const late = reasonOf(service.call(T1, listBrands));
    await connect(T1);
    await late;
    expect(await rejectionsToTell()).toEqual([]);
    expect((await stores.keys.describe(T1))?.state).toBe('active');
    expect(await reasonOf(service.call(T1, listBrands))).toBe('answered');
  });

  it.each([
    ['403', { status: 403 }],
    ['401 with a page', { status: 401, body: 'html' as const }],
  ])('is not one that was answered %s', async (_, fault) => {
    const { service, stores, design, rejectionsToTell } = await connectedWorkspaces();
    design.faults.add({ kind: 'status', ...fault });
    expect(await reasonOf(service.call(T1, listBrands))).not.toBe('unauthorized');
    expect(await rejectionsToTell()).toEqual([]);
    expect((await stores.keys.describe(T1))?.state).toBe('active');
  });
});
