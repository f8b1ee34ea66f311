import { utimes } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { backUpDatabase } from '../../src/commands/backup.ts';
import { isPostgres } from '../../src/store/database-location.ts';
import { lastBackupOf } from '../../src/store/sqlite/path.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { databaseOf } from './database-rows.ts';
import { askedAbout, openForm, sendRequest, sentRequest } from './form.ts';
import { scrape } from './metrics.ts';
import { it, startWorld } from './world.ts';

const HOUR_MS = 3_600_000;

/** A world whose clock only moves when it is told to. */
async function withClock() {
  const clock = { now: Date.now() };
  return { ...(await startWorld({ clock: () => new Date(clock.now) })), clock };
}

describe('the metrics say', () => {
  it('how long Slack waited for its answers, and for the form', async ({ world, me }) => {
    await openForm(world, me);
    const before = await scrape(world.app);
    const acknowledged = { outcome: 'acknowledged' };
    expect(before.value('acknowledgment_seconds_count', { kind: 'command', ...acknowledged })).toBe(
      1,
    );
    expect(before.value('modal_open_seconds_count')).toBe(1);
    expect(before.value('modal_open_seconds_sum')).toBeGreaterThan(0);
    expect(before.value('slack_call_seconds_count', { method: 'views.open' })).toBe(1);
    await me.close({ all: true });
    await sentRequest(world, me);
    const after = await scrape(world.app);
    const sent = { kind: 'view_submission', ...acknowledged };
    expect(after.value('acknowledgment_seconds_count', sent)).toBe(1);
    expect(after.value('modal_open_seconds_count')).toBe(2);
  });

  it('that Slack was not answered, and that the database failed', async ({ world, me }) => {
    const db = databaseOf(world);
    await db.schema.alterTable('jobs').renameTo('no_jobs').execute();
    await me.post(world.general, world.cardUrl('card-1001'));
    await world.slack.idle();
    // Whatever fails while the metrics are read is in the next ones.
    await scrape(world.app);
    const { value, text } = await scrape(world.app);
    await db.schema.alterTable('no_jobs').renameTo('jobs').execute();
    const failed = { kind: 'event', outcome: 'failed' };
    expect(value('acknowledgment_seconds_count', failed)).toBeGreaterThan(0);
    expect(value('database_errors_total', { step: 'write' })).toBeGreaterThan(0);
    // What could be read is still there, and what couldn't is absent instead of wrong.
    expect(value('database_errors_total', { step: 'read' })).toBeGreaterThan(0);
    expect(value('requests', { state: 'queued' })).toBe(0);
    expect(text).not.toContain('design_request_jobs_due{');
  });

  it('how full the disk of the database is, and how old its backup is', async ({ world }) => {
    const { database } = world.config;
    if (isPostgres(database)) throw new Error('This world runs on SQLite.');
    const before = await scrape(world.app);
    expect(before.value('disk_free_ratio')).toBeGreaterThan(0);
    expect(before.value('disk_free_ratio')).toBeLessThanOrEqual(1);
    // Absent, not zero: an operator who backs up in another way isn't alerted.
    expect(before.text).not.toMatch(/^design_request_backup_age_seconds \d/m);
    await backUpDatabase(database.path, `${database.path}.copy`);
    await utimes(lastBackupOf(database.path), new Date(0), new Date(Date.now() - HOUR_MS));
    const age = (await scrape(world.app)).value('backup_age_seconds');
    expect(age).toBeGreaterThan(3_500);
    expect(age).toBeLessThan(4_500);
  });

  it('how many requests were sent, how long that took, and that nothing is left', async () => {
    const { world, me, config } = await startWorld();
    await sentRequest(world, me);
    await expect
      .poll(async () => (await scrape(world.app)).text)
      .toMatch(/"announce-request",outcome="done"\} 1/);
    const { value } = await scrape(world.app);
    expect(value('service_answers_total', { method: 'POST', outcome: '2xx' })).toBe(1);
    expect(value('service_call_seconds_count', { operation: 'createCard' })).toBe(1);
    expect(value('job_attempts_total', { kind: 'deliver-request', outcome: 'done' })).toBe(1);
    expect(value('job_attempts_total', { kind: 'deliver-request', outcome: 'failed' })).toBe(0);
    for (const state of ['queued', 'sending', 'waiting_for_key', 'in_doubt']) {
      expect(value('requests', { state })).toBe(0);
      expect(value('requests_oldest_seconds', { state })).toBe(0);
    }
    const steps = ['begin', 'read', 'write', 'commit'];
    for (const step of isPostgres(config.database) ? ['connect', ...steps] : steps) {
      expect(value('database_seconds_count', { step })).toBeGreaterThan(0);
      expect(value('database_errors_total', { step })).toBe(0);
    }
  });

  it('that a request is in doubt, and since when', async () => {
    const { world, clock, service, app, me } = await withClock();
    service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
    await askedAbout(world, me);
    clock.now += HOUR_MS;
    const { value } = await scrape(app);
    expect(value('requests', { state: 'in_doubt' })).toBe(1);
    expect(value('requests_oldest_seconds', { state: 'in_doubt' })).toBe(3_600);
    expect(value('service_answers_total', { method: 'POST', outcome: 'network' })).toBe(1);
  });

  it('that the service asked to wait, that a request therefore waits, and since when', async () => {
    const { world, clock, service, slack, app, me } = await withClock();
    service.faults.add({ operation: 'createCard', kind: 'rate-limited', retryAfter: 600 });
    await sendRequest(world, me);
    await slack.until(() => me.sees().includes('Your request is saved'), 'the notice');
    clock.now += 60_000;
    const { value } = await scrape(app);
    expect(value('service_calls_total', { class: 'person', outcome: 'refused' })).toBe(1);
    expect(value('service_answers_total', { method: 'POST', outcome: '429' })).toBe(1);
    expect(value('requests', { state: 'queued' })).toBe(1);
    expect(value('requests_oldest_seconds', { state: 'queued' })).toBe(60);
    expect(value('job_attempts_total', { kind: 'deliver-request', outcome: 'postponed' })).toBe(1);
  });

  it('that the service refused the key, and that requests wait for another', async ({ world }) => {
    const { service, app, me } = world;
    service.faults.add({ operation: 'createCard', kind: 'unauthorized' });
    await askedAbout(world, me);
    const { value } = await scrape(app);
    expect(value('service_answers_total', { method: 'POST', outcome: '401' })).toBe(1);
    expect(value('requests', { state: 'waiting_for_key' })).toBe(1);
  });

  it('which jobs are behind, of which kind, and how far', async () => {
    const { world, clock } = await withClock();
    // As another process does, of which this one hears when it next reads the table.
    const { jobTable } = createStores(databaseOf(world), world.config.encryptionKeys);
    const runAt = new Date(clock.now + 60_000);
    await jobTable.add({ kind: 'deliver-request', workspaceId: T1, payload: {}, runAt }, runAt);
    clock.now += 90_000;
    const { value } = await scrape(world.app);
    expect(value('jobs_due', { kind: 'deliver-request' })).toBe(1);
    expect(value('jobs_oldest_due_seconds', { kind: 'deliver-request' })).toBe(30);
  });

  it('which errors Slack answered to which method, in few words', async ({ world }) => {
    const { slack, general, app, me } = world;
    const post = async (error: string) => {
      slack.faults.add({ kind: 'error', method: 'chat.unfurl', error, times: 1 });
      await me.post(general, world.cardUrl('card-1001'));
      await slack.idle();
    };
    await post('cannot_unfurl_url');
    await post('{"not":"a code"}');
    slack.faults.add({ kind: 'http', method: 'chat.unfurl', status: 503, times: 1 });
    slack.faults.add({ kind: 'drop', method: 'chat.unfurl', times: 1 });
    slack.faults.add({ kind: 'rate_limited', method: 'chat.unfurl', retryAfter: 1, times: 1 });
    await me.post(general, world.cardUrl('card-1001'));
    const errors = async (code: string) =>
      (await scrape(app)).value('slack_errors_total', { method: 'chat.unfurl', code });
    for (const code of ['cannot_unfurl_url', 'http_503', 'ratelimited']) {
      await expect.poll(() => errors(code), { message: code }).toBe(1);
    }
    // What isn't a code doesn't come from Slack. A connection that is cut is tried again, which is the same call.
    await expect.poll(() => errors('network')).toBeGreaterThanOrEqual(1);
    const { value } = await scrape(app);
    expect(value('slack_call_seconds_count', { method: 'chat.unfurl' })).toBeGreaterThanOrEqual(4);
  });

  it('for how long Slack was silent', async () => {
    const { world, clock } = await withClock();
    const silence = async () => (await scrape(world.app)).value('slack_silent_seconds');
    clock.now += HOUR_MS;
    expect(await silence()).toBe(3_600);
    await world.acme.as(world.ann).command(world.general, 'help');
    expect(await silence()).toBe(0);
    clock.now += 5_000;
    expect(await silence()).toBe(5);
    expect((await scrape(world.app)).text).not.toContain('slack_connected{');
  });

  it('in Socket Mode, whether the socket is connected', async () => {
    const { world, slack } = await startWorld({ transport: 'socket' });
    const connected = async () =>
      (await scrape(world.app)).value('slack_connected', { transport: 'socket' });
    expect(await connected()).toBe(1);
    slack.faults.add({ kind: 'hang', method: 'apps.connections.open' });
    slack.sockets.dropAll();
    await expect.poll(connected).toBe(0);
    slack.faults.clear();
  });
});
