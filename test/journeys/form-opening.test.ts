import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import { connect } from './connecting.ts';
import { chooseType, openForm, openFormFrom, optionsOf, showAllFields, untilSees } from './form.ts';
import { answerTo, postShown } from './links.ts';
import { listsRead } from './lists-read.ts';
import { it, startWorld, worldAhead } from './world.ts';

describe('opening the form', () => {
  it('calls neither Slack nor the service before the form is open', async ({ world, me }) => {
    const slackBefore = world.slack.apiCalls.length;
    const serviceBefore = world.service.calls().length;
    await openForm(world, me);
    expect(world.slack.apiCalls[slackBefore]?.method).toBe('views.open');
    expect(world.service.calls().length).toBe(serviceBefore);
  });

  it('shows a loading form while the service is slow, and completes it when it answers', async () => {
    const { world, general, service, slack, ada, me } = await startWorld({ connected: false });
    const stall = service.faults.add({ method: 'GET', kind: 'stall', ms: 400 });
    await connect(world, ada, service.apiKey);
    await world.restart();
    await me.command(general, 'Spring banner');
    await slack.until(() => me.sees().includes('Loading request types'), 'the loading form');
    await slack.until(() => hasField(me, 'Request type'), 'the complete form');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    stall();
  });

  it('moves a title that is too long into the description', async ({ world, me }) => {
    const typed = 'A very long wish. '.repeat(40).trim();
    await openForm(world, me, typed);
    expect(JSON.stringify(me.field('Description').element)).toContain(typed.slice(-60));
    expect(JSON.stringify(me.field('Title').value)).toContain('A very long wish.');
  });

  it.each([
    [false, 'Q&A <spring> &lt; 🎉', 'Q&amp;A &lt;spring&gt; &amp;lt; 🎉'],
    [true, 'Banner <b> by @ann for #general like https://a.example/?b=1&c=2', '|general>'],
  ])(
    'keeps a title as it was typed (Slack marks up people, channels, and URLs: %s)',
    async (shouldEscape, typed, sent) => {
      const { world, slack, me } = await startWorld();
      if (shouldEscape) {
        for (const command of slack.state.manifest.slashCommands) command.shouldEscape = true;
      }
      await openForm(world, me, typed);
      expect(slack.deliveries.at(-1)?.payload.text).toContain(sent);
      expect(me.field('Title').value).toMatchObject({ value: typed });
    },
  );

  const method = 'views.open';
  it('keeps the title if Slack opens no form, and opens it from a button', async () => {
    const { world, slack, me } = await startWorld();
    slack.faults.add({ method, kind: 'error', error: 'expired_trigger_id', times: 1 });
    const ephemeral = await answerTo(world, me, 'new list of prices');
    expect(ephemeral.text).toBe('The form took too long to open. Your title is still here:');
    await openFormFrom(world, me, { ephemeral, text: 'Open the form' });
    expect(me.field('Title').value).toMatchObject({ value: 'list of prices' });
  });

  it.each<FaultKind>([
    { kind: 'error', error: 'fatal_error' },
    // What a proxy or a load balancer answers in Slack's place.
    { kind: 'http', status: 200 },
  ])('gives a reference, once, if Slack opens no form for another reason: %o', async (fault) => {
    const { world, acme, ann, slack, me, logLines } = await startWorld();
    slack.faults.add({ method, times: 1, ...fault });
    const { text } = await answerTo(world, me, 'Spring banner');
    const reference = /E-[0-9A-Z]{6}/.exec(text)?.[0] ?? 'none';
    expect(logLines.join('')).toContain(reference);
    await slack.idle();
    expect(acme.ephemerals(ann)).toHaveLength(1);
    await openForm(world, me, 'Spring banner');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });
});

describe('the form’s choices', () => {
  it.each([
    ['nothing says it', {}, [], undefined],
    ['the setting says it', { DESIGN_PARTNER_NAME: 'Canvas' }, [], 'Canvas'],
    ['another type lists one', {}, ['Graphics', 'Canvas Plus'], 'Canvas'],
    ['another type lists only ours', {}, ['Graphics', 'Graphics Video'], undefined],
  ])(
    'include the partner’s products only if their name is known: %s',
    async (_how, env, listed, partner) => {
      const { world, service, me } = await startWorld({ env });
      for (const type of service.referenceLists.requestTypes) {
        type.products = type.name === 'Presentation' ? listed : [];
      }
      await world.restart();
      await openForm(world, me);
      await chooseType(world, me, 'Social media');
      const own = ['Graphics', 'Video', 'Graphics Video'];
      const theirs = partner ? [`${partner} Graphics`, `${partner} Plus`] : [];
      expect(me.field('Product').options).toEqual([...own, ...theirs]);
    },
  );

  it('include the partner’s products once a card has named one, also after a restart', async () => {
    const { world, service, me, cardUrl } = await startWorld();
    for (const type of service.referenceLists.requestTypes) type.products = [];
    await world.restart();
    await openForm(world, me);
    await me.close();
    // Motion is a kind of graphics, and nobody's name.
    for (const productType of ['Motion Graphics', 'Canvas Plus']) {
      const { id } = service.cards.add({ title: 'Poster', productType });
      await postShown(world, me, cardUrl(id));
    }
    for (const prepare of [() => undefined, () => world.restart()]) {
      await prepare();
      await openForm(world, me);
      await chooseType(world, me, 'Social media');
      const products = ['Graphics', 'Video', 'Graphics Video', 'Canvas Graphics', 'Canvas Plus'];
      expect(me.field('Product').options).toEqual(products);
      await me.close();
    }
  });

  it('are preselected if there is only one, and follow the newest type after quick changes', async () => {
    const { world, slack, me } = await startWorld();
    await openForm(world, me);
    slack.faults.add({ method: 'views.update', times: 1, kind: 'stall', ms: 300 });
    await me.fill({ 'Request type': 'Presentation' });
    await me.fill({ 'Request type': 'Print' });
    await me.fill({ 'Request type': 'Video & motion' });
    await slack.until(
      () => optionsOf(me, 'Software').includes('Premiere Pro'),
      'the form for the last type',
    );
    expect(me.sees()).toMatch(/Set for you: .*Video/);
    await showAllFields(world, me);
    expect(me.field('Product').value).toMatchObject({ selected_option: { value: 'Video' } });
  });

  it('can be searched among hundreds of brands, also when nothing is in memory', async () => {
    const { world, service, slack, me } = await startWorld();
    service.referenceLists.brands.push(
      { id: 'b-x1', name: 'Twin' },
      { id: 'b-x2', name: 'Twin' },
      { id: 'b-long', name: `Long ${'name '.repeat(30)}end` },
      { id: 'b-two', name: 'Two  Spaces' },
      { id: 'b-ete', name: 'Éclair Été' },
    );
    await world.restart();
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    expect(me.field('Brand').element.type).toBe('external_select');
    const twins = await me.suggest('Brand', 'twi');
    expect(twins.map(({ text, value }) => [text, value])).toEqual([
      ['Twin', 'b-x1'],
      ['Twin', 'b-x2'],
    ]);
    const answer = JSON.stringify(slack.deliveries.at(-1)?.attempts[0]?.body);
    expect(answer).toContain('ID b-x1');
    expect(answer).toContain('ID b-x2');
    const found = async (query: string) =>
      (await me.suggest('Brand', query)).map(({ value }) => value);
    expect(await found('long name')).toEqual(['b-long']);
    expect(await found('no such brand')).toEqual([]);
    expect(await found('')).toHaveLength(100);
    // Regardless of case, accents, and spaces, and by ID.
    expect(await found('two spaces')).toEqual(['b-two']);
    expect(await found('ECLAIR ete')).toEqual(['b-ete']);
    await world.restart();
    expect(await found('b-et')).toEqual(['b-ete']);
  });

  it('have no field for brands if there are none', async ({ world, me }) => {
    world.service.referenceLists.brands = [];
    await world.restart();
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    expect(hasField(me, 'Brand')).toBe(false);
  });

  it('are complete on retry once the service has request types', async () => {
    const { world, pass, general, service, me } = await worldAhead();
    const types = [...service.referenceLists.requestTypes];
    service.referenceLists.requestTypes = [];
    await world.restart();
    await me.command(general, 'Spring banner');
    await untilSees(world, me, 'no request types');
    service.referenceLists.requestTypes = types;
    pass(5_000);
    await openFormFrom(world, me, { text: 'Try again' }, 'Request type');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('keep what was typed if the types come back empty when another one is chosen', async () => {
    const { world, service, slack, ada, me } = await startWorld();
    await openForm(world, me);
    await me.fill({ Title: 'Spring banner', Description: 'For the spring sale.' });
    const types = [...service.referenceLists.requestTypes];
    await slack.idle();
    service.referenceLists.requestTypes = [];
    await world.restart();
    await listsRead(world);
    const { hash } = me.currentView() ?? {};
    await me.fill({ 'Request type': types[1]?.name ?? '' });
    await slack.idle();
    await answerTo(world, ada, 'help');
    expect(me.currentView()?.hash).toBe(hash);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
  });
});
