import { describe, expect, it } from 'vitest';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { fillForm, hasField } from './form.ts';
import { slackCalls } from './links.ts';
import { startWorld, type World } from './world.ts';

/** The app just after a start at which request types could be read, and brands could not. */
async function withoutBrandsInMemory() {
  const world = await startWorld();
  const { service } = world;
  const reads = (operation: 'listBrands' | 'listRequestTypes') =>
    service.calls({ operation }).length;
  await expect.poll(() => reads('listBrands')).toBe(1);
  const fault = service.faults.add({ operation: 'listBrands', kind: 'html' });
  await world.restart();
  await expect.poll(() => [reads('listRequestTypes'), reads('listBrands')]).toEqual([2, 2]);
  // What was answered is in memory by the time that the service is asked something else.
  await world.acme.as(world.ann).command(world.general, 'tags');
  fault();
  return { ...world, world, reads, me: world.acme.as(world.ann) };
}

async function openWithoutBrands({ slack, general }: World, me: Person): Promise<void> {
  await me.command(general);
  await slack.until(() => hasField(me, 'Request type'), 'the form');
}

describe('a form that opens without brands, since they could not be read', () => {
  it('gets its brand field when they are read, and keeps what was typed meanwhile', async () => {
    const { world, me, service, slack, reads } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'stall', ms: 400 });
    await openWithoutBrands(world, me);
    expect(me.sees()).toContain('Loading brands…');
    await me.fill({ Title: 'Spring banner', Dimensions: 'Post: 1080 × 1080 px' });
    await slack.until(() => hasField(me, 'Brand'), 'the brand field');
    expect(me.sees()).not.toContain('Loading brands…');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(me.field('Dimensions').value).toMatchObject({ value: 'Post: 1080 × 1080 px' });
    expect(reads('listBrands')).toBe(3);
  });

  it('gets it also where another request type is chosen meanwhile, which waits for nothing', async () => {
    const { world, me, service, slack } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'stall', ms: 2_000 });
    await openWithoutBrands(world, me);
    await me.fill({ 'Request type': 'Presentation' });
    await slack.until(() => me.field('Software').options.includes('Keynote'), 'the changed form');
    expect(me.sees()).toContain('Loading brands…');
    await me.fill({ Software: 'Keynote' });
    await slack.until(() => hasField(me, 'Brand'), 'the brand field', 15_000);
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Keynote' } });
  });

  it('does not come back where it was sent meanwhile', async () => {
    const { world, me, service } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'stall', ms: 2_000 });
    await openWithoutBrands(world, me);
    await fillForm(world, me);
    await me.submit();
    const answers = () => slackCalls(world, 'views.update').map(({ response }) => response?.error);
    await expect.poll(answers, { timeout: 10_000 }).toContain('hash_conflict');
    expect(hasField(me, 'Title')).toBe(false);
  });

  it('says so where the key may not list them', async () => {
    const { world, me, service, slack } = await withoutBrandsInMemory();
    service.faults.add({ operation: 'listBrands', kind: 'status', status: 403 });
    await openWithoutBrands(world, me);
    await slack.until(() => me.sees().includes('Brands can’t be loaded right now'), 'words');
    expect(hasField(me, 'Brand')).toBe(false);
  });

  it('stays as it is where Slack does not take the brands, and nobody is told that it did not open', async () => {
    const { world, me, slack } = await withoutBrandsInMemory();
    slack.faults.add({ kind: 'error', error: 'fatal_error', method: 'views.update' });
    await openWithoutBrands(world, me);
    await slack.until(() => slackCalls(world, 'views.update').length > 0, 'the refused update');
    // A stop waits for what is under way.
    await world.restart();
    expect(hasField(me, 'Title')).toBe(true);
    const told = world.acme.ephemerals(world.ann).map(({ text }) => text);
    expect(told.filter((text) => text?.includes('be opened'))).toEqual([]);
  });
});
