import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/ops/logging.ts';
import { created, openFilledForm } from './form.ts';
import { it, startWorld, type World } from './world.ts';

/** Locks the database for writers, as a backup tool may. @returns a function that unlocks it */
function lock(world: World): () => void {
  const other = new DatabaseSync(join(world.folder, 'app.db'));
  other.exec('BEGIN EXCLUSIVE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

describe('a database locked by another process', () => {
  it('is waited for within Slack’s deadline, without delaying what needs no write', async () => {
    const { world, acme, general, slack, me } = await startWorld();
    await openFilledForm(world, me);
    const unlock = lock(world);
    const submitting = me.submit();
    expect((await fetch(`${world.app.url}/healthz`)).status).toBe(200);
    await setTimeout(300);
    unlock();
    expect(await submitting).toMatchObject({ outcome: 'updated' });
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
  });

  it('leaves the form open with everything typed if it is locked for too long', async () => {
    const { world, service, me } = await startWorld();
    await openFilledForm(world, me);
    const unlock = lock(world);
    const { outcome, errors } = await me.submit();
    unlock();
    expect(outcome).toBe('errors');
    expect(errors.Title).toMatch(/couldn’t save your request/);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    await me.submit();
    await created(world);
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('leaves an event unacknowledged, so that Slack retries it', async () => {
    const { world, acme, service, slack } = await startWorld({ retryDelaysMs: [0, 500, 1_000] });
    const [card] = service.cards.all();
    const unlock = lock(world);
    const message = await acme.as(world.ann).post(world.general, world.cardUrl(card?.id ?? ''));
    const event = await slack.until(
      () => slack.deliveries.find(({ kind }) => kind === 'event'),
      'the event',
    );
    await slack.until(() => event.attempts[0]?.status === 500, 'a refusal');
    unlock();
    await slack.until(() => message.attachments[0], 'the unfurl');
  });
});

it('a second process on the same database says at once that it waits, and waits for the end of the first', async () => {
  const { world, config } = await startWorld();
  let isUp = false;
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const starting = startApp(config, { log });
  starting.then(
    () => (isUp = true),
    () => undefined,
  );
  await setTimeout(500);
  expect(isUp).toBe(false);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: expect.stringContaining('is using the database') },
  ]);
  await world.app.stop();
  // The first has stopped, so the second one starts.
  world.app = await starting;
  expect((await fetch(`${world.app.url}/healthz`)).status).toBe(200);
});
