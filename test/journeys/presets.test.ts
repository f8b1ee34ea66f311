import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import {
  asked,
  chooseType,
  confirmed,
  openFilledForm,
  openForm,
  requested,
  submitUntil,
} from './form.ts';
import { openPreset, setPreset } from './presets.ts';
import { it, startWorld } from './world.ts';

const ALL = 'Preset for all channels';
const HERE = 'Preset for this channel';

describe('a preset', () => {
  it('fills new forms: in its channel first, then in all of the workspace', async () => {
    const { world, acme, ann, general, ada, me } = await startWorld();
    const brief = 'What is it for?\nWho will see it?';
    await setPreset(world, ada, ALL, {
      'Request type': 'Social media',
      Sizes: 'Story: 1080 × 1920 px',
      'File formats': ['PNG', 'MP4'],
      'Brief template': brief,
    });
    await setPreset(world, ada, HERE, { 'Request type': 'Presentation', Brand: 'Amber Bakery' });

    await openForm(world, me, '', general);
    expect(me.field('Request type').value).toMatchObject({
      selected_option: { value: 'type-presentation' },
    });
    expect(JSON.stringify(me.field('Description').value)).toContain('Who will see it?');
    // The sizes and formats of the workspace's preset belong to another type.
    expect(hasField(me, 'Sizes')).toBe(true);
    expect(me.sees()).toContain('Set for you: Amber Bakery');
    await me.close({ all: true });

    const other = acme.addChannel({ name: 'other', members: [ann] });
    await openForm(world, me, '', other);
    expect(me.field('Request type').value).toMatchObject({
      selected_option: { value: 'type-social' },
    });
    expect(me.sees()).toContain('Set for you: Story: 1080 × 1920 px  ·  PNG, MP4');
  });

  it('fills the product, the software, and where to post, too', async () => {
    const { world, acme, admin, ann, general, slack, ada, me } = await startWorld();
    const designs = acme.addChannel({ name: 'designs', members: [admin] });
    await openPreset(world, ada, ALL);
    await chooseType(world, ada, 'Social media');
    await ada.fill({
      Product: 'Video',
      Software: 'Figma',
      'File formats': ['PNG'],
      Sizes: 'A4',
      'Post in': designs.id,
    });
    await submitUntil(world, ada, 'Preset saved');

    await openForm(world, me, 'Spring banner', general);
    expect(me.sees()).toContain(
      `Set for you: A4  ·  PNG  ·  Video  ·  Figma  ·  posts in <#${designs.id}>`,
    );
    await me.fill({ Description: 'A banner' });
    await me.submit();
    await slack.until(() => acme.messages(designs)[0], 'the confirmation');
    expect(acme.messages(general)).toEqual([]);
    await me.close({ all: true });

    // A request of another type takes only what that offers.
    const other = acme.addChannel({ name: 'other', members: [ann] });
    await openForm(world, me, '', other);
    await chooseType(world, me, 'Presentation');
    expect(me.field('Product').value?.selected_option ?? null).toBeNull();

    await openPreset(world, ada, ALL);
    expect(ada.field('Software').value).toMatchObject({ selected_option: { value: 'Figma' } });
    expect(ada.field('Post in').value).toMatchObject({ selected_conversation: designs.id });
  });

  it('keeps what was entered when another type is chosen, as far as that offers it', async () => {
    const { world, ada } = await startWorld();
    await openPreset(world, ada, ALL);
    await ada.fill({ 'Brief template': '?'.repeat(1_501) });
    expect((await ada.submit()).outcome).toBe('incomplete');
    await ada.fill({ 'File formats': 'PNG, KEY', Sizes: 'A4', 'Brief template': 'What for?' });
    await chooseType(world, ada, 'Social media');
    expect(ada.field('File formats').value).toMatchObject({
      selected_options: [{ value: 'PNG' }],
    });
    await submitUntil(world, ada, 'Preset saved');
    await openPreset(world, ada, ALL);
    expect(ada.field('Sizes').value).toMatchObject({ value: 'A4' });
    expect(ada.field('Brief template').value).toMatchObject({ value: 'What for?' });
    expect(ada.field('File formats').value).toMatchObject({
      selected_options: [{ value: 'PNG' }],
    });
  });

  it('comes after what a person chose before', async ({ world, ada, me }) => {
    await requested(world, me);
    const changes = { 'Request type': 'Social media', Sizes: 'A4', 'File formats': ['MP4'] };
    await setPreset(world, ada, HERE, changes);
    await openForm(world, me);
    expect(me.sees()).toMatch(/Set for you: Post: 1080 × 1080 px.*PNG, JPG/);
  });

  it('isn’t sent with its questions alone, however spaced, but once they are answered', async () => {
    const { world, ada, me } = await startWorld();
    const brief = 'Who will see it?\nWhat must be on it?\nWhere will it run?';
    await setPreset(world, ada, HERE, { 'Brief template': brief });
    await openFilledForm(world, me, { Description: `\n${brief.replaceAll('\n', '\n\n')}  \n` });
    expect((await me.submit()).errors.Description).toMatch(/^Answer the questions/);
    await me.fill({ Description: `${brief}\nEverybody, our logo, in Rome.` });
    await confirmed(world, me);
  });

  it('may be saved as a draft before its questions are answered', async () => {
    const { world, ada, me } = await startWorld();
    const brief = 'Who will see it?';
    await setPreset(world, ada, HERE, { 'Brief template': brief });
    await asked(world, me, {
      Description: brief,
      Draft: ['Save as draft, don’t start work yet'],
    });
  });

  it('is shown to the next admin, checked, and removed when it is emptied', async () => {
    const { world, slack, ada, me } = await startWorld();
    await setPreset(world, ada, ALL, { 'File formats': 'PNG, KEY' });
    await openPreset(world, ada, ALL);
    expect(ada.field('File formats').value).toMatchObject({ value: 'PNG, KEY' });
    // It can't be redrawn for the type, which is said on top of it.
    const heal = slack.faults.add({ method: 'views.update', kind: 'http', status: 503 });
    await ada.fill({ 'Request type': 'Social media' });
    await slack.until(() => !hasField(ada, 'Brief template'), 'the notice');
    heal();
    await ada.close();
    const { errors } = await ada.submit();
    expect(errors['File formats']).toContain('This request type offers: PNG');
    await ada.fill({ 'File formats': null });
    await chooseType(world, ada, null);
    await submitUntil(world, ada, 'Preset removed');
    await openForm(world, me);
    expect(me.field('Request type').value).toMatchObject({ selected_option: null });
  });

  it('keeps its brand if it is saved while brands can’t be read', async () => {
    const { world, service, ada } = await startWorld();
    const changes = { 'Request type': 'Social media', Brand: 'Amber Bakery', Sizes: 'A4' };
    await setPreset(world, ada, ALL, changes);
    const heal = service.faults.add({ operation: 'listBrands', kind: 'status', status: 503 });
    await world.restart();
    await openPreset(world, ada, ALL);
    expect(hasField(ada, 'Brand')).toBe(false);
    await ada.fill({ Sizes: 'A3' });
    await submitUntil(world, ada, 'Preset saved');
    heal();
    await world.restart();
    await openPreset(world, ada, ALL);
    expect(ada.field('Sizes').value).toMatchObject({ value: 'A3' });
    expect(ada.field('Brand').value).toMatchObject({
      selected_option: { text: { text: 'Amber Bakery' } },
    });
  });

  it('keeps what another admin saved while it was open', async ({ world, acme, ada }) => {
    const olga = acme.as(acme.addUser({ name: 'Olga', owner: true }));
    // Longer than a view's metadata.
    const sizes = 'Poster “Spring” 420 × 594 mm, '.repeat(99).trim();
    await setPreset(world, ada, ALL, { 'Request type': 'Social media', Sizes: sizes });
    await openPreset(world, olga, ALL);
    await setPreset(world, ada, ALL, { Brand: 'Amber Bakery', Sizes: 'A4' });
    await chooseType(world, olga, null);
    await olga.fill({ 'Brief template': 'What is it for?' });
    await submitUntil(world, olga, 'Preset saved');

    await openPreset(world, ada, ALL);
    expect(ada.field('Brief template').value).toMatchObject({ value: 'What is it for?' });
    expect(ada.field('Request type').value?.selected_option ?? null).toBeNull();
    expect(ada.field('Sizes').value).toMatchObject({ value: 'A4' });
    expect(ada.field('Brand').value).toMatchObject({
      selected_option: { text: { text: 'Amber Bakery' } },
    });
  });
});
