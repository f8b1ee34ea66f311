import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect } from './connecting.ts';
import {
  chooseType,
  confirmed,
  fillForm,
  openForm,
  openFormFrom,
  optionsOf,
  pressUntil,
  reopenForm,
  sendRequest,
  showAllFields,
} from './form.ts';
import { listsRead } from './lists-read.ts';
import { it, startWorld } from './world.ts';

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

  it('stays as it is if Slack shows it and only the answer is lost', async () => {
    const { world, general, slack, me } = await startWorld();
    await world.restart();
    slack.faults.add({ kind: 'lost_answer', method: 'views.update', times: 1 });
    await me.command(general, 'Spring banner');
    const secondUpdate = () => slack.apiCalls.filter(({ method }) => method === 'views.update')[1];
    // The same once more, since the connection was reset before an answer.
    await slack.until(() => secondUpdate()?.response, 'the repeated update');
    expect(secondUpdate()?.response).toMatchObject({ ok: true });
    expect(hasField(me, 'Request type')).toBe(true);
  });

  it('says in the modal that the service can’t be reached, and opens complete on retry', async () => {
    const { world, general, service, slack, me } = await startWorld();
    const down = service.faults.add({
      method: 'GET',
      kind: 'status',
      status: 503,
      executed: false,
    });
    await world.restart();
    await me.command(general, 'Spring banner');
    await slack.until(() => me.sees().includes('can’t reach your design service'), 'the notice');
    down();
    await openFormFrom(world, me, { text: 'Try again' }, 'Request type');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it.each([
    ['an HTML page', { kind: 'html' as const }, 'answer that we can’t read'],
    ['half an answer', { kind: 'truncated-json' as const }, 'answer that we can’t read'],
    ['an empty answer', { kind: 'empty-body' as const }, 'answer that we can’t read'],
    ['too many calls', { kind: 'rate-limited' as const, retryAfter: 30 }, 'busy'],
  ])('explains what is wrong when the service gives %s', async (_name, fault, words) => {
    const { world, general, service, slack, me } = await startWorld();
    service.faults.add({ method: 'GET', ...fault });
    await world.restart();
    await me.command(general);
    await slack.until(() => me.sees().includes(words), words);
    expect(me.sees()).toContain('Try again');
  });

  it('tells people in a workspace without a key who can connect one', async () => {
    const { general, service, slack, me } = await startWorld({ connected: false });
    await me.command(general);
    await slack.until(() => me.sees().includes('/design-request connect'), 'the words');
    expect(service.calls()).toEqual([]);
  });

  it('moves a title that is too long into the description', async ({ world, me }) => {
    const typed = 'A very long wish. '.repeat(40).trim();
    await openForm(world, me, typed);
    expect(JSON.stringify(me.field('Description').element)).toContain(typed.slice(-60));
    expect(JSON.stringify(me.field('Title').value)).toContain('A very long wish.');
  });

  it('keeps a title as it was typed, although Slack escapes it', async ({ world, slack, me }) => {
    await openForm(world, me, 'Q&A <spring> &lt; 🎉');
    expect(slack.deliveries.at(-1)?.payload.text).toBe('Q&amp;A &lt;spring&gt; &amp;lt; 🎉');
    expect(me.field('Title').value).toMatchObject({ value: 'Q&A <spring> &lt; 🎉' });
  });

  it('keeps a title as it was typed, although Slack marks up people, channels, and URLs', async () => {
    const { world, slack, me } = await startWorld();
    for (const command of slack.state.manifest.slashCommands) command.shouldEscape = true;
    const typed = 'Banner <b> by @ann for #general like https://a.example/?b=1&c=2';
    await openForm(world, me, typed);
    expect(slack.deliveries.at(-1)?.payload.text).toContain('|general>');
    expect(me.field('Title').value).toMatchObject({ value: typed });
  });

  it.each([
    ['Spring banner', 'Spring banner'],
    ['new list of prices', 'list of prices'],
  ])('keeps “%s” if Slack opens no form, and opens it from a button', async (typed, title) => {
    const { world, acme, ann, general, slack, me } = await startWorld();
    slack.faults.add({
      method: 'views.open',
      kind: 'error',
      error: 'expired_trigger_id',
      times: 1,
    });
    await me.command(general, typed);
    const ephemeral = await slack.until(() => acme.ephemerals(ann).at(-1), 'words with a button');
    expect(ephemeral.text).toBe('The form took too long to open. Your title is still here:');
    await openFormFrom(world, me, { ephemeral, text: 'Open the form' });
    expect(me.field('Title').value).toMatchObject({ value: title });
  });

  it('gives a reference if Slack opens no form for another reason', async ({ world, me }) => {
    const method = 'views.open';
    world.slack.faults.add({ method, kind: 'error', error: 'fatal_error', times: 1 });
    await me.command(world.general, 'Spring banner');
    const { text } = await world.slack.until(
      () => world.acme.ephemerals(world.ann).at(-1),
      'words with a button',
    );
    const reference = /E-[0-9A-Z]{6}/.exec(text)?.[0] ?? 'none';
    expect(world.logLines.join('')).toContain(reference);
  });

  it('treats "new" as a subcommand, so that a title can start with any word', async () => {
    const { world, me } = await startWorld();
    await openForm(world, me, 'new list of prices');
    expect(me.field('Title').value).toMatchObject({ value: 'list of prices' });
  });
});

describe('the form’s choices', () => {
  it('follow the chosen type, while everything else is kept', async ({ world, me }) => {
    await openForm(world, me, 'Spring banner');
    await me.fill({ Description: 'For the **spring** sale' });
    await fillForm(world, me, { Title: 'Spring banner' });
    expect(me.field('Software').options).toEqual(['Photoshop', 'Illustrator', 'Figma']);
    await me.fill({ Sizes: 'Banner: 1200 × 628' });
    await chooseType(world, me, 'Presentation');
    expect(me.field('Product').options).toEqual(['Graphics', 'Partner Graphics', 'Partner Plus']);
    expect(me.field('Software').options).toEqual(['PowerPoint', 'Keynote', 'Google Slides']);
    expect(me.field('File formats').options).toEqual(['PPTX', 'PDF', 'KEY']);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(me.field('Sizes').value).toMatchObject({ value: 'Banner: 1200 × 628' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
    // Both types offer the chosen product, so it stays; the software of the first type doesn't.
    expect(me.field('Product').value).toMatchObject({ selected_option: { value: 'Graphics' } });
    expect(me.field('Software').value).toMatchObject({ selected_option: null });
  });

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
    const { world, general, service, slack, me, cardUrl } = await startWorld();
    for (const type of service.referenceLists.requestTypes) type.products = [];
    await world.restart();
    await openForm(world, me);
    await me.close();
    // Motion is a kind of graphics, and nobody's name.
    for (const productType of ['Motion Graphics', 'Canvas Plus']) {
      const { id } = service.cards.add({ title: 'Poster', productType });
      const message = await me.post(general, cardUrl(id));
      await slack.until(() => message.attachments.length > 0, 'the preview');
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

  it('are free text if the type lists no software or formats', async ({ world, service, me }) => {
    await sendRequest(world, me, {
      'Request type': 'Something else',
      Product: 'Partner Plus',
      Software: 'Blender',
      'File formats': 'GLB, USDZ',
    });
    await world.slack.until(
      () => service.calls({ operation: 'createCard', executed: true })[0],
      'the card',
    );
    expect(service.cards.all().at(-1)).toMatchObject({
      productType: 'Partner Plus',
      software: 'Blender',
      fileFormats: 'GLB, USDZ',
    });
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

  it('can be searched among hundreds of brands, and two with one name can be told apart', async () => {
    const { world, service, slack, me } = await startWorld();
    service.referenceLists.brands.push({ id: 'b-x1', name: 'Twin' }, { id: 'b-x2', name: 'Twin' });
    service.referenceLists.brands.push({ id: 'b-long', name: `Long ${'name '.repeat(30)}end` });
    await world.restart();
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    expect(me.field('Brand').element.type).toBe('external_select');
    const found = await me.suggest('Brand', 'twi');
    expect(found.map(({ text, value }) => [text, value])).toEqual([
      ['Twin', 'b-x1'],
      ['Twin', 'b-x2'],
    ]);
    const answer = JSON.stringify(slack.deliveries.at(-1)?.attempts[0]?.body);
    expect(answer).toContain('ID b-x1');
    expect(answer).toContain('ID b-x2');
    expect(await me.suggest('Brand', 'long name')).toHaveLength(1);
    expect(await me.suggest('Brand', 'no such brand')).toEqual([]);
    expect((await me.suggest('Brand', '')).length).toBe(100);
  });

  it('can be searched after a restart, when nothing is in memory', async ({ world, me }) => {
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    await world.restart();
    const [brand] = world.service.referenceLists.brands;
    const found = await me.suggest('Brand', brand?.name ?? '');
    expect(found.map(({ value }) => value)).toContain(brand?.id);
  });

  it('show few brands as a menu, and no field if there are none', async ({ world, me }) => {
    world.service.referenceLists.brands = [{ id: 'b1', name: 'Acme' }];
    await world.restart();
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    expect(me.field('Brand').options).toEqual(['Acme']);
    world.service.referenceLists.brands = [];
    await world.restart();
    const again = world.acme.as(world.admin);
    await openForm(world, again);
    await chooseType(world, again, 'Social media');
    expect(hasField(again, 'Brand')).toBe(false);
  });

  it('leave brands out if the key may not list them, and say so', async ({ world, me }) => {
    world.service.faults.add({ operation: 'listBrands', kind: 'status', status: 403 });
    await world.restart();
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    expect(hasField(me, 'Brand')).toBe(false);
    await world.slack.until(
      () => me.sees().includes('We can’t load brands right now'),
      'the notice',
    );
  });

  it('can be searched among more than a hundred request types', async ({ world, service, me }) => {
    const many = Array.from({ length: 250 }, (_, index) => ({
      id: `t${index}`,
      name: `Type number ${index}`,
      products: ['Graphics'],
      formats: ['PNG'],
      softwares: ['Figma'],
    }));
    service.referenceLists.requestTypes = many;
    await world.restart();
    await openForm(world, me);
    await chooseType(world, me, { search: 'number 217', choose: 'Type number 217' });
    await showAllFields(world, me);
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Figma' } });
  });

  it('say that the service lists no request types', async ({ world, general, service, me }) => {
    service.referenceLists.requestTypes = [];
    await world.restart();
    await me.command(general);
    await world.slack.until(() => me.sees().includes('no request types'), 'the notice');
    expect(me.sees()).toContain('Try again');
  });

  it('are complete on retry once the service has request types', async () => {
    let laterMs = 0;
    const world = await startWorld({ clock: () => new Date(Date.now() + laterMs) });
    const types = [...world.service.referenceLists.requestTypes];
    world.service.referenceLists.requestTypes = [];
    await world.restart();
    const { me } = world;
    await me.command(world.general, 'Spring banner');
    await world.slack.until(() => me.sees().includes('no request types'), 'the notice');
    world.service.referenceLists.requestTypes = types;
    laterMs += 5_000;
    await openFormFrom(world, me, { text: 'Try again' }, 'Request type');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('keep what was typed if the types come back empty when another one is chosen', async () => {
    const { world, acme, admin, general, service, slack, ada, me } = await startWorld();
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
    await ada.command(general, 'help');
    await slack.until(() => acme.ephemerals(admin)[0], 'help');
    expect(me.currentView()?.hash).toBe(hash);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
  });

  it('keep what was typed in a rejected form if the types come back empty', async () => {
    const { world, acme, ann, service, slack, me } = await startWorld();
    const types = [...service.referenceLists.requestTypes];
    service.faults.add({ operation: 'createCard', kind: 'status', status: 400, times: 1 });
    await sendRequest(world, me);
    const message = await slack.until(
      () => acme.directMessages(ann).find((one) => textOfMessage(one).includes('didn’t accept')),
      'the note',
    );
    await me.close({ all: true });
    service.referenceLists.requestTypes = [];
    await world.restart();
    await pressUntil(world, me, { message, text: 'Fix and resend' }, 'no request types');
    service.referenceLists.requestTypes = types;
    await world.restart();
    await openFormFrom(world, me, { text: 'Try again' });
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
    await confirmed(world, me);
  });

  it('support IDs and names longer than Slack allows', async ({ world, service, slack, me }) => {
    const id = `type-${'x'.repeat(120)}`;
    const software = `Figma ${'with plugins '.repeat(10)}`.trim();
    service.referenceLists.requestTypes = [
      {
        id,
        name: 'N'.repeat(200),
        products: ['Graphics'],
        formats: ['PNG'],
        softwares: [software],
      },
    ];
    await world.restart();
    await openForm(world, me);
    await me.fill({
      Title: 'Long names',
      Description: 'x',
      Sizes: '1 × 1',
    });
    await me.submit();
    const card = await slack.until(() =>
      service.cards.all().find(({ title }) => title === 'Long names'),
    );
    expect(card).toMatchObject({ requestTypeId: id, software });
  });

  it('start with the brand last chosen in the channel', async () => {
    const { world, acme, ann, general, service, slack, me } = await startWorld();
    const brand = service.referenceLists.brands.find(({ name }) => name === 'Amber Bakery');
    await sendRequest(world, me, { Brand: brand?.name ?? '' });
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
    await reopenForm(world, me);
    expect(me.sees()).toContain(`Set for you: ${brand?.name}`);
    await me.close({ all: true });
    const other = acme.addChannel({ name: 'other', members: [ann] });
    await openForm(world, me, '', other);
    expect(me.field('Brand').value).toMatchObject({ selected_option: null });
  });
});
