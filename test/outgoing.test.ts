import { setTimeout as pause } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { createLog } from '../src/ops/logging.ts';
import { OperatorError } from '../src/ops/operator-error.ts';
import { applyProxySettings } from '../src/outgoing.ts';
import { outcomeOfCall } from '../src/slack/client/errors.ts';
import { slackClientOptions } from '../src/slack/client/slack-client.ts';
import { migrateDatabase, openDatabase } from '../src/store/database.ts';
import { makeUnresponsive, nameAddresses } from './addresses.ts';
import { freePort } from './free-port.ts';
import { json, startServer } from './service/local-server.ts';
import { clientOf, NEW_CARD } from './service/test-client.ts';
import { isReachable } from './store/stores-under-test.ts';

const HOST = 'two-addresses.test';
const [FIRST, SECOND] = ['127.0.0.2', '127.0.0.1'];

const slackOf = (port: number) => {
  const apiUrl = `http://${HOST}:${port}/api/`;
  const log = createLog({ level: 'silent' });
  return new WebClient('xoxb-1', slackClientOptions({ apiUrl, log }));
};

const urlOf = (port: number) => `postgres://me:hunter2@${HOST}:${port}/x`;

async function connectToPostgres(port: number) {
  const db = openDatabase({ url: urlOf(port) });
  await isReachable(db).finally(() => db.destroy());
}

/** Whatever connects to a host, by what it is called in a test's name. */
const CALLS: [string, (port: number) => Promise<unknown>][] = [
  ['a card', (port) => clientOf(`http://${HOST}:${port}`).createCard(NEW_CARD)],
  ['a call to Slack', (port) => slackOf(port).apiCall('views.open')],
  ['a statement in Postgres', connectToPostgres],
];

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('it worked'),
    (error: unknown) => error,
  );

function logged(error: unknown): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLog({ level: 'warn', destination }).warn({ err: error }, 'failed');
  return lines.join('');
}

it.each([
  'proxy:3128',
  'localhost:3128',
  '10.0.0.1:3128',
  'http://',
  'ftp://me:hunter2@proxy',
  '"x"',
])('a proxy’s address that can’t be used is refused by the name of its variable: %s', (address) => {
  const env = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: address };
  expect(() => applyProxySettings(env)).toThrow(
    new OperatorError('HTTPS_PROXY must be a URL, such as http://proxy.example.com:3128.'),
  );
});

describe('the log names each address that was tried, with its code, for', () => {
  it.each(CALLS)('%s if all refuse', async (_what, call) => {
    const port = await freePort();
    nameAddresses(HOST, [FIRST, SECOND]);
    const line = logged(await failureOf(call(port)));
    expect(line).toMatch(attemptAt(FIRST, port, 'ECONNREFUSED'));
    expect(line).toMatch(attemptAt(SECOND, port, 'ECONNREFUSED'));
    expect(line).not.toContain('hunter2');
  });

  it.each(CALLS)('%s if one doesn’t answer', async (_what, call) => {
    const port = await freePort();
    await makeUnresponsive(FIRST, port);
    nameAddresses(HOST, [FIRST, SECOND]);
    const line = logged(await failureOf(call(port)));
    expect(line).toMatch(attemptAt(FIRST, port, 'ETIMEDOUT'));
    expect(line).toMatch(attemptAt(SECOND, port, 'ECONNREFUSED'));
  });
});

/** An address and a code, in the order in which we or Node write them. */
const attemptAt = (host: string, port: number, code: string) =>
  new RegExp(`${code} ${host}:${port}|${host}:${port} ${code}`);

describe('if one address of several doesn’t answer, the next one gets', () => {
  it.each(CALLS.slice(0, 2))('%s', async (_what, call) => {
    const { baseUrl, requests } = await startServer(json(200, { ok: true, data: { id: 'c1' } }));
    const port = Number(new URL(baseUrl).port);
    await makeUnresponsive(FIRST, port);
    nameAddresses(HOST, [FIRST, SECOND]);
    await expect(call(port)).resolves.toBeDefined();
    expect(requests).toHaveLength(1);
  });
});

describe('an address to which the first packet is lost is waited for until it is repeated, for', () => {
  it.each(CALLS.slice(0, 2))('%s', async (_what, call) => {
    const port = await freePort();
    const accept = await makeUnresponsive(FIRST, port);
    nameAddresses(HOST, [FIRST, SECOND]);
    const calling = call(port);
    await pause(100);
    accept();
    await expect(calling).resolves.toBeDefined();
  });
});

it('a call to Slack that no address accepted was never sent, whatever each of them did', async () => {
  const port = await freePort();
  await makeUnresponsive(FIRST, port);
  nameAddresses(HOST, [FIRST, SECOND]);
  expect(outcomeOfCall(await failureOf(slackOf(port).apiCall('chat.postMessage')))).toBe(
    'not_done',
  );
});

it('a start says which addresses of the database’s host were tried', async () => {
  const port = await freePort();
  nameAddresses(HOST, [FIRST, SECOND]);
  const error = await failureOf(migrateDatabase({ url: urlOf(port) }));
  expect(String(error)).toContain(
    `is the port right? Tried: ${FIRST}:${port} ECONNREFUSED, ${SECOND}:${port} ECONNREFUSED.`,
  );
});
