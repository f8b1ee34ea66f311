import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { MAX_LABEL_CHARS } from '../../src/service/operations/loose-values.ts';
import { freePort } from '../free-port.ts';
import { type Answer, json, raw, startServer } from './local-server.ts';
import { API_KEY, clientOf, failureOf, NEW_CARD } from './test-client.ts';

/** Everything a logger could print of an error, including hidden fields and causes. */
function everythingIn(error: Error): string {
  const shown = inspect(error, { depth: Infinity, showHidden: true, maxStringLength: null });
  return `${shown} ${error.message} ${error.stack} ${JSON.stringify(error)} ${inspect(error.cause)}`;
}

const echo: Answer = (response, request) => {
  const { 'x-api-key': key } = request.headers;
  const body = { message: `Bad key ${key}`, details: { [`k${key}`]: `got ${key}`, list: [key] } };
  response.writeHead(400).end(JSON.stringify(body));
};

test.each<[string, Answer]>([
  ['a refusal that echoes it', echo],
  [
    'a refusal that echoes it beyond the length limit',
    json(401, { message: `${'x'.repeat(290)}${API_KEY}` }),
  ],
  ['a failing service', raw(503, API_KEY)],
  ['an unreadable answer', raw(200, `<html>${API_KEY}`)],
  ['a redirect', raw(302, '', { location: `/${API_KEY}` })],
  ['a dropped connection', (_response, _request, socket) => void socket.resetAndDestroy()],
  ['a stalled service', () => {}],
])('the key is not in the error of %s', async (_, answer) => {
  const server = await startServer(answer);
  const client = clientOf(server.baseUrl, { timeouts: { get: 50, post: 50, retryBase: 1 } });
  const outcomes = await Promise.allSettled([client.getCard('c'), client.createCard(NEW_CARD)]);
  const reasons = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []));
  expect(outcomes[0]?.status).toBe('rejected');
  for (const reason of reasons) expect(everythingIn(reason)).not.toContain(API_KEY.slice(0, 8));
});

test.each(['dk_live_0123456789abcdef', 'a/b+c=d&e<f>"g\'h%41', '\\u0041key-0123'])(
  'the key %j is in nothing that is read, wherever the service echoes it',
  async (apiKey) => {
    const html = apiKey
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    const echo = (value: string) => `${value} ${apiKey}`;
    const address = `https://files.example.com/a.png?key=${encodeURIComponent(apiKey)}`;
    const escaped = address.replaceAll(/%../g, (code) => code.toLowerCase());
    const query = `https://files.example.com/a.png?${new URLSearchParams({ key: apiKey })}`;
    const item = {
      id: echo('id'),
      name: echo('name'),
      title: `${'x'.repeat(MAX_LABEL_CHARS - 10)}${apiKey}`,
      description: `<p title="${html}">${html}</p>`,
      request_type: { name: echo('type') },
      labels: [apiKey, echo('label')],
      status: { id: apiKey, name: echo('status'), color: apiKey },
      due_date: echo('due'),
      created_at: apiKey,
      created_by: { [apiKey]: apiKey, email: echo('mail') },
      files: [
        {
          id: apiKey,
          name: apiKey,
          ext: apiKey,
          urls: { full: address, large: escaped, small: query },
        },
      ],
      brand: apiKey,
      products: [apiKey],
      formats: [echo('PNG')],
      softwares: [apiKey],
      bg_color: apiKey,
    };
    const card = await startServer(json(200, { data: item, [apiKey]: apiKey }));
    const lists = await startServer(json(200, { data: [item] }));
    const [one, many] = [card, lists].map(({ baseUrl }) => clientOf(baseUrl, { apiKey }));
    const read = await Promise.all([
      one?.getCard('c'),
      one?.createCard(NEW_CARD),
      many?.listBrands(),
      many?.listTags(),
      many?.listRequestTypes(),
      many?.listTasks({ projectId: 'p' }),
    ]);
    const text = JSON.stringify(read);
    for (const spelling of [apiKey, JSON.stringify(apiKey).slice(1, -1), html]) {
      expect(text).not.toContain(spelling);
      expect(text).not.toContain(spelling.slice(0, 8));
    }
    for (const spelling of [address, escaped, query])
      expect(text).not.toContain(spelling.slice(-12));
    expect(text).toContain('[API key]');
  },
);

test('a key as short as a word is not redacted from text', async () => {
  const server = await startServer(json(200, { data: { id: 'c', title: 'Latest poster' } }));
  const card = await clientOf(server.baseUrl, { apiKey: 'test' }).getCard('c');
  expect(card.title).toBe('Latest poster');
});

test('neither the key nor the request is in the error of an unreachable service', async () => {
  const client = clientOf(`http://127.0.0.1:${await freePort()}`);
  const error = await failureOf(client.createCard(NEW_CARD));
  expect(everythingIn(error)).not.toContain(API_KEY);
  expect(everythingIn(error)).not.toContain(NEW_CARD.title);
});

test.each(['', '  ', 'line\nbreak', 'tab\tkey', 'schlüssel', 'nul\0', '🔑'])(
  'the key %j is refused before anything is sent, without being quoted',
  async (apiKey) => {
    const server = await startServer(json(200, { data: [] }));
    const client = clientOf(server.baseUrl, { apiKey });
    for (const call of [client.listTags(), client.createCard(NEW_CARD)]) {
      const error = await failureOf(call);
      expect(error.code).toBe('unauthorized');
      if (apiKey.trim() !== '') expect(everythingIn(error)).not.toContain(apiKey);
    }
    expect(server.connections()).toBe(0);
  },
);
