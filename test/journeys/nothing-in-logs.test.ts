import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openForm, requested, sendRequest } from './form.ts';
import { answerTo, eventsHandled, postShown } from './links.ts';
import { startWorld } from './world.ts';

/** A text that appears nowhere else. */
const marked = (what: string) => `${what} ${randomBytes(8).toString('hex')}`;

describe('the log, even at trace level,', () => {
  it('has nothing that people wrote, whether it worked or not', async () => {
    const world = await startWorld({ env: { LOG_LEVEL: 'trace' } });
    const { general, slack, service, cardUrl, me } = world;
    const typed = {
      Title: marked('Title'),
      Description: marked('Description'),
      Sizes: marked('Sizes'),
      Wording: marked('Wording'),
    };
    const command = marked('Command');
    const message = marked('Message');
    await requested(world, me, typed);
    const { id } = service.cards.add({ title: marked('Card') });
    await postShown(world, me, `${message} ${cardUrl(id)}`);
    await answerTo(world, me, `status ${command}`);
    await openForm(world, me, command);
    await me.close({ all: true });

    const lift = slack.faults.add({ kind: 'error', error: 'invalid_arguments' });
    await me.command(general, command);
    await me.post(general, `${message} ${cardUrl(id)}`);
    await eventsHandled(world);
    lift();
    service.faults.add({ kind: 'status', status: 400, details: { title: 'Too odd' } });
    await sendRequest(world, me, typed);
    await slack.until(() => me.sees().includes('Too odd'), 'the form again');

    expect(JSON.stringify(service.calls({ operation: 'createCard' }))).toContain(typed.Wording);
    const log = world.logLines.join('');
    expect(log).toContain('could not open a form');
    for (const text of [...Object.values(typed), command, message]) {
      expect(log).not.toContain(text.slice(-16));
    }
  });

  it('has no secret that a request has where none belongs, and no answer repeats it', async () => {
    const { world, app, slack, service, acme } = await startWorld({
      connected: false,
      env: { LOG_LEVEL: 'trace', METRICS_TOKEN: 'm'.repeat(24) },
    });
    const all = [acme.botToken, slack.signingSecret, service.apiKey, 'm'.repeat(24)].join(' ');
    const query = `?token=${encodeURIComponent(all)}`;
    const headers = { authorization: `Bearer ${all}`, 'x-slack-signature': `v0=${all}` };
    const body = JSON.stringify({ token: all, type: all, challenge: 1 });
    const paths = ['healthz', 'readyz', 'metrics', 'slack/events', encodeURIComponent(all)];
    const answers = await Promise.all([
      ...paths.map((path) => fetch(`${app.url}/${path}${query}`, { headers })),
      fetch(`${app.url}/slack/events${query}`, { method: 'POST', headers, body }),
    ]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    for (const one of [body, `${body}{`, `payload=${body}`, `token=${query}`]) {
      texts.push((await slack.sendSigned(one, 'application/json')).body);
    }
    for (const secret of all.split(' ')) {
      expect([...texts, ...world.logLines].join('\n')).not.toContain(secret);
    }
  });
});
