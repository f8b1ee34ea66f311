import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkspaceId } from '../../../src/installations/workspace-id.ts';
import { NotInstalledError } from '../../../src/slack/workspaces/workspaces.ts';
import { T1 } from '../../installations/ids.ts';
import { advanceMonotonicClock, speedUpMonotonicClock } from '../../monotonic-clock.ts';
import { command, event } from './deliveries.ts';
import { FORM_TYPE, startIntake } from './intake-under-test.ts';

describe('an event', () => {
  it('is on disk before it is acknowledged, and acknowledged before it runs', async () => {
    const gate = Promise.withResolvers<void>();
    const ran = vi.fn(() => gate.promise);
    const { sendJson, stored, path } = await startIntake((bolt) =>
      bolt.event('app_home_opened', ran),
    );
    // Slack repeats the whole Home tab, which isn't stored.
    const opened = event('Ev1');
    const view = { type: 'home', blocks: [{ type: 'header', text: 'Secret rebrand' }] };
    const sent = { ...opened, event: { ...opened.event, view } };
    expect(await sendJson(sent)).toMatchObject({ status: 200, body: '' });
    // Read the file through another connection, as after a crash.
    const file = new DatabaseSync(path, { readOnly: true });
    const row = file.prepare('select identity, payload from jobs').get();
    file.close();
    expect(row?.identity).toBe('event/Ev1');
    expect(JSON.parse(String(row?.payload))).toEqual(opened);
    gate.resolve();
    await expect.poll(stored).toEqual(['slack-event done']);
    expect(ran).toHaveBeenCalledOnce();
  });

  it('is refused while many wait for a locked database at once, and runs once when repeated', async () => {
    const ran = vi.fn(async () => undefined);
    const { sendJson, stored, path, log } = await startIntake((bolt) =>
      bolt.event('app_home_opened', ran),
    );
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    speedUpMonotonicClock();
    // One after the other, they would take longer than an acknowledgment may.
    const ids = Array.from({ length: 40 }, (_, index) => `Ev${index}`);
    const answers = await Promise.all(ids.map((id) => sendJson(event(id))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
    expect(log.join('')).not.toContain('was not acknowledged');
    other.close();
    for (const id of ids) expect(await sendJson(event(id))).toMatchObject({ status: 200 });
    await expect.poll(stored).toEqual(ids.map(() => 'slack-event done'));
    expect(ran).toHaveBeenCalledTimes(ids.length);
  });
});

describe('an interaction', () => {
  it('that no handler acknowledges in time fails, which is logged once, and once when others are in time', async () => {
    const gate = Promise.withResolvers<void>();
    const ran = vi.fn(() => gate.promise);
    const { send, sendJson, log } = await startIntake((bolt) =>
      bolt.command('/design-request', ran),
    );
    const lines = () =>
      log.map((line) => JSON.parse(line).msg).filter((msg) => msg.includes('in time'));
    const late = ['a delivery was not acknowledged in time, so Slack may retry it'];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answers = ['t1', 't2', 't3'].map((id) => send(command(id), FORM_TYPE));
    await expect.poll(() => ran).toHaveBeenCalledTimes(answers.length);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await Promise.all(answers)).toMatchObject(answers.map(() => ({ status: 500 })));
    expect(lines()).toEqual(late);
    await sendJson(event('Ev1'));
    expect(lines()).toEqual(late);
    advanceMonotonicClock(60_000);
    await sendJson(event('Ev2'));
    expect(lines()).toEqual([...late, 'deliveries are acknowledged in time again']);
    gate.resolve();
  });

  it('that fails before it was acknowledged, or that nothing handles, is answered so, and logged without its text', async () => {
    const { send, log } = await startIntake((bolt) =>
      bolt.command('/design-request', () => Promise.reject(new Error('the cause'))),
    );
    const text = 'a confidential campaign';
    const failed = await send(command('t1', { text }), FORM_TYPE);
    expect(failed).toMatchObject({ status: 500, body: '{"error":"failed"}' });
    const unknown = await send(command('t2', { command: '/unknown', text }), FORM_TYPE);
    expect(unknown).toMatchObject({ status: 404 });
    expect(log.join('')).toContain('the cause');
    expect(log.join('')).not.toContain('confidential');
  });
});

describe('an event for a workspace without the app', () => {
  it('is acknowledged and not stored', async () => {
    const { sendJson, stored } = await startIntake(undefined, { admit: async () => undefined });
    expect((await sendJson(event('Ev1'))).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  it('that was stored before the uninstall deletes the workspace’s data, and isn’t retried', async () => {
    const deleteIfUninstalled = vi.fn(async (_workspaceId: WorkspaceId) => undefined);
    const { sendJson, stored } = await startIntake(
      (bolt) =>
        bolt.event('app_home_opened', async () => {
          throw new NotInstalledError(T1);
        }),
      { deleteIfUninstalled },
    );
    await sendJson(event('Ev1'));
    await expect.poll(stored).toEqual(['slack-event done']);
    expect(deleteIfUninstalled).toHaveBeenCalledExactlyOnceWith(T1);
  });
});
