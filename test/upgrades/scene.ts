import type { WorkspaceId } from '../../src/installations/workspace-id.ts';
import { organizationIdOf, workspaceIdOf } from '../../src/installations/workspace-id.ts';
import type { Stores } from '../../src/store/stores.ts';
import { seesCompleteForm } from '../sandbox/complete-form.ts';
import type { Stage } from '../sandbox/stage.ts';
import { createScene } from '../sandbox/walk/scene.ts';
import { walk } from '../sandbox/walk/walk.ts';
import { kindsOf } from '../store/kinds-of.ts';
import { once } from '../store/stores-under-test.ts';

/** Longer than the scene takes, in seconds: the service refuses the second request until then. */
const RETRY_AFTER_SECONDS = 60;

export const WAITING_TITLE = 'Summer banner';
export const UNFINISHED_TITLE = 'Autumn poster';

/** A card, its link, a request that waits for the service, one that is not finished, and changed settings. */
export async function playScene(stage: Stage): Promise<void> {
  const { slack, service, acme, ann, ada, general } = stage;
  await walk(createScene(stage));

  const admin = acme.as(ada);
  await admin.command(general, 'settings');
  await slack.until(() => admin.sees().includes('Guests and other companies'), 'the settings');
  await admin.fill({
    'Card links': 'Small preview',
    'Guests and other companies': ['Let guests make requests and see cards'],
  });
  await admin.submit();
  await slack.until(() => admin.sees().includes('Settings saved'), 'the saved settings');
  await admin.close({ all: true });

  service.faults.add({
    kind: 'rate-limited',
    operation: 'createCard',
    retryAfter: RETRY_AFTER_SECONDS,
  });
  const me = acme.as(ann);
  await me.command(general, WAITING_TITLE);
  await slack.until(() => seesCompleteForm(me), 'the form');
  await me.fill({ Description: 'A banner for the summer sale.' });
  const { outcome, errors } = await me.submit();
  if (outcome !== 'updated') throw new Error(`Sending ended as ${outcome}: ${errors}`);
  await slack.until(() => !me.sees().includes('Sending'), 'that the request waits');
  await me.close({ all: true });

  await me.command(general, UNFINISHED_TITLE);
  await slack.until(() => seesCompleteForm(me), 'the form');
  await me.fill({ Description: 'In orange.' });
  await me.close({ all: true });
  await slack.idle();
}

export const OTHER_WORKSPACE: WorkspaceId = workspaceIdOf('T9');
export const OTHER_TOKEN = 'xoxb-of-another-workspace';

/** Writes to the tables that one process with one workspace doesn't use. */
export async function fillOtherTables(stores: Stores, now: Date): Promise<void> {
  const workspaceId = OTHER_WORKSPACE;
  await stores.installations.save(
    {
      id: workspaceId,
      token: OTHER_TOKEN,
      refreshToken: undefined,
      expiresAt: undefined,
      botUserId: 'U9',
      scopes: ['commands'],
      installedBy: 'U8',
    },
    now,
  );
  await stores.organizations.add(organizationIdOf('E9'), [workspaceId], now);
  const settings = await kindsOf(stores).settings.get(workspaceId, 'C9');
  await kindsOf(stores).settings.save(workspaceId, { ...settings, unfurls: 'large' }, now);
  await kindsOf(stores).channelSettings.save(workspaceId, 'C9', { unfurls: 'off' }, now);
  await stores.entries.takeOnce(once(workspaceId, 'U9'), now);
}
