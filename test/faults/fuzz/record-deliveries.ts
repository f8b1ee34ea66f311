import { connectKey } from '../../isolation/connect-tenants.ts';
import { hasField } from '../../sandbox/complete-form.ts';
import { prepareForm, submit } from '../forms.ts';
import { decide } from '../in-doubt.ts';
import type { Setting } from '../setting.ts';
import type { Recorded } from './http-bodies.ts';

type People = Pick<
  Setting,
  'acme' | 'people' | 'admin' | 'general' | 'service' | 'slack' | 'cardUrl'
>;

/** People use everything the app offers once. @returns what Slack sent to the app */
export async function recordDeliveries(setting: People): Promise<Recorded> {
  await sendRequest(setting);
  await readCards(setting);
  await administer(setting);
  await runWorkflow(setting);
  await setting.slack.idle();
  const told = setting.slack.deliveries.map(({ kind, payload }) => ({ kind, payload }));
  const [first, ...others] = told;
  if (!first) throw new Error('Slack sent nothing to the app');
  return [first, ...others];
}

async function sendRequest(setting: People): Promise<void> {
  const { acme, people, service, slack } = setting;
  const [user = setting.admin] = people;
  const me = acme.as(user);
  const prepared = await prepareForm(setting, me, 'Spring banner');
  await me.suggest('Request type', 'so');
  await me.suggest('Brand', 'a');
  service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
  await submit(prepared);
  const question = await slack.until(() => acme.directMessages(user)[0], 'the question');
  await decide(setting, me, { message: question, decision: 'Found it', title: 'Spring banner' });
  await me.close({ all: true });
}

async function readCards({ acme, people, general, service, slack, cardUrl, admin }: People) {
  const me = acme.as(people[0] ?? admin);
  const id = service.cards.all()[0]?.id ?? '';
  const message = await me.post(general, cardUrl(id));
  await slack.until(() => message.attachments.length > 0, 'the card');
  await me.click({ message, text: 'Refresh' });
  await me.click({ message, text: 'Watch' });
  me.openDetails({ foundUrl: cardUrl(id) });
  await me.compose(general, cardUrl(id));
  await me.messageShortcut(message, 'Create design request');
  await me.globalShortcut('Request a design');
  me.openApp();
  await slack.until(() => me.home(), 'the Home tab');
  await me.click({ view: me.home(), actionId: 'home-refresh' });
  await me.close({ all: true });
  for (const typed of ['help', 'list', `status ${id}`, 'status', 'nonsense']) {
    await me.command(general, typed);
  }
}

async function administer({ acme, admin, general, service, slack }: People): Promise<void> {
  const me = acme.as(admin);
  await me.command(general, 'settings');
  await slack.until(() => hasField(me, 'Card links'), 'the settings');
  await me.submit();
  await me.close({ all: true });
  const key = service.apiKey;
  await connectKey(slack, { workspace: acme, channel: general, by: admin, key });
}

async function runWorkflow({ acme, admin }: People): Promise<void> {
  const step = 'create_design_request';
  await acme.stepOptions({ builder: admin, step, input: 'request_type' });
  acme.runStep(step, { requested_by: admin.id, title: 'From a workflow' });
}
