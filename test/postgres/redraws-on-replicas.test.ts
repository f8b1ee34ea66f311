import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/ops/logging.ts';
import { databaseOf } from '../journeys/database-rows.ts';
import { openForm, sendRequest } from '../journeys/form.ts';
import { slackCalls } from '../journeys/links.ts';
import { startWorld, type World } from '../journeys/world.ts';
import { drawnType, hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';

/** Another process on the same database. @returns what makes Slack deliver to it */
async function addReplica({ config, slack }: World): Promise<() => void> {
  const log = createLog({ level: 'debug', destination: { write: () => undefined } });
  const app = await startApp(config, { log, leaveRotationMs: 0 });
  onTestFinished(app.stop);
  return () => slack.connect(`${app.url}/slack/events`);
}

/** Someone with a new form that hides what it is filled with. */
async function startWithForm(): Promise<{ world: World; me: Person; other: () => void }> {
  const world = await startWorld();
  const { acme, ann, general, slack } = world;
  const me = acme.as(ann);
  await sendRequest(world, me);
  await slack.until(() => acme.messages(general)[0], 'the confirmation');
  await me.close({ all: true });
  await openForm(world, me, 'Sales deck');
  await me.fill({ Description: 'For the sales team.' });
  return { world, me, other: await addReplica(world) };
}

const shows = (me: Person, type: string) => () => drawnType(me) === type;

async function sendPresentation({ slack, service }: World, me: Person): Promise<void> {
  await me.fill({ Sizes: '16:9', Software: 'Keynote', 'File formats': ['KEY'] });
  if (hasField(me, 'Product')) await me.fill({ Product: 'Graphics' });
  await me.submit();
  await slack.until(() => me.sees().includes('Sent'), 'that it was sent');
  expect(service.cards.all().at(-1)).toMatchObject({
    title: 'Sales deck',
    requestTypeId: 'type-presentation',
    dimensions: '16:9',
    software: 'Keynote',
    fileFormats: 'KEY',
  });
}

it('a redraw that was stored first and is drawn last doesn’t replace that of another process', async () => {
  const { world, me, other } = await startWithForm();
  const { slack } = world;
  slack.faults.add({ method: 'views.update', times: 1, kind: 'stall', ms: 2_000 });
  const before = slackCalls(world, 'views.update').length;
  const redraws = () => slackCalls(world, 'views.update').slice(before);
  await me.fill({ 'Request type': 'Print' });
  await slack.until(() => redraws().length === 1, 'the first redraw');
  other();
  await me.fill({ 'Request type': 'Presentation' });
  await slack.until(shows(me, 'type-presentation'), 'the second redraw');
  await expect.poll(() => redraws().every(({ response }) => response)).toBe(true);
  await world.restart({ listsKept: true });
  expect(drawnType(me)).toBe('type-presentation');
  await sendPresentation(world, me);
});

it('a choice that another process learns of late changes nothing', async () => {
  const { world, me, other } = await startWithForm();
  const { slack } = world;
  await me.fill({ 'Request type': 'Print' });
  await slack.until(shows(me, 'type-print'), 'the first redraw');
  const late = slack.deliveries.findLast(({ kind }) => kind === 'block_actions')?.payload;
  await me.fill({ 'Request type': 'Presentation' });
  await slack.until(shows(me, 'type-presentation'), 'the second redraw');
  const shown = me.currentView()?.hash;
  other();
  // Delivered for the first time: Slack had no answer from the process that was to have it.
  const press = { ...z.looseObject({ trigger_id: z.string() }).parse(late), trigger_id: 'late.1' };
  const form = new URLSearchParams({ payload: JSON.stringify(press) });
  await slack.sendSigned(form.toString(), 'application/x-www-form-urlencoded');
  await world.restart({ listsKept: true });
  expect(me.currentView()?.hash).toBe(shown);
  await sendPresentation(world, me);
});

it('a form that is changed as soon as it is shown keeps what was set for it, however slow the database is', async () => {
  const world = await startWorld();
  const { acme, ann, general, slack } = world;
  const db = databaseOf(world);
  await sql`create function pause() returns trigger language plpgsql
    as $$ begin perform pg_sleep(0.5); return new; end $$`.execute(db);
  await sql`create trigger slow before insert on entries for each row
    when (new.kind = 'unfinished_form') execute function pause()`.execute(db);
  await sendRequest(world, acme.as(ann));
  await slack.until(() => acme.messages(general)[0], 'the confirmation');
});
