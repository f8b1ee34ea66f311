import { describe, expect, it } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { chooseType, fillForm, optionsOf } from './form.ts';
import { slackCalls } from './links.ts';
import { startWorld, type World } from './world.ts';

/** The app just after a start that could read request types but not brands. */
async function withoutBrandsInMemory() {
  const world = await startWorld();
  const { service } = world;
  const reads = (operation: 'listBrands' | 'listRequestTypes') =>
    service.calls({ operation }).length;
  await expect.poll(() => reads('listBrands')).toBe(1);
  const fault = service.faults.add({ operation: 'listBrands', kind: 'html' });
  await world.restart();
  await expect.poll(() => [reads('listRequestTypes'), reads('listBrands')]).toEqual([2, 2]);
  // Earlier answers are in memory before the fault begins.
  await world.acme.as(world.ann).command(world.general, 'tags');
  fault();
  return { ...world, world, reads, me: world.acme.as(world.ann) };
}

async function openWithoutBrands(world: World, me: Person): Promise<void> {
  const { slack, general } = world;
  await me.command(general);
  await slack.until(() => hasField(me, 'Request type'), 'the form');
  await chooseType(world, me, 'Social media');
}

describe('a form that opens without brands because they couldn’t be read', () => {
  it('gets its brand field once they are read, and keeps what was typed meanwhile', async () => {
    const { world, me, service, slack, reads } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'stall', ms: 400 });
    await openWithoutBrands(world, me);
    expect(me.sees()).toContain('Loading brands…');
    await me.fill({ Title: 'Spring banner', Sizes: 'Post: 1080 × 1080 px' });
    await slack.until(() => hasField(me, 'Brand'), 'the brand field');
    expect(me.sees()).not.toContain('Loading brands…');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(me.field('Sizes').value).toMatchObject({ value: 'Post: 1080 × 1080 px' });
    expect(reads('listBrands')).toBe(3);
  });

  it('gets it even if another request type is chosen meanwhile, without delaying that change', async () => {
    const { world, me, service, slack } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'stall', ms: 2_000 });
    await openWithoutBrands(world, me);
    await me.fill({ 'Request type': 'Presentation' });
    await slack.until(() => optionsOf(me, 'Software').includes('Keynote'), 'the changed form');
    expect(me.sees()).toContain('Loading brands…');
    await me.fill({ Software: 'Keynote' });
    await slack.until(() => hasField(me, 'Brand'), 'the brand field');
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Keynote' } });
  });

  it('is not drawn again if it was sent meanwhile', async () => {
    const { world, me, service } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'stall', ms: 2_000 });
    await openWithoutBrands(world, me);
    await fillForm(world, me);
    await me.submit();
    const answers = () => slackCalls(world, 'views.update').map(({ response }) => response?.error);
    await expect.poll(answers).toContain('hash_conflict');
    expect(hasField(me, 'Title')).toBe(false);
  });

  it('says that the key may not list brands', async () => {
    const { world, me, service, slack } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'status', status: 403 });
    await openWithoutBrands(world, me);
    await slack.until(() => me.sees().includes('We can’t load brands right now'), 'the notice');
    expect(hasField(me, 'Brand')).toBe(false);
  });

  it('stays as it is if Slack refuses the brands, and nobody is told that it didn’t open', async () => {
    const { world, me, slack } = await withoutBrandsInMemory();
    slack.faults.add({ kind: 'error', error: 'fatal_error', method: 'views.update' });
    await me.command(world.general);
    await slack.until(() => hasField(me, 'Request type'), 'the form');
    await slack.until(() => slackCalls(world, 'views.update').length > 0, 'the refused update');
    // Stopping waits for work in progress.
    await world.restart();
    expect(hasField(me, 'Title')).toBe(true);
    const told = world.acme.ephemerals(world.ann).map(({ text }) => text);
    expect(told.filter((text) => !text?.startsWith('Tags'))).toEqual([]);
    expect(world.acme.directMessages(world.ann)).toEqual([]);
  });
});
