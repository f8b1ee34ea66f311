import type { Slack } from '../stand-ins/slack/server.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';

const TO_SLACK = /href="([^"]+)">Add to Slack</;

/**
 * An admin installs the app as in a browser: Add to Slack on the app's page, Allow in Slack, and back. The app is
 * reached where it listens, whatever its public URL.
 */
export async function installApp(
  slack: Slack,
  options: { appUrl: string; workspace: Workspace; admin: User },
): Promise<void> {
  const { appUrl, workspace, admin } = options;
  const page = await fetch(`${appUrl}/slack/install`);
  const link = TO_SLACK.exec(await page.text())?.[1]?.replaceAll('&amp;', '&');
  if (!link) throw new Error(`The install page could not be read (${page.status}).`);
  const { pathname, search } = new URL(slack.authorize(workspace, admin, link));
  // The state in the link is valid only in this browser.
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const end = await fetch(appUrl + pathname + search, { headers: { cookie }, redirect: 'manual' });
  await end.body?.cancel();
  if (!end.ok) throw new Error(`${workspace.name} could not install the app (${end.status}).`);
}
