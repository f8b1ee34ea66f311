import { describe, expect, it } from 'vitest';
import { chooseType, fillForm, hasField, openForm } from './form.ts';
import { slackCalls } from './links.ts';
import { startWorld, type World } from './world.ts';

const serviceDown = ({ service }: World) =>
  service.faults.add({ method: 'GET', kind: 'status', status: 503, executed: false });

describe('a form whose request type is changed', () => {
  it('turns typed text into the new type’s choices, and back', async () => {
    const world = await startWorld();
    const me = world.acme.as(world.ann);
    await openForm(world, me);
    await chooseType(world, me, 'Something else');
    await me.fill({
      Product: 'Graphics Video',
      Software: 'Figma',
      'File formats': 'PNG,MP4 , TGA',
    });
    await chooseType(world, me, 'Social media');
    expect(me.field('Product').value).toMatchObject({
      selected_option: { value: 'Graphics Video' },
    });
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Figma' } });
    expect(me.field('File formats').value).toMatchObject({
      selected_options: [{ value: 'PNG' }, { value: 'MP4' }],
    });
    await me.fill({ Software: 'Illustrator' });
    await chooseType(world, me, 'Presentation');
    expect(me.field('Software').value).toMatchObject({ selected_option: null });
    await chooseType(world, me, 'Something else');
    expect(me.field('Product').value).toMatchObject({
      selected_option: { value: 'Graphics Video' },
    });
    expect(me.field('Software').value).toMatchObject({ value: 'Figma' });
    expect(me.field('File formats').value).toMatchObject({ value: 'PNG, MP4, TGA' });
    await chooseType(world, me, 'Social media');
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Illustrator' } });
  });

  it('is drawn even if it had more than it can carry along, and carries the rest', async () => {
    const world = await startWorld();
    const me = world.acme.as(world.ann);
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    await me.fill({ Software: 'Illustrator' });
    await chooseType(world, me, 'Something else');
    await me.fill({ Software: 'x'.repeat(3_000) });
    await chooseType(world, me, 'Print');
    expect(me.field('Software').options).toEqual(['InDesign', 'Illustrator']);
    await chooseType(world, me, 'Social media');
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Illustrator' } });
  });

  it('keeps everything and explains that the service can’t be reached after a restart', async () => {
    const world = await startWorld();
    const { acme, ann, slack } = world;
    const me = acme.as(ann);
    await openForm(world, me, 'Spring banner');
    serviceDown(world);
    await world.restart();
    await me.fill({ 'Request type': 'Print' });
    const told = await slack.until(() => acme.directMessages(ann)[0], 'the notice');
    expect(told.text).toContain('can’t reach your design service');
    expect(told.text).toContain('What you typed is still there');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });
});

describe('a form that is retried', () => {
  it('is completed once, without a notice, if the button is pressed twice', async () => {
    const world = await startWorld();
    const { acme, ann, general, slack } = world;
    const me = acme.as(ann);
    const up = serviceDown(world);
    await world.restart();
    await me.command(general, 'Spring banner');
    await slack.until(() => me.sees().includes('can’t reach your design service'), 'the notice');
    up();
    await Promise.all([me.click({ text: 'Try again' }), me.click({ text: 'Try again' })]);
    await slack.until(() => hasField(me, 'Request type'), 'the complete form');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    // Stopping waits for everything that the two presses started.
    await world.restart();
    expect(slackCalls(world, 'chat.postMessage')).toEqual([]);
  });
});

describe('what is typed into the form’s menus', () => {
  it('counts as nothing if it can’t be read', async () => {
    const world = await startWorld();
    const me = world.acme.as(world.ann);
    await openForm(world, me);
    await fillForm(world, me, { Title: '\u200b\u200b', Sizes: '\u200b' });
    expect((await me.submit()).errors).toEqual({
      Title: 'Give your request a title.',
      Sizes: 'Add at least one size.',
    });
  });

  it('finds brands regardless of case, accents, and spaces, and by ID', async () => {
    const world = await startWorld();
    const { brands } = world.service.referenceLists;
    brands.push({ id: 'b-two', name: 'Two  Spaces' }, { id: 'b-ete', name: 'Éclair Été' });
    await world.restart();
    const me = world.acme.as(world.ann);
    await openForm(world, me);
    await chooseType(world, me, 'Social media');
    const found = async (query: string) => (await me.suggest('Brand', query)).map((b) => b.value);
    expect(await found('two spaces')).toEqual(['b-two']);
    expect(await found('ECLAIR ete')).toEqual(['b-ete']);
    expect(await found('b-et')).toEqual(['b-ete']);
  });
});
