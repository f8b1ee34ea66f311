import { describe, expect, it } from 'vitest';
import { act, servePages } from './served.ts';

describe('a page', () => {
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
  it.each([
    [{ do: 'set-status', cardId: 'card-1001', statusId: 'nonsense' }, 'no such status'],
    [{ do: 'add-file', cardId: 'card-404', name: 'a.png' }, 'no card "card-404"'],
    [{ do: 'revoke-key', owner: 'Initech' }, 'Initech has no key'],
  ])('explains why it can’t do %j', async (what, words) => {
    const { json } = await act(await servePages(), 'dashboard', what);
    expect(json.problem).toContain(words);
  });
});
