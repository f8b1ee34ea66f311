import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from '../app-process.ts';
import { closeForms, prepareAll, type SentForm, sendAll } from '../forms.ts';
import { asksItsAuthor, eventually, messagesAbout } from '../outcomes.ts';
import type { Chance } from '../random.ts';
import type { Setting } from '../setting.ts';
import { type Action, cardsBeginning, decision, link, submission } from './actions.ts';
import type { DatabaseFault } from './database-faults.ts';

export type EpisodeCounts = {
  'accepted and done': number;
  'refused, repeated, and done': number;
  'silent losses': number;
  doubled: number;
  'answers later than 3 s': number;
  crashes: number;
};

/** Forms and links per episode. */
export const FORMS = 6;
const LINKS = 6;
/** Others decide about earlier requests: nobody can press a button in a message with a form in front of it. */
export const DOUBTS = 2;
/** Some people act just before it begins, so that their work is in progress when it does. */
const BEFORE_MS = 300;
const BURST_MS = 1_500;
const SLOW_SERVICE_MS = 800;
const REPEATS = 5;
const REPEAT_AFTER_MS = 1_000;
const DONE_WITHIN_MS = 40_000;
const PATIENCE_MS = 20_000;

/**
 * People send requests, post links, and decide while the database fails; once it works again, they and Slack
 * repeat what was refused.
 *
 * @returns the outcomes, and the app that runs now
 */
export async function episode(
  setting: Setting,
  {
    app,
    fault,
    chance,
    name,
  }: { app: AppProcess; fault: DatabaseFault; chance: Chance; name: string },
): Promise<{ counts: EpisodeCounts; app: AppProcess; lost: string[] }> {
  const { slack, service, people } = setting;
  const [one, two] = await inDoubt({ ...setting, people: people.slice(FORMS) }, [
    `${name} doubt 1`,
    `${name} doubt 2`,
  ]);
  const titles = Array.from({ length: FORMS }, (_, index) => `${name} form ${index + 1}`);
  const forms = await prepareAll(setting, titles);
  const poster = people[0] ?? setting.admin;
  const actions: Action[] = [
    ...forms.map((form) => submission(setting, form)),
    ...Array.from({ length: LINKS }, () =>
      link(setting, poster, service.cards.add({ title: `${name} card` }).id),
    ),
    ...(one ? [decision(setting, one.form, one.question, 'Not there, send again')] : []),
    ...(two ? [decision(setting, two.form, two.question, 'Found it')] : []),
  ];
  service.faults.add({
    operation: 'createCard',
    kind: 'stall',
    ms: chance.below(SLOW_SERVICE_MS),
    times: FORMS / 2,
  });
  const from = slack.deliveries.length;

  // All at once, or spread out.
  const within = chance.is(0.5) ? BURST_MS : BEFORE_MS + fault.lastsMs;
  const acting = Promise.all(
    actions.map(async (action) => {
      await sleep(chance.below(within));
      await action.attempt();
    }),
  );
  // One that fails is reported below.
  acting.catch(() => undefined);
  await sleep(BEFORE_MS);
  const repair = await fault.begin(setting, app);
  await sleep(fault.lastsMs);
  const crashed = app.hasEnded();
  const running = await repair();
  await acting;

  const refused = new Set<Action>();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const again = actions.filter((action) => action.isRefused());
    for (const action of again) refused.add(action);
    await Promise.all(again.map((action) => action.attempt()));
    await sleep(REPEAT_AFTER_MS);
  }
  await eventually(() => actions.every((action) => action.isDone()), DONE_WITHIN_MS);
  await Promise.all(forms.map(({ by }) => closeForms(by)));

  const done = actions.filter((action) => action.isDone());
  const lost = actions.filter((action) => !action.isDone());
  return {
    app: running,
    lost: lost.map(({ what }) => what),
    counts: {
      'accepted and done': done.filter((action) => !refused.has(action)).length,
      'refused, repeated, and done': done.filter((action) => refused.has(action)).length,
      'silent losses': lost.length,
      // Whatever its author changed the title to, a form is one request.
      doubled: titles.filter((title) => cardsBeginning(setting, title) > 1).length,
      'answers later than 3 s': slack.deliveries
        .slice(from)
        .flatMap(({ attempts }) => attempts)
        .filter(({ error }) => error === 'timeout').length,
      crashes: crashed ? 1 : 0,
    },
  };
}

/** Requests whose authors are asked what to do. */
async function inDoubt(setting: Setting, titles: string[]) {
  const { service, slack } = setting;
  service.faults.add({
    operation: 'createCard',
    kind: 'drop-after-executing',
    times: titles.length,
  });
  const forms = await sendAll(setting, titles);
  return Promise.all(
    forms.map(async (form: SentForm) => {
      const find = () => messagesAbout(setting, form).find(asksItsAuthor);
      const question = await slack.until(find, `the question about ${form.title}`, PATIENCE_MS);
      await closeForms(form.by);
      return { form, question };
    }),
  );
}
