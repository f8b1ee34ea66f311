import { describe, expect, it, vi } from 'vitest';
import { command, event, interaction, press } from './deliveries.ts';
import { FORM_TYPE, startIntake } from './intake-under-test.ts';

const JSON_TYPE = 'application/json';
const DEPTH = 100_000;
const deep = (open: string, close: string) => open.repeat(DEPTH) + close.repeat(DEPTH);

/** Signed, but not a Slack payload: JSON, and forms. */
const NOT_UNDERSTOOD = [
  '',
  'null',
  '[]',
  '"x"',
  '{}',
  '{"type":',
  deep('[', ']'),
  `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
  '{"__proto__":{"type":"event_callback","event_id":"Ev1","team_id":"T1"}}',
  '{"type":"url_verification","challenge":{"a":1}}',
  ...[
    event('Ev1', { team_id: null, authorizations: [] }),
    event('Ev1', { event: null }),
    event('Ev1', { event: { type: 7 } }),
    event('E'.repeat(300)),
  ].map((body) => JSON.stringify(body)),
];
const FORMS_NOT_UNDERSTOOD = [
  '',
  'payload=',
  'payload=null',
  'payload={',
  '__proto__=x&command=/design-request',
  command('t1', { user_id: '' }),
  command('t1', { command: 'design-request' }),
  command(''),
  ...[
    press('t1', { actions: [null] }),
    press('t1', { user: null }),
    { type: 'view_submission', user: { id: 'U1' }, view: null },
    { ...press('t1'), type: '__proto__' },
    { type: 'workflow_step_edit', user: { id: 'U1' } },
  ].map(interaction),
];

describe('a signed body that isn’t a Slack payload', () => {
  it.each([
    ['JSON', JSON_TYPE, NOT_UNDERSTOOD],
    ['a form', FORM_TYPE, FORMS_NOT_UNDERSTOOD],
  ])('as %s is refused, and the process keeps running', async (_kind, type, bodies) => {
    const ran = vi.fn(async () => undefined);
    const { send, sendJson, stored } = await startIntake((bolt) => bolt.use(ran));
    for (const body of bodies) {
      const answer = await send(body, type);
      const refused = { status: 400, body: '{"error":"not_understood"}' };
      expect(answer, body.slice(0, 100)).toMatchObject(refused);
    }
    expect(ran).not.toHaveBeenCalled();
    expect(await stored()).toEqual([]);
    expect(await sendJson(event('Ev1'))).toMatchObject({ status: 200 });
  });

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
