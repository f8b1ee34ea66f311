import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { copyRequests } from './database-rows.ts';
import { asked, askedAbout, openFormFrom, requested } from './form.ts';
import { answerTo, jobsHandled } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const ask = (world: World, typed: string, who = world.ann) =>
  answerTo(world, world.acme.as(who), typed);

/** A request whose connection drops before its answer, and the reference that its author reads. */
async function startInDoubt(changes = {}): Promise<World & { reference: string }> {
  const { world, service, me } = await startWorld();
  service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
  const note = await asked(world, me, changes);
  return { ...world, reference: /DR-\w+/.exec(textOfMessage(note))?.[0] ?? '' };
}

async function startWithCard(): Promise<World & { reference: string }> {
  const { world, me } = await startWorld();
  const posted = await requested(world, me);
  return { ...world, reference: /DR-\w+/.exec(textOfMessage(posted))?.[0] ?? '' };
}

describe('/design-request list', () => {
  it('shows a request in one line, which can be requested again', async () => {
    const { world, reference, me } = await startWithCard();
    const listed = await ask(world, 'list');
    const [line = '', ...others] = textOfMessage(listed).split('\n');
    expect(line).toMatch(
      /Spring banner.* · :large_blue_circle: To do · Social media · requested <.*> · DR-\w+$/i,
    );
    expect(line).toContain(reference);
    expect(others).toEqual(['Request again', 'Stop watching']);
    await openFormFrom(world, me, { ephemeral: listed, text: 'Request again' });
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('shows as many as fit into a message, and says how many it leaves out', async () => {
    const { world } = await startInDoubt({ Title: '"'.repeat(200) });
    // Until Slack's answer is stored, it has fewer buttons.
    await jobsHandled(world, 'announce-request');
    await copyRequests(world, 11);
    const text = textOfMessage(await ask(world, 'list'));
    const left = Number(/\n(\d+) older requests aren’t shown\.$/.exec(text)?.[1]);
    expect(left).toBeGreaterThan(2);
    expect(text.match(/· DR-/g)).toHaveLength(12 - left);
  });

  it('names a draft once', async ({ world, service, me }) => {
    await askedAbout(world, me, { Draft: ['Save as draft, don’t start work yet'] });
    service.cards.update(service.cards.all().at(-1)?.id ?? '', { status: STATUSES.draft });
    const [line = ''] = textOfMessage(await ask(world, 'list')).split('\n');
    expect(line.match(/Draft/g)).toHaveLength(1);
  });
});

describe('/design-request status with a reference', () => {
  it('shows the card of the request to everyone who may see cards', async () => {
    const { world, reference } = await startWithCard();
    for (const who of [world.ann, world.admin]) {
      const shown = await ask(world, `status ${reference.toLowerCase()}`, who);
      expect(textOfMessage(shown)).toContain('Share in this channel');
    }
  });

  it('shows its author a request that isn’t a card yet, with its buttons', async () => {
    const { world, reference } = await startInDoubt();
    const shown = textOfMessage(await ask(world, `status ${reference}`));
    expect(shown).toContain('Did this request arrive?');
    expect(shown).toContain('Found it');
    const theirs = textOfMessage(await ask(world, `status ${reference}`, world.admin));
    expect(theirs).toContain('That request isn’t a card yet');
    expect(theirs).not.toContain('Spring banner');
  });
});
