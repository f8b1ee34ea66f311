import { describe, expect, it } from 'vitest';
import { createDesignApi, type DesignApi } from '../../../src/service/client.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { budgetedService, type Replica } from './budgeted-service.ts';

const LIMIT = 3;
const CARD = {
  ...{ title: 'Spring', description: 'A banner', typeId: 'type-social', product: 'Graphics' },
  ...{ dimension: '1 × 1', software: 'Figma', fileFormats: 'PNG' },
};

/**
 * Makes a call whose process is frozen between the grant and the first byte.
 *
 * @param meanwhile what others do before it resumes
 * @returns `answered` or the error's code, and the most calls that the service received in one minute
 */
async function callFrozenFor(
  ms: number,
  use: (api: DesignApi) => Promise<unknown>,
  meanwhile: (replica: Replica) => Promise<unknown>,
) {
  const { design, startReplica, clock } = await budgetedService({ requestsPerMinute: LIMIT });
  const replica = await startReplica();
  // The service's limit is known from its first answer.
  await replica.call('posted');
  const { pass } = replica.gates.of(fingerprintOf(design.apiKey));
  let isFrozen = true;
  const api = createDesignApi({
    ...{ baseUrl: design.url, apiKey: design.apiKey, timezone: 'UTC' },
    ...{ now: () => new Date(clock.now), timeouts: { retryBase: 1 } },
    gate: (call, make) =>
      pass({ ...call, callClass: 'posted' }, async (maySend) => {
        if (isFrozen) {
          isFrozen = false;
          clock.now += ms;
          await meanwhile(replica);
        }
        return make(maySend);
      }),
  });
  const result = await use(api).then(
    () => 'answered',
    (error: unknown) => (error instanceof DesignApiError ? error.code : error),
  );
  return { result, mostInAMinute: design.largestWindow() };
}

const callUntilUsedUp = ({ call }: Replica) =>
  Promise.all(Array.from({ length: LIMIT }, () => call('posted')));

describe.each([
  ['a read', (api: DesignApi) => api.getCard('card-1001'), 'unavailable'],
  ['a creation', (api: DesignApi) => api.createCard(CARD), 'not_sent'],
])('%s whose process is frozen after the grant', (_, use, code) => {
  it('is not sent in addition to the calls of the next minute', async () => {
    const { result, mostInAMinute } = await callFrozenFor(65_000, use, callUntilUsedUp);
    expect([result, mostInAMinute]).toEqual([code, LIMIT]);
  });

  it('is sent if its grant still counts', async () => {
    const { result, mostInAMinute } = await callFrozenFor(20_000, use, callUntilUsedUp);
    expect([result, mostInAMinute]).toEqual(['answered', LIMIT]);
  });
});

it('a read whose process is frozen after the grant is made with a new grant', async () => {
  const read = (api: DesignApi) => api.getCard('card-1001');
  expect(await callFrozenFor(65_000, read, async () => undefined)).toMatchObject({
    result: 'answered',
  });
});
