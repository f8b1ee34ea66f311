import { describe, expect, it } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { databaseOf } from './database-rows.ts';
import { asked, chooseType, fillForm, pressUntil, showAllFields, untilSees } from './form.ts';
import { NO_CARD, slackCalls } from './links.ts';
import { listsRead } from './lists-read.ts';
import { type World, worldAhead } from './world.ts';

const WAITS = 'Keep this open';

/** A world whose clock can be moved, and whose lists can't be read after a restart. */
async function withoutLists(fault: Fault = { method: 'GET', kind: 'html' }) {
  const ahead = await worldAhead();
  const { world, pass, slack, service, general, ada, config } = ahead;
  const now = () => slack.state.clock().getTime();
  const waiting = () => waitingForms({ config, now });
  const reads = () => service.calls({ operation: 'listRequestTypes' }).length;
  const answer = service.faults.add(fault);
  await world.restart();
  return {
    ...ahead,
    now,
    reads,
    answer,
    waiting,
    /** Opens the form and waits until it says that it is waiting for the service. */
    async openWaiting(me: Person, typed = '') {
      const before = (await waiting()).all;
      await me.command(general, typed);
      await untilSees(world, me, WAITS);
      await expect.poll(async () => (await waiting()).all).toBe(before + 1);
    },
    /** Moves the clock by that many seconds, and waits for the retries that are due by then. */
    async later(seconds: number) {
      pass(seconds * 1_000);
      await ada.post(general, NO_CARD);
      await expect.poll(async () => (await waiting()).due).toBe(0);
    },
  };
}

/** How many forms are still to be retried, and how many of them now. */
async function waitingForms({ config, now }: Pick<World, 'config'> & { now: () => number }) {
  const jobs = await databaseOf({ config })
    .selectFrom('jobs')
    .select(['state', 'runAt'])
    .where('kind', '=', 'complete-form')
    .where('state', '!=', 'done')
    .execute();
  const due = jobs.filter(({ state, runAt }) => state === 'running' || Number(runAt) <= now());
  return { all: jobs.length, due: due.length };
}

function newPeople({ acme, general }: World, count: number): Person[] {
  const users = Array.from({ length: count }, (_, at) => acme.addUser({ name: `Person ${at}` }));
  for (const { id } of users) general.members.add(id);
  return users.map((user) => acme.as(user));
}

const complete = ({ slack }: World, me: Person) =>
  slack.until(() => hasField(me, 'Request type'), 'the complete form');

describe('a form that opens while the service can’t answer', () => {
  it.each<[string, string, number, Fault]>([
    ['an HTML page', 'answer that we can’t read', 12, { method: 'GET', kind: 'html' }],
    ['too many calls', 'is busy', 70, { method: 'GET', kind: 'rate-limited' }],
  ])(
    'gets %s, which it says (%s), and is completed automatically %i s later',
    async (_what, words, seconds, fault) => {
      const { world, me, answer, later, openWaiting } = await withoutLists(fault);
      await openWaiting(me, 'Spring banner');
      expect(me.sees()).toContain(words);
      expect(me.sees()).toContain('Try again');
      answer();
      await later(seconds);
      await complete(world, me);
      expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
      await chooseType(world, me, 'Social media');
      expect(hasField(me, 'Brand')).toBe(true);
    },
  );

  it('is retried repeatedly, together with all others of its workspace', async () => {
    const { world, reads, answer, later, openWaiting } = await withoutLists();
    const people = newPeople(world, 5);
    for (const one of people) await openWaiting(one);
    for (let time = 1; time <= 4; time += 1) {
      const [before, hashes] = [reads(), people.map((one) => one.currentView()?.hash)];
      await later(60);
      for (const [index, one] of people.entries()) {
        expect(one.currentView()?.hash).not.toBe(hashes[index]);
      }
      expect(reads()).toBe(before + 1);
    }
    const before = reads();
    answer();
    await later(60);
    for (const one of people) await complete(world, one);
    expect(reads()).toBe(before + 1);
  });

  it('is retried at the same moments as forms that opened at other times', async () => {
    const { world, reads, later, now, openWaiting } = await withoutLists();
    for (const one of newPeople(world, 4)) {
      await openWaiting(one);
      await later(4);
    }
    const minute = async () => {
      for (let seconds = 4; seconds <= 60; seconds += 4) await later(4);
    };
    await minute();
    const [before, began] = [reads(), now()];
    await minute();
    expect(reads() - before).toBeLessThanOrEqual((now() - began) / 10_000 + 1);
  });

  it('is not retried once it is closed', async () => {
    const { world, me, reads, later, waiting, openWaiting } = await withoutLists();
    await openWaiting(me);
    await me.close();
    await later(60);
    expect((await waiting()).all).toBe(0);
    const before = reads();
    for (let time = 1; time <= 3; time += 1) await later(60);
    await world.restart();
    // A start reads the lists once.
    expect(reads()).toBeLessThanOrEqual(before + 1);
  });

  it('is left alone once “Try again” has completed it', async () => {
    const { world, me, answer, later, slack, waiting, openWaiting } = await withoutLists();
    await openWaiting(me);
    answer();
    await me.click({ text: 'Try again' });
    await complete(world, me);
    await fillForm(world, me);
    const { hash } = me.currentView() ?? {};
    await later(60);
    expect((await waiting()).all).toBe(0);
    await slack.idle();
    expect(me.currentView()?.hash).toBe(hash);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('is completed even if the app was restarted meanwhile', async () => {
    const { world, me, answer, later, openWaiting } = await withoutLists();
    await openWaiting(me, 'Spring banner');
    await world.restart();
    answer();
    await later(60);
    await complete(world, me);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('stops being retried after half an hour, and offers a button to try again', async () => {
    const { world, me, answer, reads, later, slack, openWaiting } = await withoutLists();
    await openWaiting(me, 'Spring banner');
    await later(31 * 60);
    await slack.until(() => !me.sees().includes(WAITS), 'the last words');
    expect(me.sees()).toContain('Try again in a moment');
    const before = reads();
    await later(60);
    expect(reads()).toBe(before);
    answer();
    await me.click({ text: 'Try again' });
    await complete(world, me);
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it('is not retried before the service allows it', async () => {
    const { world, me, reads, later, openWaiting } = await withoutLists({
      method: 'GET',
      kind: 'rate-limited',
      retryAfter: 300,
    });
    await openWaiting(me);
    const [before, drawn] = [reads(), slackCalls(world, 'views.update').length];
    for (let time = 1; time <= 4; time += 1) await later(60);
    await world.restart();
    expect(reads()).toBe(before);
    expect(slackCalls(world, 'views.update')).toHaveLength(drawn);
    await later(120);
    await expect.poll(reads).toBeGreaterThan(before);
  });

  it('is not retried if that can’t help', async () => {
    const { world, me, general, waiting } = await withoutLists({
      method: 'GET',
      kind: 'status',
      status: 403,
    });
    await me.command(general);
    await untilSees(world, me, 'This workspace’s API key can’t read that');
    expect(me.sees()).not.toContain(WAITS);
    expect((await waiting()).all).toBe(0);
  });

  it('comes back filled in if it is a rejected request', async () => {
    const { world, me, answer, later, service } = await withoutLists();
    answer();
    service.faults.add({ operation: 'createCard', kind: 'status', status: 400, times: 1 });
    const message = await asked(world, me);
    expect(textOfMessage(message)).toContain('didn’t accept');
    const answerAgain = service.faults.add({ method: 'GET', kind: 'html' });
    await world.restart();
    await pressUntil(world, me, { message, text: 'Fix and resend' }, WAITS);
    answerAgain();
    await later(60);
    await complete(world, me);
    await showAllFields(world, me);
    expect(me.field('Software').value).toMatchObject({ selected_option: { value: 'Figma' } });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
  });
});

it.each<Fault>([{ kind: 'html' }, { kind: 'status', status: 403 }])(
  'a form opens without brands that can’t be listed (%o), and has them at the next redraw',
  async (fault) => {
    const { world, me, answer } = await withoutLists({ operation: 'listBrands', ...fault });
    await me.command(world.general, 'Spring banner');
    await complete(world, me);
    await chooseType(world, me, 'Social media');
    await untilSees(world, me, 'We can’t load brands right now');
    expect(hasField(me, 'Brand')).toBe(false);
    answer();
    await world.restart();
    await listsRead(world);
    await chooseType(world, me, 'Print');
    expect(hasField(me, 'Brand')).toBe(true);
  },
);
