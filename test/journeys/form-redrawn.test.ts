import { describe, expect } from 'vitest';
import { drawnType, hasField } from '../sandbox/complete-form.ts';
import { chooseType, openFilledForm, openForm, requested, submitUntil, untilSees } from './form.ts';
import { slackCalls } from './links.ts';
import { it, startWorld } from './world.ts';

describe('a form whose request type is changed', () => {
  it('turns typed text into the new type’s choices, and back', async ({ world, me }) => {
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

  it('keeps everything and explains that the service can’t be reached after a restart', async () => {
    const { world, service, me } = await startWorld();
    await openForm(world, me, 'Spring banner');
    service.faults.add({ method: 'GET', kind: 'status', status: 503, executed: false });
    await world.restart();
    await me.fill({ 'Request type': 'Print' });
    await untilSees(world, me, 'can’t reach your design service');
    expect(me.sees()).toContain('What you typed is still there');
    await me.close();
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });
});

describe('a form that is sent before its fields are drawn for another type', () => {
  it('comes back, without what was suggested for the type before', async () => {
    const { world, acme, general, service, slack, me } = await startWorld();
    await requested(world, me);
    await openForm(world, me, 'Sales deck');
    expect(me.sees()).toMatch(/Set for you: Post: 1080 × 1080 px.*PNG, JPG.*Figma/);
    await me.fill({ Description: 'Slides for the sales team.' });
    slack.faults.add({ method: 'views.update', times: 1, kind: 'stall', ms: 500 });
    await me.fill({ 'Request type': 'Presentation' });
    await me.submit();
    expect(me.sees()).toContain('You changed the request type.');
    const empty = { Sizes: { value: null }, Software: { selected_option: null } };
    for (const [label, value] of Object.entries(empty)) {
      expect(me.field(label).value).toMatchObject(value);
    }

    await me.fill({
      Sizes: '16:9',
      Product: 'Graphics',
      Software: 'Keynote',
      'File formats': ['KEY'],
    });
    await me.submit();
    await slack.until(() => acme.messages(general)[1], 'the confirmation');
    expect(service.cards.all().at(-1)).toMatchObject({
      title: 'Sales deck',
      requestTypeId: 'type-presentation',
      software: 'Keynote',
      dimensions: '16:9',
      fileFormats: 'KEY',
    });
  });
});

it('a change of the form that is drawn late doesn’t replace a later one', async () => {
  const { world, slack, me } = await startWorld();
  await openForm(world, me);
  const before = slackCalls(world, 'views.update').length;
  const draws = () => slackCalls(world, 'views.update').slice(before);
  slack.faults.add({ method: 'views.update', times: 1, kind: 'stall', ms: 1_000 });
  await me.fill({ 'Request type': 'Print' });
  await slack.until(() => draws().length === 1, 'the first change');
  await me.fill({ 'Request type': 'Presentation' });
  await slack.until(() => drawnType(me) === 'type-presentation', 'the second change');
  await expect.poll(() => draws().every(({ response }) => response)).toBe(true);
  // Stopping waits for everything that the two changes started.
  await world.restart({ listsKept: true });
  expect(drawnType(me)).toBe('type-presentation');
});

it('two changes of the form at the same moment are both kept', async ({ world, slack, me }) => {
  await openForm(world, me);
  expect(hasField(me, 'Wording')).toBe(false);
  // Both wait for the same answer about the person, which isn't known after a start.
  await world.restart({ listsKept: true });
  slack.faults.add({ method: 'users.info', kind: 'stall', ms: 500 });
  await Promise.all([me.click({ text: 'More options' }), me.fill({ 'Request type': 'Print' })]);
  await slack.until(() => drawnType(me) === 'type-print', 'the second change');
  await world.restart({ listsKept: true });
  expect([drawnType(me), hasField(me, 'Wording')]).toEqual(['type-print', true]);
});

it('the outcome stays if a change of the form, made before it was sent, is drawn late', async () => {
  const { world, slack, me } = await startWorld();
  await openFilledForm(world, me);
  // An outcome is drawn twice, 1.5 s apart.
  slack.faults.add({ method: 'views.update', times: 1, kind: 'stall', ms: 2_500 });
  await me.click({ text: 'More options' });
  await submitUntil(world, me, 'Sent');
  const draws = () => slackCalls(world, 'views.update');
  await expect.poll(() => draws().every(({ response }) => response)).toBe(true);
  expect(me.sees()).toContain('Sent');
});

it('text that can’t be read counts as nothing', async ({ world, me }) => {
  await openFilledForm(world, me, { Title: '\u200b\u200b', Sizes: '\u200b' });
  expect((await me.submit()).errors).toEqual({
    Title: 'Give your request a title.',
    Sizes: 'Add at least one size.',
  });
});
