import { describe, expect, it } from 'vitest';
import { json, startServer } from './local-server.ts';
import { clientOf, failureOf, NEW_CARD } from './test-client.ts';
import { TRUSTED } from './trusted-certificate.ts';

describe.each([
  ['http', undefined],
  ['https', TRUSTED],
])('creating a card over %s', (_, certificate) => {
  const start = () => startServer(json(200, { data: { id: 'c1' } }), certificate);

  it('is not sent if that is no longer allowed once the connection is open', async () => {
    const server = await start();
    let asked = 0;
    const maySend = () => {
      asked += 1;
      return false;
    };
    const failure = await failureOf(clientOf(server.baseUrl).createCard(NEW_CARD, { maySend }));
    expect(failure).toMatchObject({ code: 'not_sent', cause: 'WITHHELD' });
    // Another request waits for its answer: anything the first one sent would have arrived before.
    await clientOf(server.baseUrl).createCard(NEW_CARD, { maySend: () => true });
    expect([asked, server.connections(), server.requests.length]).toEqual([1, 2, 1]);
  });

  it('has sent nothing when it asks whether it may', async () => {
    const server = await start();
    const arrived: number[] = [];
    const maySend = () => arrived.push(server.requests.length) > 0;
    await clientOf(server.baseUrl).createCard(NEW_CARD, { maySend });
    expect([arrived, server.requests.length]).toEqual([[0], 1]);
  });

  it('sends the whole card, however long it is', async () => {
    const server = await start();
    const description = `<p>${'ä'.repeat(200_000)}</p>`;
    const card = { ...NEW_CARD, description };
    await clientOf(server.baseUrl).createCard(card, { maySend: () => true });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ data: card });
  });
});

it.each([
  ['http', undefined],
  ['https', TRUSTED],
])(
  'a read is not sent over an open %s connection if that is no longer allowed',
  async (_, certificate) => {
    const server = await startServer(json(200, { data: [] }), certificate);
    let mayBeSent = true;
    const client = clientOf(server.baseUrl, { gate: (_call, make) => make(() => mayBeSent) });
    await client.listTags();
    mayBeSent = false;
    expect(await failureOf(client.listTags())).toMatchObject({ cause: 'WITHHELD' });
    mayBeSent = true;
    await client.listTags();
    // The second read and its first retry used the connection that the first read left open.
    expect(server.requests).toHaveLength(2);
  },
);
