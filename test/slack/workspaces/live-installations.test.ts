import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../src/ops/logging.ts';
import { slackClientOptions } from '../../../src/slack/client/slack-client.ts';
import { createLiveInstallations } from '../../../src/slack/workspaces/live-installations.ts';
import { createTokenExchange } from '../../../src/slack/workspaces/token-exchange.ts';
import type { InstallationStore } from '../../../src/store/installations.ts';
import { workspaceNamed } from '../../installations/ids.ts';
import { startSlack } from '../../stand-ins/slack/server.ts';
import { manifest } from '../../stand-ins/slack/tests/manifest.ts';
import { openSqliteStores } from '../../store/sqlite-files.ts';
import { at } from '../../store/stores-under-test.ts';

const HOUR_S = 3_600;
/** Tokens last 12 hours and are renewed from the tenth on. */
const DUE = at(10 * HOUR_S + 1);
const EXPIRED = at(12 * HOUR_S);

/** Acme's installation, whose token lasts 12 hours, as seen by replicas on one database. */
async function installed(options: { refreshGraceMs?: number } = {}) {
  const clock = { now: at(0) };
  const now = () => clock.now;
  const rotating = manifest({ tokenRotation: true });
  const slack = await startSlack({ ...options, manifest: rotating, clock: now });
  onTestFinished(() => slack.close());
  const acme = slack.addWorkspace({ name: 'Acme', installed: false });
  const ada = acme.addUser({ name: 'Ada', admin: true });
  const { stores, openAgain } = await openSqliteStores();
  const log = createLog({ level: 'silent' });
  const clientOptions = slackClientOptions({ apiUrl: slack.apiUrl, log });
  const exchange = createTokenExchange({ oauth: slack, clientOptions, now });
  const authorize = `${slack.authorizeUrl}?client_id=${slack.clientId}&scope=commands`;
  const code = new URL(slack.authorize(acme, ada, authorize)).searchParams.get('code') ?? '';
  await stores.installations.save(await exchange.code(code, undefined), now());
  const replica = (installations: InstallationStore = stores.installations) =>
    createLiveInstallations({ installations, botToken: undefined, exchange, now, log });
  const exchanges = () =>
    slack.apiCalls.filter(
      ({ method, args }) => method === 'oauth.v2.access' && args.grant_type === 'refresh_token',
    );
  const works = async (token: string | undefined) => {
    const answer = await fetch(`${slack.apiUrl}auth.test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    return z.object({ ok: z.boolean() }).parse(await answer.json()).ok;
  };
  const id = workspaceNamed(acme.id);
  const first = await stores.installations.open(id);
  return { clock, slack, id, stores, openAgain, replica, exchanges, works, first };
}

describe('a token that expires', () => {
  it('is renewed once, however many callers on however many replicas, and nobody waits', async () => {
    const { clock, id, replica, exchanges, works, first, stores, openAgain } = await installed();
    const replicas = [replica(), replica(), replica((await openAgain()).installations)];
    clock.now = DUE;
    const asked = Array.from({ length: 51 }, (_, index) => replicas[index % 3]?.get(id));
    const tokens = new Set((await Promise.all(asked)).map((install) => install?.token));
    expect([...tokens]).toEqual([first?.token]);
    await expect
      .poll(async () => (await stores.installations.open(id))?.token)
      .not.toBe(first?.token);
    expect(exchanges()).toHaveLength(1);
    clock.now = at(10 * HOUR_S + 10);
    const renewed = await replicas[1]?.get(id);
    expect(renewed?.token).not.toBe(first?.token);
    expect(await works(renewed?.token)).toBe(true);
    // Calls in progress continue with the previous one.
    expect(await works(first?.token)).toBe(true);
    expect(exchanges()).toHaveLength(1);
  });

  it('is kept while renewal fails, which isn’t retried at every event', async () => {
    const { clock, id, slack, replica, exchanges, works, first, stores } = await installed();
    const live = replica();
    const repair = slack.faults.add({ kind: 'http', status: 500, method: 'oauth.v2.access' });
    clock.now = DUE;
    for (let event = 0; event < 10; event += 1) {
      const install = await live.get(id);
      expect(install?.token).toBe(first?.token);
      expect(await works(install?.token)).toBe(true);
    }
    // Without an answer it is tried four times at once, then not for a minute.
    await expect.poll(() => exchanges()).toHaveLength(4);
    clock.now = at(10 * HOUR_S + 60);
    await live.renewExpiring();
    expect(exchanges()).toHaveLength(4);
    repair();
    clock.now = at(10 * HOUR_S + 61);
    await live.renewExpiring();
    expect(exchanges()).toHaveLength(5);
    expect((await stores.installations.open(id))?.token).not.toBe(first?.token);
  });

  it('isn’t used after it expired while another replica renews it', async () => {
    const { clock, slack, id, replica, exchanges } = await installed();
    slack.faults.add({ kind: 'stall', ms: 300, method: 'oauth.v2.access' });
    clock.now = EXPIRED;
    const here = replica().get(id);
    await expect.poll(() => exchanges()).toHaveLength(1);
    await expect(replica().get(id)).rejects.toThrow('is being renewed');
    await here;
    expect(exchanges()).toHaveLength(1);
  });

  it.each([
    ['is renewed at once if its process died before it stored the new one, and starts again', true],
    ['is renewed by another process a minute later if the first one died', false],
  ])('%s', async (_what, isRestarted) => {
    const world = await installed({ refreshGraceMs: isRestarted ? 10_000 : 61_000 });
    const { clock, id, replica, stores, exchanges, works, first } = world;
    const dying: InstallationStore = {
      ...stores.installations,
      // The new tokens reach the process, and nothing else.
      saveTokens: () => new Promise(() => undefined),
    };
    clock.now = DUE;
    void replica(dying).renewExpiring();
    await expect.poll(() => exchanges()).toHaveLength(1);
    if (isRestarted) {
      await stores.installations.endClaims();
    } else {
      clock.now = at(10 * HOUR_S + 60);
      await replica().renewExpiring();
      expect(exchanges()).toHaveLength(1);
      clock.now = at(10 * HOUR_S + 61);
    }
    await replica().renewExpiring();
    const renewed = await stores.installations.open(id);
    expect(renewed?.token).not.toBe(first?.token);
    expect(await works(renewed?.token)).toBe(true);
  });

  it('is kept even if the database fails to store it at first', async () => {
    const { clock, id, replica, stores, exchanges, first } = await installed();
    let failures = 3;
    const locked: InstallationStore = {
      ...stores.installations,
      async saveTokens(...saved) {
        failures -= 1;
        if (failures >= 0) throw new Error('the database is locked');
        return stores.installations.saveTokens(...saved);
      },
    };
    clock.now = DUE;
    await replica(locked).renewExpiring();
    expect((await stores.installations.open(id))?.token).not.toBe(first?.token);
    expect(exchanges()).toHaveLength(1);
  });

  it('doesn’t replace the token of a new installation that happens meanwhile', async () => {
    const { clock, id, slack, replica, stores } = await installed();
    slack.faults.add({ kind: 'stall', ms: 100, method: 'oauth.v2.access' });
    clock.now = DUE;
    const renewing = replica().renewExpiring();
    const unlike = { scopes: [], botUserId: undefined, installedBy: undefined };
    const anew = { ...unlike, ...(await stores.installations.open(id)), token: 'xoxb-anew' };
    await stores.installations.save({ ...anew, id }, clock.now);
    await renewing;
    expect((await stores.installations.open(id))?.token).toBe('xoxb-anew');
  });
});

it('An installation is still used while the database is unavailable', async () => {
  const { id, replica, first, stores } = await installed();
  let isUnavailable = false;
  const failIfUnavailable = async () => {
    if (isUnavailable) throw new Error('the database is unavailable');
  };
  const { installations } = stores;
  const here = replica({
    ...installations,
    open: (...asked) => failIfUnavailable().then(() => installations.open(...asked)),
    describe: (...asked) => failIfUnavailable().then(() => installations.describe(...asked)),
  });
  await here.get(id);
  isUnavailable = true;
  expect((await here.get(id))?.token).toBe(first?.token);
});

it('An installation that another replica deleted is no longer used', async () => {
  const { id, replica, first, openAgain } = await installed();
  const here = replica();
  expect(await here.get(id)).toBeDefined();
  const { installations } = await openAgain();
  if (first) await installations.remove(first);
  expect(await here.get(id)).toBeUndefined();
});
