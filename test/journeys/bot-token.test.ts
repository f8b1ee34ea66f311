import { describe, expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { rowsOf } from './database-rows.ts';
import { requested } from './form.ts';
import { answerTo, eventsHandled, postShown, shown, slackCalls } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const lastEvent = ({ slack }: World) => {
  const delivery = slack.deliveries.filter(({ kind }) => kind === 'event').at(-1);
  if (!delivery) throw new Error('no event was delivered');
  return delivery;
};

/** The app starts again with another bot token. */
async function restartWith(world: World, botToken: string): Promise<void> {
  world.config.slack.access = { kind: 'token', botToken };
  await world.restart();
}

describe('SLACK_BOT_TOKEN', () => {
  it('takes effect at the next start when it has changed, and everything is kept', async () => {
    const { world, acme, me, cardUrl } = await startWorld();
    await requested(world, me);
    acme.uninstall([]);
    await restartWith(world, acme.install());
    await postShown(world, me, cardUrl('card-1001'));
    expect(slackCalls(world, 'chat.unfurl').at(-1)?.workspaceId).toBe(acme.id);
    const listed = await answerTo(world, me, 'list');
    expect(textOfMessage(listed)).toContain('DR-');
  });

  it('of another workspace shows it nothing of the previous one, which is kept but not served', async () => {
    const { world, acme, general, slack, me, cardUrl } = await startWorld();
    await requested(world, me, { Title: 'Acme’s secret' });
    const rows = await rowsOf(world, acme.id, ['requests', 'api_keys']);
    const other = slack.addWorkspace({ name: 'Other' });
    const olga = other.addUser({ name: 'Olga', admin: true });
    const lobby = other.addChannel({ name: 'lobby', members: [olga] });
    await restartWith(world, other.botToken);
    const calls = slack.apiCalls.length;

    await other.as(olga).command(lobby, 'list');
    const listed = await slack.until(() => other.ephemerals(olga)[0], 'the list');
    expect(textOfMessage(listed)).not.toContain('secret');
    const refused = await answerTo(world, me, 'list');
    expect(textOfMessage(refused)).toContain('This app belongs to the other company');
    const theirs = await other.as(olga).post(lobby, cardUrl('card-1001'));
    const ours = await me.post(general, cardUrl('card-1001'));
    await eventsHandled(world);
    // The key that came with the settings is the other workspace's now, too, as the operator wanted.
    await shown(world, theirs);
    expect(ours.attachments).toEqual([]);
    // The app that was stopped is part of this process, and may draw an outcome again.
    const ofAcme = slack.apiCalls
      .slice(calls)
      .filter(({ workspaceId, method }) => workspaceId === acme.id && method !== 'views.update');
    expect(ofAcme.map(({ method }) => method)).toEqual(['response_url']);
    expect(await rowsOf(world, acme.id, ['requests', 'api_keys'])).toBe(rows);
  });

  it('serves its workspace at later starts, also before Slack has said whose it is', async () => {
    const { world, slack, app, me } = await startWorld();
    const repair = slack.faults.add({ kind: 'http', status: 503, method: 'auth.test' });
    // Slack knows this address.
    world.config.server.port = Number(new URL(app.url).port);
    const started = world.restart();
    await slack.until(() => slackCalls(world, 'auth.test').at(-1)?.response === undefined, 'a try');
    const listed = await answerTo(world, me, 'list');
    expect(textOfMessage(listed)).toContain('You haven’t made any requests');
    repair();
    await started;
  });

  it('loses no event that arrives at the first start, before Slack has said whose it is', async () => {
    const { world, acme, general, slack, app, me } = await startWorld({ retryDelaysMs: [0] });
    acme.uninstall();
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
    const repair = slack.faults.add({ kind: 'http', status: 503, method: 'auth.test' });
    // Slack knows this address.
    world.config.server.port = Number(new URL(app.url).port);
    const started = restartWith(world, acme.install());
    await slack.until(() => slackCalls(world, 'auth.test').at(-1)?.response === undefined, 'a try');
    const message = await me.post(general, world.cardUrl('card-1001'));
    await slack.idle();
    expect(lastEvent(world).acknowledged).toBe(false);
    repair();
    await started;
    await slack.redeliver(lastEvent(world));
    await eventsHandled(world);
    expect(lastEvent(world).acknowledged).toBe(true);
    expect(world.logLines.join('')).not.toContain('ignored an event');
    // The key went with the uninstall, and came with the settings again.
    await shown(world, message);
  });
});
