import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type DesignService, startDesignService } from '../../stand-ins/design-service/server.ts';
import { type Slack, startSlack } from '../../stand-ins/slack/server.ts';
import type { Channel, User } from '../../stand-ins/slack/state/model.ts';
import type { Workspace } from '../../stand-ins/slack/workspace.ts';

/** Stand-ins for Slack, with people in it, and for the design service; both use the given clock. */
export type StandIns = {
  slack: Slack;
  service: DesignService;
  acme: Workspace;
  ada: User;
  ann: User;
  bob: User;
  general: Channel;
  /** Where people look at a card. */
  cardUrl(id: string): string;
};

export const CARD_URL = 'https://app.example.com/card/{id}';

const MANIFEST: unknown = parse(
  readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8'),
);

export async function startStandIns(clock: () => Date): Promise<StandIns> {
  // The world redelivers when the app is back; Slack's own retries would run on real timers.
  const slack = await startSlack({ manifest: MANIFEST, clock, retryDelaysMs: [] });
  const service = await startDesignService({ clock });
  const acme = slack.addWorkspace({ name: 'Acme' });
  const ada = acme.addUser({ name: 'Ada Admin', admin: true });
  const ann = acme.addUser({ name: 'Ann' });
  const bob = acme.addUser({ name: 'Bob' });
  const general = acme.addChannel({ name: 'general', members: [ada, ann, bob] });
  const cardUrl = (id: string) => CARD_URL.replace('{id}', id);
  return { slack, service, acme, ada, ann, bob, general, cardUrl };
}
