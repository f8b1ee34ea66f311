import { expect, it, onTestFinished } from 'vitest';
import { fillForm, openForm } from '../journeys/form.ts';
import { scrape } from '../journeys/metrics.ts';
import { outageLines } from '../journeys/outage-lines.ts';
import { startWorld } from '../journeys/world.ts';
import { freshDatabase } from './fresh-database.ts';
import { startPostgres } from './server.ts';

const LONG_MS = 15_000;

it('while Postgres is down nothing is acknowledged, and afterwards the same process continues', async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const { url } = await freshDatabase(server.url);
  const world = await startWorld({ env: { DATABASE_URL: url } });
  const { acme, ann, general, slack, service, app } = world;
  const me = acme.as(ann);
  await openForm(world, me);
  await fillForm(world, me);
  const readiness = async () => (await fetch(`${app.url}/readyz`)).status;

  await server.down();
  await me.command(general, '/design-request');
  expect(await readiness()).toBe(503);
  // The metrics still come, without what only the database knows.
  expect((await scrape(app)).text).not.toContain('design_request_requests{');
  const failed = (await scrape(app)).value('database_errors_total', { step: 'connect' });
  expect(failed).toBeGreaterThan(0);
  const refused = await me.submit();
  expect(refused.outcome).toBe('errors');
  expect(JSON.stringify(refused.errors)).toMatch(/couldn’t save your request.*Nothing is lost/);
  const [card] = service.cards.all();
  const message = await me.post(general, world.cardUrl(card?.id ?? ''));
  await slack.idle();
  const link = slack.deliveries.findLast(({ kind }) => kind === 'event');
  expect(link?.acknowledged).toBe(false);
  expect(service.calls({ operation: 'createCard' })).toEqual([]);

  await server.up();
  await expect.poll(readiness).toBe(200);
  expect((await me.submit()).outcome).toBe('updated');
  await slack.until(
    () => acme.messages(general).find(({ botId }) => botId),
    'the confirmation',
    LONG_MS,
  );
  // Slack retries the event.
  if (link) await slack.redeliver(link);
  await slack.until(() => message.attachments[0], 'the unfurl', LONG_MS);
  expect(service.calls({ operation: 'createCard' })).toHaveLength(1);

  // Jobs, the lease, and everyone's forms have failed meanwhile, with one line in all.
  await expect
    .poll(() => outageLines(world), { timeout: LONG_MS })
    .toEqual([
      expect.stringMatching(
        // The first to notice may meet the end of its connection, or Postgres while it is stopping.
        /^the database in DATABASE_URL can’t be used.*127\.0\.0\.1:\d+\/\w+ can't be used: \w/,
      ),
      'the database in DATABASE_URL can be used again',
    ]);
  const shown = world.logLines.filter((line) => line.includes('"ref":"E-'));
  expect(shown).not.toEqual([]);
  expect(world.logLines.filter((line) => line.includes('"stack"'))).toEqual([]);
  const { password } = new URL(url);
  expect(world.logLines.filter((line) => line.includes(password))).toEqual([]);
}, 60_000);
