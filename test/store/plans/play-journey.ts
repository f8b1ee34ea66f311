import { expect } from 'vitest';
import { install } from '../../journeys/browser.ts';
import { connect } from '../../journeys/connecting.ts';
import { rowsOf } from '../../journeys/database-rows.ts';
import { sendRequest } from '../../journeys/form.ts';
import { startWorld } from '../../journeys/world.ts';

/** The app's life in a workspace from installation to uninstall, with a restart, on its own database. */
export async function playJourney(): Promise<void> {
  const world = await startWorld({ many: true });
  const { acme, admin, ann, slack, service, general } = world;
  const me = acme.as(ann);
  await install(world, acme, admin);
  await connect(world, acme.as(admin), service.issueKey());
  await sendRequest(world, me);
  await slack.until(() => acme.messages(general)[0], 'the confirmation');
  await me.post(general, world.cardUrl('card-1001'));
  await slack.until(() => acme.messages(general).at(-1)?.attachments[0], 'the card');
  for (const words of ['list', 'status card-1001', 'brands']) await me.command(general, words);
  await slack.idle();
  await world.restart({ listsKept: true });
  acme.uninstall();
  await slack.idle();
  await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
}
