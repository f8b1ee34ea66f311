import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { advanceMonotonicClock, speedUpMonotonicClock } from '../../monotonic-clock.ts';
import { command, event } from './deliveries.ts';
import { FORM_TYPE, startIntake } from './intake-under-test.ts';

describe('an event', () => {
  it('is on disk before it is acknowledged, and acknowledged before it runs', async () => {
    const gate = Promise.withResolvers<void>();
    const ran = vi.fn(() => gate.promise);
    const { sendJson, stored, folder } = await startIntake((bolt) =>
      bolt.event('app_home_opened', ran),
    );
    expect(await sendJson(event('Ev1'))).toMatchObject({ status: 200, body: '' });
    // Read the file through another connection, as after a crash.
    const file = new DatabaseSync(`${folder}/app.db`, { readOnly: true });
    const row = file.prepare('select identity, payload from jobs').get();
    file.close();
    expect(row?.identity).toBe('event/Ev1');
    expect(JSON.parse(String(row?.payload))).toEqual(event('Ev1'));
    gate.resolve();
    await expect.poll(stored).toEqual(['slack-event done']);
    expect(ran).toHaveBeenCalledOnce();
  });

  it('is stored without the Home tab that Slack repeats in it', async () => {
    const { sendJson, folder } = await startIntake((bolt) =>
      bolt.event('app_home_opened', async () => undefined),
    );
    const opened = event('Ev1');
    const view = { type: 'home', blocks: [{ type: 'header', text: 'Secret rebrand' }] };
    await sendJson({ ...opened, event: { ...opened.event, view } });
    const file = new DatabaseSync(`${folder}/app.db`, { readOnly: true });
    const row = file.prepare('select payload from jobs').get();
    file.close();
    expect(JSON.parse(String(row?.payload))).toEqual(opened);
  });

  it('is refused while many wait for a locked database at once, and runs once when repeated', async () => {
    const ran = vi.fn(async () => undefined);
    const { sendJson, stored, folder, log } = await startIntake((bolt) =>
      bolt.event('app_home_opened', ran),
    );
    const other = new DatabaseSync(`${folder}/app.db`);
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

  it('is not acknowledged if the database is gone', async () => {
    const { sendJson, db, log } = await startIntake();
    await db.destroy();
    expect(await sendJson(event('Ev1'))).toMatchObject({
      status: 500,
      body: '{"error":"failed"}',
    });
    expect(log.join('')).toContain('a delivery failed before it was handled');
  });

  it('that fails is retried, not lost', async () => {
    const ran = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('Slack is down'));
    const { sendJson, stored, log } = await startIntake((bolt) =>
      bolt.event('app_home_opened', ran),
    );
    expect(await sendJson(event('Ev1'))).toMatchObject({ status: 200 });
    await expect.poll(stored).toEqual(['slack-event ready']);
    expect(log.join('')).toContain('job failed');
  });

  it('that nothing handles is done', async () => {
    const { sendJson, stored } = await startIntake();
    expect(await sendJson(event('Ev1'))).toMatchObject({ status: 200 });
    await expect.poll(stored).toEqual(['slack-event done']);
  });
});

describe('an interaction', () => {
  it('that no handler acknowledges is answered with a failure', async () => {
    const gate = Promise.withResolvers<void>();
    const ran = vi.fn(() => gate.promise);
    const { send, log } = await startIntake((bolt) => bolt.command('/design-request', ran));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = send(command('t1'), FORM_TYPE);
    await expect.poll(() => ran).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await answer).toMatchObject({ status: 500 });
    expect(log.join('')).toContain('was not acknowledged');
    gate.resolve();
  });

  it('that isn’t acknowledged in time is logged once, and once when others are again', async () => {
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
    await Promise.all(answers);
    expect(lines()).toEqual(late);
    await sendJson(event('Ev1'));
    expect(lines()).toEqual(late);
    advanceMonotonicClock(60_000);
    await sendJson(event('Ev2'));
    expect(lines()).toEqual([...late, 'deliveries are acknowledged in time again']);
    gate.resolve();
  });

  it('is answered when it is acknowledged, while its work continues', async () => {
    const gate = Promise.withResolvers<void>();
    const { send, intake } = await startIntake((bolt) =>
      bolt.command('/design-request', async ({ ack }) => {
        await ack();
        await gate.promise;
      }),
    );
    expect(await send(command('t1'), FORM_TYPE)).toMatchObject({ status: 200 });
    const idle = vi.fn();
    const settled = intake.idle().then(idle);
    await send(command('t2', { command: '/unknown' }), FORM_TYPE);
    expect(idle).not.toHaveBeenCalled();
    gate.resolve();
    await settled;
  });

  it('that fails after it was acknowledged is logged, and was answered', async () => {
    const { send, intake, log } = await startIntake((bolt) =>
      bolt.command('/design-request', async ({ ack }) => {
        await ack();
        throw new Error('too late to say');
      }),
    );
    expect(await send(command('t1'), FORM_TYPE)).toMatchObject({ status: 200 });
    await intake.idle();
    expect(log.join('')).toContain('too late to say');
  });

  it('that fails before it was acknowledged is answered with a failure', async () => {
    const { send, log } = await startIntake((bolt) =>
      bolt.command('/design-request', () => Promise.reject(new Error('the cause'))),
    );
    expect(await send(command('t1'), FORM_TYPE)).toMatchObject({
      status: 500,
      body: '{"error":"failed"}',
    });
    expect(log.join('')).toContain('the cause');
  });

  it('that no handler matches is answered with 404', async () => {
    const { send } = await startIntake();
    expect(await send(command('t1'), FORM_TYPE)).toMatchObject({ status: 404 });
  });

  it('is never logged with what a person typed', async () => {
    const { send, log } = await startIntake((bolt) =>
      bolt.command('/design-request', () => Promise.reject(new Error('the cause'))),
    );
    await send(command('t1', { text: 'a confidential campaign' }), FORM_TYPE);
    await send(command('t2', { command: '/unknown', text: 'a confidential campaign' }), FORM_TYPE);
    expect(log.length).toBeGreaterThan(0);
    expect(log.join('')).not.toContain('confidential');
  });
});
