import { describe, expect, it, onTestFinished } from 'vitest';
import type { DashboardSnapshot } from '../../pages/protocol/dashboard.ts';
import type { LogSnapshot } from '../../pages/protocol/log.ts';
import type { WorkspaceSnapshot } from '../../pages/protocol/workspace.ts';
import { act, ask, type Served, servePages } from './served.ts';

type Told<State> = { revision: number; frame: unknown; state: State | null };

/** The messages of a page's stream, in order. */
async function* messagesOf<State>(response: Response): AsyncGenerator<Told<State>> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const message of whole) {
      if (message.startsWith('data: ')) yield JSON.parse(message.slice('data: '.length));
    }
  }
}

/** What a page gets, one state after the other, until it has the expected one. */
async function follow<State>({ pages }: Pick<Served, 'pages'>, path: string) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const response = await fetch(`${pages.url}/live/${path}`, { signal: ending.signal });
  const messages = messagesOf<State>(response);
  let state: State | null = null;
  return {
    async until(isSeen: (told: Told<State>, state: State | null) => boolean): Promise<State> {
      for (;;) {
        const { value: told } = await messages.next();
        if (!told) throw new Error('The stream ended.');
        state = told.state ?? state;
        if (isSeen(told, state) && state) return state;
      }
    },
  };
}

describe('a live page', () => {
  it('gets the state at once, and the effect of an action under the number that the action returned', async () => {
    const served = await servePages();
    const { ann, general } = served;
    const page = await follow<WorkspaceSnapshot>(served, `workspace?as=${ann.id}`);
    const before = await page.until(() => true);
    expect(before.me).toBe(ann.id);
    expect(before.messages[general.id]).toEqual([]);
    const posting = { do: 'post', channelId: general.id, text: 'Hello' };
    const { json } = await act(served, 'workspace', { as: ann.id, act: posting });
    const after = await page.until(({ revision }) => revision >= Number(json.revision));
    expect(after.messages[general.id]).toMatchObject([{ userId: ann.id, text: 'Hello' }]);
  });

  it('shows only what that person sees', async () => {
    const served = await servePages();
    const { acme, slack, ann } = served;
    const gil = [...slack.state.users.values()].find(({ realName }) => realName === 'Gil');
    const hank = [...slack.state.users.values()].find(({ realName }) => realName === 'Hank');
    const secret = acme.addChannel({ name: 'secret', kind: 'private', members: [ann] });
    await acme.as(ann).post(secret, 'Only for us');
    const seenBy = async (id: string | undefined) => {
      const page = await follow<WorkspaceSnapshot>(served, `workspace?as=${id}`);
      const { conversations, messages } = await page.until(() => true);
      return { names: conversations.map(({ name }) => name), messages };
    };
    expect((await seenBy(ann.id)).names).toContain('secret');
    expect((await seenBy(gil?.id)).names).toEqual(['general', 'Design Request']);
    const outside = await seenBy(hank?.id);
    expect(outside.names).toEqual(['globex-general', 'acme-globex', 'Design Request']);
    expect(JSON.stringify(outside.messages)).not.toContain('Only for us');
  });

  it('explains what can’t be done', async () => {
    const served = await servePages();
    const { ann, general } = served;
    const design = { do: 'command', channelId: general.id, command: '/nothing', text: '' };
    const { status, json } = await act(served, 'workspace', { as: ann.id, act: design });
    expect(status).toBe(200);
    expect(json).toMatchObject({ problem: '/nothing is not a valid command' });
    const closed = { do: 'submit', viewId: 'V1' };
    const gone = await act(served, 'workspace', { as: ann.id, act: closed });
    expect(gone.json).toMatchObject({ problem: 'This window has been closed.' });
    expect((await act(served, 'workspace', { as: 'U404', act: closed })).status).toBe(404);
  });

  it('shows Slackbot’s message if the app can’t be reached', async () => {
    const served = await servePages();
    const { ann, general } = served;
    const typing = { do: 'command', channelId: general.id, command: '/design-request', text: '' };
    const { json } = await act(served, 'workspace', { as: ann.id, act: typing });
    expect(json.result).toMatchObject({
      commandError: 'dispatch_failed',
      told: { acknowledged: false, error: 'not_connected' },
    });
  });
});

describe('the dashboard', () => {
  it('shows how many calls a key has left, and who made each call', async () => {
    const served = await servePages();
    const { service } = served;
    const page = await follow<DashboardSnapshot>(served, 'dashboard');
    await page.until(() => true);
    await fetch(`${service.url}/brands`, { headers: { 'x-api-key': service.apiKey } });
    const { keys, calls } = await page.until((_told, state) => state?.calls[0]?.isOver === true);
    expect(keys[0]).toMatchObject({ owner: 'Acme', budget: { limit: 60, remaining: 59 } });
    expect(calls[0]).toMatchObject({ call: 'GET /brands', status: 200, owner: 'Acme', cause: '' });
  });

  it('revokes and renews a key, and still knows the old one’s owner', async () => {
    const served = await servePages();
    const { service } = served;
    const page = await follow<DashboardSnapshot>(served, 'dashboard');
    const call = () => fetch(`${service.url}/tags`, { headers: { 'x-api-key': service.apiKey } });
    await act(served, 'dashboard', { do: 'revoke-key', owner: 'Acme' });
    expect((await call()).status).toBe(401);
    const revoked = await page.until((_told, state) => state?.calls[0]?.isOver === true);
    expect(revoked.keys[0]?.key).toBeUndefined();
    expect(revoked.calls[0]).toMatchObject({ status: 401, owner: 'Acme' });
    await act(served, 'dashboard', { do: 'new-key', owner: 'Acme' });
    const { keys } = await page.until((_told, state) => state?.keys[0]?.key !== undefined);
    expect(keys[0]?.key).not.toBe(service.apiKey);
  });

  it('shows how often a fault occurred, and removes it', async () => {
    const served = await servePages();
    const { service } = served;
    const page = await follow<DashboardSnapshot>(served, 'dashboard');
    const call = async () =>
      (await fetch(`${service.url}/tags`, { headers: { 'x-api-key': service.apiKey } })).status;
    await act(served, 'dashboard', { do: 'add-fault', name: 'server-error', once: false });
    expect([await call(), await call()]).toEqual([503, 503]);
    const { faults } = await page.until((_told, state) => state?.faults[0]?.struck === 2);
    await act(served, 'dashboard', { do: 'remove-fault', id: faults[0]?.id });
    expect(await call()).toBe(200);
    await act(served, 'dashboard', { do: 'add-fault', name: 'server-error', once: true });
    // “Once” is for the next new card, which a read doesn’t use up.
    expect(await call()).toBe(200);
    const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json' };
    const create = async () =>
      (await fetch(`${service.url}/card`, { method: 'POST', headers, body: '{}' })).status;
    expect([await create(), await create()]).toEqual([503, 400]);
  });

  it.each([
    [{ do: 'set-status', cardId: 'card-1001', statusId: 'nonsense' }, 'no such status'],
    [{ do: 'add-file', cardId: 'card-404', name: 'a.png' }, 'no card "card-404"'],
    [{ do: 'revoke-key', owner: 'Initech' }, 'Initech has no key'],
  ])('explains why it can’t do %j', async (what, words) => {
    const { json } = await act(await servePages(), 'dashboard', what);
    expect(json.problem).toContain(words);
  });
});

describe('the log', () => {
  it('shows what Slack sent to the app and the app’s calls to the service, in order, with their bodies', async () => {
    const served = await servePages();
    const { acme, ann, general, service } = served;
    const page = await follow<LogSnapshot>(served, 'log');
    await acme.as(ann).command(general, 'Spring banner');
    await fetch(`${service.url}/card/card-1001`, { headers: { 'x-api-key': service.apiKey } });
    const { rows } = await page.until((_told, state) => state?.rows[1]?.ms !== undefined);
    expect(rows).toMatchObject([
      {
        ...{ from: 'slack', to: 'app', title: 'Ann typed /design-request', about: 'Spring banner' },
        ...{ outcome: 'not connected', isGood: false, limitMs: 3000 },
      },
      { from: 'app', to: 'service', title: 'GET /card/card-1001', outcome: '200', isGood: true },
    ]);
    const read = async (seq: number | undefined) =>
      JSON.parse((await ask(`${served.pages.url}/read/log?seq=${seq}`)).body);
    const command = await read(rows[0]?.seq);
    expect(command.request.body).toMatchObject({
      command: '/design-request',
      text: 'Spring banner',
    });
    const card = await read(rows[1]?.seq);
    expect(card.answers[0].body.data).toMatchObject({
      id: 'card-1001',
      title: 'Spring sale banner',
    });
    expect((await ask(`${served.pages.url}/read/log?seq=999`)).status).toBe(404);
  });
});
