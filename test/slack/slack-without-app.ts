import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { slackClientOptions } from '../../src/slack/client/slack-client.ts';
import { startSlack } from '../stand-ins/slack/server.ts';
import { manifest } from '../stand-ins/slack/tests/manifest.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';

/** The stand-in Slack without the app: a workspace that installed it, and clients as the app makes them. */
export async function startSlackWithoutApp() {
  const slack = await startSlack({ manifest: manifest() });
  onTestFinished(() => slack.close());
  const log = createLog({ level: 'fatal', destination: { write: () => undefined } });
  const options = slackClientOptions({ apiUrl: slack.apiUrl, log });
  const clientOf = ({ botToken }: Workspace) => new WebClient(botToken, options);
  const workspace = slack.addWorkspace({ name: 'Acme' });
  return { slack, workspace, client: clientOf(workspace), clientOf, log };
}
