import { expect, it } from 'vitest';
import { createOperatorJobs } from '../../src/store/operator-jobs.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { openForTest } from '../store/sqlite-files.ts';
import { openSetting, type Setting, sendRequest, startApp } from './app.ts';
import { runCommand } from './entry.ts';

const OK = { code: 0, signal: null };
const TITLE = 'Spring banner';
/** Far longer than a test. */
const BUSY = { operation: 'createCard', kind: 'rate-limited', retryAfter: 600 } as const;

async function jobs({ env }: Setting, ...args: string[]) {
  const entry = runCommand('jobs', { args, env });
  const ending = await entry.ended;
  return { ...ending, out: entry.stdout(), err: entry.stderr() };
}

/** The app is running, and has a request that waits for the service. */
async function waitingRequest() {
  const setting = await openSetting();
  await startApp(setting);
  setting.stage.service.faults.add(BUSY);
  await sendRequest(setting);
  const posts = () => setting.stage.service.calls({ operation: 'createCard' }).length;
  await expect.poll(posts).toBe(1);
  const db = openForTest((setting.env.DATABASE_URL ?? '').replace('sqlite:', ''));
  const waiting = { states: ['ready'], kind: 'deliver-request', limit: 1 } as const;
  const delivery = async () => (await createOperatorJobs(db).list(waiting))[0];
  await expect.poll(delivery).toBeDefined();
  return { setting, posts, id: `${(await delivery())?.id}` };
}

it('npm run app -- jobs says what waits, whose, since when, and why, and drops a job only by telling its author', async () => {
  const { setting, id, posts } = await waitingRequest();
  const { acme, ann, slack } = setting.stage;
  const table = await jobs(setting);
  expect(table).toMatchObject(OK);
  expect(table.out).toMatch(
    new RegExp(`^ID .*\\n(.*\\n)*${id} +ready +deliver-request +${acme.id} `, 'm'),
  );
  const json = await jobs(setting, 'list', '--json', '--kind', 'deliver-request');
  expect(JSON.parse(json.out)).toMatchObject([{ id: Number(id) }]);
  const shown = await jobs(setting, 'show', id);
  expect(JSON.parse(shown.out)).toMatchObject({
    kind: 'deliver-request',
    state: 'ready',
    workspaceId: acme.id,
    request: { state: 'queued', reference: expect.stringMatching(/^DR-/), problem: 'busy' },
  });
  const requests = await jobs(setting, 'requests');
  expect(requests).toMatchObject(OK);
  expect(requests.out).toMatch(
    new RegExp(
      `^REQUEST .*\\nDR-\\w+ +queued +${acme.id} +${ann.id} +\\d+s +1 +busy +in \\d+m$`,
      'm',
    ),
  );

  const dropped = await jobs(setting, 'drop', id);
  expect(dropped).toMatchObject(OK);
  expect(dropped.out).toContain('The request comes back to its author');
  const line = dropped.err.split('\n').find((one) => one.includes('an operator dropped a job'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ job: Number(id), workspace: acme.id });
  // Any event makes the app look for jobs at once.
  acme.as(ann).openApp();
  const isTold = (message: Message) =>
    textOfMessage(message).includes('it keeps failing on our side');
  await slack.until(() => acme.directMessages(ann).some(isTold), 'the message to its author');
  expect(posts()).toBe(1);

  const again = await jobs(setting, 'drop', id);
  expect(again).toMatchObject({ code: 1 });
  expect(again.err).toContain('It has ended');
  const retried = await jobs(setting, 'retry', id);
  expect(retried.err).toContain('is rejected, and its author has been told');
  // By its reference, whatever became of it.
  const [reference = ''] = /DR-\w+/.exec(requests.out) ?? [];
  const one = await jobs(setting, 'requests', reference.toLowerCase(), '--json');
  const about = { reference, workspaceId: acme.id, userId: ann.id };
  expect(JSON.parse(one.out)).toMatchObject([{ ...about, state: 'rejected', problem: 'given_up' }]);

  for (const { out, err } of [table, json, shown, requests, dropped, one])
    expect(out + err).not.toContain(TITLE);
  expect((await jobs(setting, 'show', id, '--content')).out).toContain(TITLE);
});
