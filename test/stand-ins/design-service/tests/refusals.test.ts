import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DesignService, type DesignServiceOptions, startDesignService } from '../server.ts';

type CallOptions = {
  method?: string;
  /** The service's own key by default; null omits the header. */
  key?: string | null;
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
};

/** A service for one test, whose clock stands still unless it is moved, and calls to it. */
async function serve(options: DesignServiceOptions = {}) {
  let now = Date.parse('2026-03-01T10:00:00.500Z');
  const service = await startDesignService({ clock: () => new Date(now), ...options });
  onTestFinished(() => service.close());
  async function call(path: string, given: CallOptions = {}) {
    const { method = 'GET', key = service.apiKey, body, headers } = given;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(service.url + path, {
      method,
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  }
  const create = (fields: object = {}, given: CallOptions = {}) =>
    call('/card', { method: 'POST', body: { data: { ...NEW_CARD, ...fields } }, ...given });
  async function statuses(count: number, key?: string): Promise<number[]> {
    const found: number[] = [];
    while (found.length < count) {
      found.push((await call('/tags', key === undefined ? {} : { key })).status);
    }
    return found;
  }
  const pass = (ms: number) => {
    now += ms;
  };
  return { service, call, create, statuses, pass };
}

/** Everything that `POST /card` requires, for the demo reference lists. */
const NEW_CARD = {
  title: 'Spring banner',
  description: '<p>Please <b>hurry</b></p>',
  typeId: 'type-social',
  product: 'Graphics',
  dimension: '1200 x 628 px',
  software: 'Figma',
  fileFormats: 'PNG',
};

const executed = (service: DesignService) => service.calls({ executed: true }).length;

test('a missing, empty, wrong, repeated, or revoked key gets 401, and isn’t counted', async () => {
  const { service, call, create } = await serve({ requestsPerMinute: 1 });
  const revoked = service.issueKey();
  service.revokeKey(revoked);
  const json = {
    status: false,
    error: 'Authentication Error',
    statusCode: 401,
    message: expect.any(String),
  };
  for (const key of [null, '', 'nonsense', `${service.apiKey}, ${service.apiKey}`, revoked]) {
    const answer = await create({}, { key });
    expect(answer).toMatchObject({ status: 401, json });
    expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
  }
  expect(executed(service)).toBe(0);
  expect((await call('/tags')).status).toBe(200);
});

test('what another account has, or a key may not access, gets 403 without its content', async () => {
  const { service, call } = await serve();
  const card = service.cards.add({ title: 'Secret', account: 'account-9' });
  const refused = { status: 403, json: { status: false, statusCode: 403, error: 'Forbidden' } };
  const answer = await call(`/card/${card.id}`);
  expect(answer).toMatchObject(refused);
  expect(JSON.stringify(answer.json)).not.toContain('Secret');
  expect(JSON.stringify((await call('/tasks?perPage=100')).json)).not.toContain('Secret');
  expect(await call('/tasks?projectId=project-2')).toMatchObject(refused);
  const paths = ['/card/card-1001', '/card/card-1002', '/tags'];
  for (const [what, expected] of [
    [{ cardId: 'card-1001' }, [403, 200, 200]],
    [{ operation: 'getCard' }, [403, 403, 200]],
    [{}, [403, 403, 403]],
  ] as const) {
    const key = service.issueKey();
    service.forbid(key, what);
    const answers = await Promise.all(paths.map((path) => call(path, { key })));
    expect(answers.map(({ status }) => status)).toEqual(expected);
  }
});

test.for<[method: string, path: string, status: number, allow?: string]>([
  ...['/nothing', '/tags/', '//tags', '/card/', '/card/a/b', '/', '/card/none'].map(
    (path): [string, string, number] => ['GET', path, 404],
  ),
  ['GET', '/card/%E0%A4%A', 400],
  ['POST', '/tags', 405, 'GET'],
  ['DELETE', '/brands', 405, 'GET'],
  ['GET', '/card', 405, 'POST'],
  ['PUT', '/card/card-1001', 405, 'GET'],
  ...['0', '-1', '1.5', 'many', ''].map((perPage): [string, string, number] => [
    'GET',
    `/tasks?perPage=${perPage}`,
    400,
  ]),
])('%s %s gets %i', async ([method, path, status, allow]) => {
  const { service, call } = await serve();
  const answer = await call(path, { method });
  expect(answer).toMatchObject({ status, json: { status: false, statusCode: status } });
  expect(answer.headers.get('allow')).toBe(allow ?? null);
  expect(executed(service)).toBe(0);
});

test.for([
  ['not-found', 404],
  ['forbidden', 403],
  ['invalid', 400],
  ['empty', 200],
] as const)('a project that nobody has is answered as %s', async ([unknownProject, status]) => {
  const { service, call } = await serve();
  service.answers.unknownProject = unknownProject;
  expect((await call('/tasks?projectId=unknown')).status).toBe(status);
});

const REFUSED: [fields: object, details: Record<string, unknown>][] = [
  ...Object.keys(NEW_CARD).flatMap((name) =>
    (
      [
        [undefined, 'is required'],
        [null, 'must be a string'],
        [7, 'must be a string'],
        ['  \n', 'must not be blank'],
      ] as const
    ).map(([value, problem]): [object, Record<string, unknown>] => [
      { [name]: value },
      { [name]: `${name} ${problem}` },
    ]),
  ),
  [{ typeId: 'none' }, { typeId: 'typeId is not the id of a request type' }],
  [{ product: 'Sculpture' }, { product: expect.stringMatching(/Graphics, Video, .* Plus$/) }],
  [
    { typeId: 'type-video', product: 'Graphics' },
    { product: "product must be one of this type's: Video" },
  ],
  // The partner has another name.
  [{ typeId: 'type-other', product: 'Canvas Plus' }, { product: expect.any(String) }],
  [{ brandId: 'none' }, { brandId: 'brandId is not the id of a brand' }],
  [{ brandId: '' }, { brandId: 'brandId is not the id of a brand' }],
  [{ brandId: null }, { brandId: 'brandId must be a string' }],
  [{ textCopy: [] }, { textCopy: 'textCopy must be a string' }],
  [{ isDraft: 'yes' }, { isDraft: 'isDraft must be true or false' }],
  [{ referenceFiles: 'a.png' }, { referenceFiles: 'referenceFiles must be an array' }],
  [{ priority: 'high' }, { priority: 'priority is not a field of a card' }],
  [
    { title: '', software: 1, brandId: 'none' },
    {
      title: 'title must not be blank',
      software: expect.stringMatching(/string/),
      brandId: expect.stringMatching(/brand/),
    },
  ],
];

test('a card with invalid fields gets 400, with details that name each field', async () => {
  const { service, create } = await serve({ requestsPerMinute: 100 });
  for (const [fields, details] of REFUSED) {
    const json = { error: 'Validation Error', details, statusCode: 400 };
    const message = expect.any(String);
    const answer = await create(fields);
    expect.soft(answer.json, JSON.stringify(fields)).toEqual({ ...json, status: false, message });
    expect.soft(answer.status).toBe(400);
  }
  expect(executed(service)).toBe(0);
});

test.for<[what: string, body: unknown]>([
  ['no wrapper', NEW_CARD],
  ['another wrapper', { card: NEW_CARD }],
  ['another field beside data', { data: NEW_CARD, status: true }],
  ['data that is a list', { data: [NEW_CARD] }],
  ['data that is null', { data: null }],
  ['a list', [NEW_CARD]],
  ['JSON null', 'null'],
  ['broken JSON', '{"data":'],
  ['no JSON at all', ''],
  ['no UTF-8', Buffer.from(JSON.stringify({ data: { ...NEW_CARD, title: 'é' } }), 'latin1')],
])('%s gets 400', async ([, body]) => {
  const { service, call } = await serve();
  const answer = await call('/card', { method: 'POST', body });
  expect(answer).toMatchObject({ status: 400, json: { status: false, statusCode: 400 } });
  expect(executed(service)).toBe(0);
});

test('a body that isn’t declared as UTF-8 JSON gets 415, and one over one MiB 413', async () => {
  const { service, create } = await serve();
  for (const [name, value, status] of [
    ['Content-Type', 'text/plain', 415],
    ['Content-Type', 'application/x-www-form-urlencoded', 415],
    ['Content-Type', 'application/json; charset=latin1', 415],
    ['Content-Encoding', 'gzip', 415],
    ['Content-Type', 'Application/JSON; charset=UTF-8', 200],
  ] as const) {
    expect((await create({}, { headers: { [name]: value } })).status).toBe(status);
  }
  const answer = await create({ description: 'x'.repeat(1024 * 1024) });
  expect(answer).toMatchObject({ status: 413, json: { status: false, statusCode: 413 } });
  expect((await create({ description: 'x'.repeat(900_000) })).status).toBe(200);
  expect(executed(service)).toBe(2);
});

test('a caller who disconnects in the middle of a body has created no card', async () => {
  const { service, call } = await serve();
  const { port, hostname, pathname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname}/card HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${service.apiKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"data":',
  );
  while (service.ledger.length === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  expect((await call('/tags')).status).toBe(200);
  expect(service.ledger[0]).toMatchObject({ executed: false, status: undefined });
});

test('every authenticated answer has limit, remaining, and reset; the sixty-first is 429', async () => {
  const { service, call, create, statuses, pass } = await serve();
  const answers = [await call('/tags'), await call('/card/none'), await create({ title: '' })];
  expect(
    answers.map(({ headers }) =>
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`)),
    ),
    // Rounded up, so that a caller who waits until then is never early.
  ).toEqual(
    ['59', '58', '57'].map((left) => ['60', left, `${Date.UTC(2026, 2, 1, 10, 1, 1) / 1e3}`]),
  );
  await statuses(57);
  pass(40_000);
  const refused = await create();
  // The only one without `status`.
  expect(refused.json).toEqual({
    statusCode: 429,
    message: expect.stringMatching(/try again later/),
    error: 'Too Many Requests',
  });
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(refused.headers.get('retry-after')).toBe('21');
  expect(executed(service)).toBe(57 + 1);
});

test('a fixed window starts with its first call; a sliding one frees each after a minute', async () => {
  const fixed = await serve({ requestsPerMinute: 3 });
  await fixed.statuses(3);
  fixed.pass(59_999);
  expect(await fixed.statuses(1)).toEqual([429]);
  fixed.pass(1);
  expect(await fixed.statuses(4)).toEqual([200, 200, 200, 429]);
  const { service, statuses, pass } = await serve({ requestsPerMinute: 2 });
  service.answers.window = 'sliding';
  expect(await statuses(1)).toEqual([200]);
  pass(50_000);
  // A refused call doesn't count.
  expect(await statuses(4)).toEqual([200, 429, 429, 429]);
  pass(10_000);
  expect(await statuses(2)).toEqual([200, 429]);
});

test('keys are counted separately, even of one account, and can have their own limits', async () => {
  const { service, statuses } = await serve({ requestsPerMinute: 2 });
  expect(await statuses(3)).toEqual([200, 200, 429]);
  expect(await statuses(3, service.issueKey())).toEqual([200, 200, 429]);
  const generous = service.issueKey({ requestsPerMinute: 3 });
  expect(await statuses(4, generous)).toEqual([200, 200, 200, 429]);
  // The ledger has the refused ones, too.
  expect(service.largestWindow()).toBe(4);
});
