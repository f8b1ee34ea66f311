import { describe, expect, it, vi } from 'vitest';
import { command, event, interaction, press } from './deliveries.ts';
import { FORM_TYPE, startIntake } from './intake-under-test.ts';

const JSON_TYPE = 'application/json';
const DEPTH = 100_000;
const deep = (open: string, close: string) => open.repeat(DEPTH) + close.repeat(DEPTH);

/** Signed, but not a Slack payload. */
const NOT_UNDERSTOOD: [string, string][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['an empty list', '[]'],
  ['a list of deliveries', JSON.stringify([event('Ev1')])],
  ['a text', '"x"'],
  ['a number', '1e999'],
  ['true', 'true'],
  ['an empty object', '{}'],
  ['no JSON', '{"type":'],
  ['lists in lists', deep('[', ']')],
  ['objects in objects', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`],
  ['NUL bytes', '\u0000\u0000'],
  ['a lone surrogate', '"\\ud800"'],
  ['__proto__', '{"__proto__":{"type":"event_callback","event_id":"Ev1","team_id":"T1"}}'],
  ['a constructor', '{"constructor":{"prototype":{"type":"event_callback"}}}'],
  ['an event without an id', JSON.stringify(event('', {}))],
  ['an event of no workspace', JSON.stringify(event('Ev1', { team_id: null, authorizations: [] }))],
  ['an event of nothing', JSON.stringify(event('Ev1', { event: null }))],
  ['an event of no type', JSON.stringify(event('Ev1', { event: { type: 7 } }))],
  ['an event with an endless id', JSON.stringify(event('E'.repeat(300)))],
  ['an event with an object for an id', JSON.stringify({ ...event('Ev1'), event_id: {} })],
  ['an ssl_check of no one', '{"ssl_check":null}'],
  ['a challenge of another kind', '{"type":"url_verification","challenge":{"a":1}}'],
];

const FORMS: [string, string][] = [
  ['nothing', ''],
  ['a payload of nothing', 'payload='],
  ['a payload of null', 'payload=null'],
  ['a payload of a list', 'payload=[]'],
  ['a payload of a text', 'payload="x"'],
  ['a payload that is no JSON', 'payload={'],
  ['a payload of half an escape', 'payload=%7B%'],
  ['__proto__', '__proto__=x&command=/design-request'],
  ['a command of nobody', command('t1', { user_id: '' })],
  ['a command without a slash', command('t1', { command: 'design-request' })],
  ['a command without a trigger', command('')],
  ['a press of nothing', interaction(press('t1', { actions: [] }))],
  ['a press of null', interaction(press('t1', { actions: [null] }))],
  ['a press by nobody', interaction(press('t1', { user: null }))],
  ['a form of no view', interaction({ type: 'view_submission', user: { id: 'U1' }, view: null })],
  ['an interaction of another kind', interaction({ ...press('t1'), type: '__proto__' })],
  ['a workflow step of old', interaction({ type: 'workflow_step_edit', user: { id: 'U1' } })],
];

describe('a signed body that isn’t a Slack payload', () => {
  const cases = [
    ...NOT_UNDERSTOOD.map(([name, body]) => [name, JSON_TYPE, body] as const),
    ...FORMS.map(([name, body]) => [name, FORM_TYPE, body] as const),
  ];

  it.each(cases)(
    '%s as %s is refused, and the process keeps running',
    async (_name, type, body) => {
      const ran = vi.fn(async () => undefined);
      const { send, sendJson, stored } = await startIntake((bolt) => bolt.use(ran));
      const answer = await send(body, type);
      expect(answer).toMatchObject({ status: 400, body: '{"error":"not_understood"}' });
      expect(ran).not.toHaveBeenCalled();
      expect(await stored()).toEqual([]);
      expect(await sendJson(event('Ev1'))).toMatchObject({ status: 200 });
    },
  );

  it('doesn’t change any prototype', async () => {
    const { send } = await startIntake();
    await send('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    await send('__proto__=x&__proto__[polluted]=1', FORM_TYPE);
    await send(JSON.stringify(event('Ev1')).replace('"token"', '"__proto__"'));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a delivery with strange parts', () => {
  it('is stored and run, whatever its text contains', async () => {
    const seen: unknown[] = [];
    const { sendJson, send, stored } = await startIntake((bolt) =>
      bolt.event('app_home_opened', async ({ event: opened }) => void seen.push(opened.channel)),
    );
    const texts = ['\u0000', '\ud800', '\udfff\ud800', '\u202e', 'x'.repeat(500_000), '🎨'];
    for (const [index, channel] of texts.entries()) {
      const strange = event(`Ev${index}`, { event: { type: 'app_home_opened', channel } });
      expect(await sendJson(strange)).toMatchObject({ status: 200 });
    }
    const polluted = JSON.stringify(event('EvP')).replace('"tab"', '"__proto__"');
    expect(await send(polluted)).toMatchObject({ status: 200 });
    await expect.poll(stored).toEqual([...texts, ''].map(() => 'slack-event done'));
    expect(seen).toEqual([...texts, 'D1']);
  });

  it('is acknowledged only if it was stored, even if it is nested more deeply than some versions of Node can serialize', async () => {
    const { send, sendJson, stored } = await startIntake();
    const body = JSON.stringify(event('Ev1', { deep: 'HERE' })).replace('"HERE"', deep('[', ']'));
    const answer = await send(body);
    const isStored = (await stored()).length > 0;
    expect(answer).toMatchObject(
      isStored ? { status: 200 } : { status: 500, body: '{"error":"failed"}' },
    );
    expect(await sendJson(event('Ev2'))).toMatchObject({ status: 200 });
  });

  it('is answered in time if an interaction is deeply nested', async () => {
    const { send } = await startIntake((bolt) => bolt.action('press', async ({ ack }) => ack()));
    const pressed = JSON.stringify(press('t1', { message: 'HERE' })).replace(
      '"HERE"',
      deep('[', ']'),
    );
    const body = new URLSearchParams({ payload: pressed }).toString();
    expect(await send(body, FORM_TYPE)).toMatchObject({ status: 200 });
  });
});
