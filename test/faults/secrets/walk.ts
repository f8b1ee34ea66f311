import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { showAllFields } from '../../journeys/form.ts';
import { hasField } from '../../sandbox/complete-form.ts';
import type { FaultKind } from '../../stand-ins/slack/faults.ts';
import type { FieldValue } from '../../stand-ins/slack/people/field-values.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import { closeForms, prepareForm } from '../forms.ts';
import { eventually } from '../outcomes.ts';
import type { Chance } from '../random.ts';
import type { Setting } from '../setting.ts';
import type { Echo, EchoingService } from './echoing-service.ts';

/** What one walk needs; the keys become known on the way. */
export type Walk = {
  setting: Setting;
  echoing: EchoingService;
  chance: Chance;
  /** Every key that was ever submitted. */
  keys: Set<string>;
  /** What people type, with marks that appear nowhere else. */
  typed: Record<'Title' | 'Description' | 'Sizes' | 'Wording' | 'command' | 'message', string>;
};

const STATUSES = [403, 404, 408, 422, 429, 500, 503] as const;
const FORMS = ['message', 'details', 'html', 'text', 'headers'] as const;
const SLACK_FAULTS: readonly [FaultKind, ...FaultKind[]] = [
  { kind: 'error', error: 'invalid_arguments' },
  { kind: 'error', error: 'token_revoked' },
  { kind: 'http', status: 500 },
  { kind: 'rate_limited', retryAfter: 1 },
  { kind: 'drop' },
  { kind: 'lost_answer' },
];
const SLACK_METHODS = [
  'views.open',
  'views.update',
  'chat.postMessage',
  'chat.unfurl',
  'users.info',
  'response_url',
] as const;
const PATIENCE_MS = 3_000;
const LOCKED_MS = 2_300;

/** The service fails with answers that repeat the key, some of which are shown to people. */
export async function meetEchoes(walk: Walk): Promise<void> {
  const { chance } = walk;
  await meetEcho(walk, { status: 400, form: 'message' });
  await meetEcho(walk, { status: 400, form: 'details' });
  await meetEcho(walk, { status: 401, form: chance.pick(FORMS) });
  await meetEcho(walk, { status: chance.pick(STATUSES), form: chance.pick(FORMS) });
}

/**
 * The service answers normally, with the key in every text.
 *
 * @returns how many such answers there were
 */
export async function meetEchoedTexts(walk: Walk): Promise<number> {
  const { faults } = walk.setting.service;
  const end = faults.add({ kind: 'echoed-key' });
  await post(walk);
  await lookAtForm(walk);
  const struck = faults.list().reduce((sum, { struck: times }) => sum + times, 0);
  end();
  return struck;
}

async function meetEcho(walk: Walk, echo: Echo): Promise<void> {
  const { echoing } = walk;
  echoing.echo({ method: 'POST', path: /\/card$/ }, echo);
  await sendRequest(walk);
  echoing.echo({ method: 'GET', path: /\/card\// }, echo);
  await post(walk);
  echoing.echo({ method: 'GET', path: /\/card-types$/ }, echo);
  await submitKey(walk, walk.setting.service.issueKey());
  await submitKey(walk, walk.setting.service.issueKey());
}

/** Fills in the form with the marked texts, and sends it. */
export async function sendRequest({ setting, typed }: Walk): Promise<void> {
  const [user = setting.admin] = setting.people;
  const me = setting.acme.as(user);
  try {
    await closeForms(me);
    const { command: _command, message: _message, Title, ...rest } = typed;
    await prepareForm(setting, me, Title);
    await showAllFields(setting, me);
    await me.fill(rest satisfies Record<string, FieldValue>);
    await me.submit();
    await eventually(() => !me.sees().includes('Sending'), PATIENCE_MS);
  } catch {
    // Anything may fail on this walk; only what is written about it counts.
  }
}

/** Posts the link of a card that nobody has read yet, next to private text. */
export async function post({ setting, typed }: Walk): Promise<void> {
  const { acme, general, people, admin, service, cardUrl, slack } = setting;
  const { id } = service.cards.add({ title: typed.message });
  const me = acme.as(people[1] ?? admin);
  await me.post(general, `${typed.message} ${cardUrl(id)}`);
  await slack.idle();
  await me.command(general, `status ${id} ${typed.command}`).catch(() => undefined);
  await me.command(general, typed.command).catch(() => undefined);
  await closeForms(me);
}

/** An admin pastes a key, whatever the result. */
async function submitKey({ setting, keys }: Walk, key: string): Promise<void> {
  keys.add(key);
  const me = setting.acme.as(setting.admin);
  try {
    await closeForms(me);
    await me.command(setting.general, 'connect');
    await setting.slack.until(() => hasField(me, 'API key'), 'the field for the key', PATIENCE_MS);
    await me.fill({ 'API key': key });
    await me.submit();
    await eventually(() => isJudged(me), PATIENCE_MS);
  } catch {
    // As above.
  }
}

const isJudged = (me: Person) => /Connected|:warning:|accept|busy|reached/.test(me.sees());

/** Slack fails in two of the methods that the app calls. */
export async function meetSlackFaults(walk: Walk): Promise<void> {
  const { slack } = walk.setting;
  for (const method of [walk.chance.pick(SLACK_METHODS), walk.chance.pick(SLACK_METHODS)]) {
    const end = slack.faults.add({ ...walk.chance.pick(SLACK_FAULTS), method, times: 2 });
    await Promise.all([
      method.startsWith('views.') ? lookAtForm(walk) : sendRequest(walk),
      post(walk),
    ]);
    end();
  }
}

/** Opens the form and chooses a type in it, as far as that works. */
async function lookAtForm({ setting }: Walk): Promise<void> {
  const me = setting.acme.as(setting.people[0] ?? setting.admin);
  try {
    await closeForms(me);
    await me.command(setting.general);
    await eventually(() => hasField(me, 'Request type'), PATIENCE_MS);
    await me.fill({ 'Request type': 'Social media' });
  } catch {
    // As above.
  }
}

/** The database is locked while people send requests and post links. */
export async function meetLock(walk: Walk): Promise<void> {
  const other = new DatabaseSync(walk.setting.databasePath, { timeout: 1_000 });
  other.exec('BEGIN EXCLUSIVE');
  const work = Promise.all([
    sendRequest(walk),
    post(walk),
    submitKey(walk, walk.setting.service.apiKey),
  ]);
  await sleep(LOCKED_MS);
  other.close();
  await work;
}

/** The key is replaced at the service and the old one rejected; then a mistyped one is pasted. */
export async function replaceKey(walk: Walk): Promise<void> {
  const { service } = walk.setting;
  const first = service.issueKey();
  await submitKey(walk, first);
  const second = service.regenerateKey(first);
  await sendRequest(walk);
  await submitKey(walk, `${second.slice(0, -2)}??`);
  await submitKey(walk, `${second} with more behind it`);
  await submitKey(walk, second);
}

/** Requests with secrets where they don't belong. */
export async function sendStrayRequests(
  { setting: { slack, env } }: Walk,
  url: string,
  secrets: readonly string[],
): Promise<string[]> {
  const all = secrets.join(' ');
  const headers = { authorization: `Bearer ${all}`, 'x-slack-signature': `v0=${all}` };
  const query = `?token=${encodeURIComponent(all)}`;
  const body = JSON.stringify({ token: all, type: all, challenge: 1 });
  const requests = [
    ...['/healthz', '/readyz', '/metrics', '/slack/events', `/${encodeURIComponent(all)}`].map(
      (path) => fetch(`${url}${path}${query}`, { headers }),
    ),
    fetch(`${url}/slack/events${query}`, { method: 'POST', headers, body }),
  ];
  const answers = await Promise.all(requests.map(async (answer) => (await answer).text()));
  // Over a socket, the app has no URL for signed requests.
  if (!env.SLACK_SIGNING_SECRET) return answers;
  const signed = [body, `${body}{`, `payload=${body}`, `token=${query}`].map((one) =>
    slack.sendSigned(one, 'application/json'),
  );
  return [...answers, ...(await Promise.all(signed)).map((answer) => answer.body)];
}
