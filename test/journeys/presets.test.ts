import { describe, expect, it } from 'vitest';
import { chooseType, fillForm, hasField, openForm } from './form.ts';
import { openPreset, setPreset } from './presets.ts';
import { startWorld } from './world.ts';

const ALL = 'Preset for all channels';
const HERE = 'Preset for this channel';

describe('a preset', () => {
  it('fills new forms: in its channel first, then in all of the workspace', async () => {
    const world = await startWorld();
    const { acme, ann, admin, general } = world;
    const ada = acme.as(admin);
    const brief = 'What is it for?\nWho will see it?';
    await setPreset(world, ada, ALL, {
      ...{ 'Request type': 'Social media', Sizes: 'Story: 1080 × 1920 px' },
      ...{ 'File formats': 'PNG, MP4', 'Brief template': brief },
    });
    await ada.close({ all: true });
    await setPreset(world, ada, HERE, { 'Request type': 'Presentation', Brand: 'Amber Bakery' });
    await ada.close({ all: true });

    const me = acme.as(ann);
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

  it('comes after what a person chose before', async () => {
    const world = await startWorld();
    const { acme, ann, admin, general, slack } = world;
    const me = acme.as(ann);
    await openForm(world, me);
    await fillForm(world, me);
    await me.submit();
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
    await me.close({ all: true });
    const ada = acme.as(admin);
    const changes = { 'Request type': 'Social media', Sizes: 'A4', 'File formats': 'MP4' };
    await setPreset(world, ada, HERE, changes);
    await openForm(world, me);
    expect(me.sees()).toMatch(/Set for you: Post: 1080 × 1080 px.*PNG, JPG/);
  });

  it('leaves an open form with its type, even if it was changed since', async () => {
    const world = await startWorld();
    const { acme, ann, admin } = world;
    const ada = acme.as(admin);
    await setPreset(world, ada, ALL, { 'Request type': 'Social media', Sizes: 'A4' });
    await ada.close({ all: true });
    const me = acme.as(ann);
    await openForm(world, me);
    expect(me.sees()).toContain('Set for you: A4');
    await setPreset(world, ada, ALL, { Sizes: 'A3' });
    await chooseType(world, me, 'Presentation');
    expect(me.field('Sizes').value).toMatchObject({ value: null });
  });

  it('is shown to the next admin, checked, and removed when it is emptied', async () => {
    const world = await startWorld();
    const { acme, ann, admin } = world;
    const ada = acme.as(admin);
    await setPreset(world, ada, ALL, { 'Request type': 'Social media', 'File formats': 'PNG' });
    await ada.close({ all: true });
    await openPreset(world, ada, ALL);
    expect(ada.field('File formats').value).toMatchObject({ value: 'PNG' });
    await ada.fill({ 'File formats': 'PNG, KEY' });
    const { errors } = await ada.submit();
    expect(errors['File formats']).toContain('This request type offers: PNG');
    await ada.fill({ 'Request type': null, 'File formats': null });
    await ada.submit();
    await world.slack.until(() => ada.sees().includes('Preset removed'), 'the outcome');
    await ada.close({ all: true });
    const me = acme.as(ann);
    await openForm(world, me);
    expect(me.field('Request type').value).toMatchObject({ selected_option: null });
  });

  it('keeps its brand if it is saved while brands can’t be read', async () => {
    const world = await startWorld();
    const { acme, admin, service } = world;
    const ada = acme.as(admin);
    const changes = { 'Request type': 'Social media', Brand: 'Amber Bakery', Sizes: 'A4' };
    await setPreset(world, ada, ALL, changes);
    await ada.close({ all: true });
    const heal = service.faults.add({ operation: 'listBrands', kind: 'status', status: 503 });
    await world.restart();
    await openPreset(world, ada, ALL);
    expect(hasField(ada, 'Brand')).toBe(false);
    await ada.fill({ Sizes: 'A3' });
    await ada.submit();
    await world.slack.until(() => ada.sees().includes('Preset saved'), 'the outcome');
    await ada.close({ all: true });
    heal();
    await world.restart();
    await openPreset(world, ada, ALL);
    expect(ada.field('Sizes').value).toMatchObject({ value: 'A3' });
    expect(ada.field('Brand').value).toMatchObject({
      selected_option: { text: { text: 'Amber Bakery' } },
    });
  });
});
