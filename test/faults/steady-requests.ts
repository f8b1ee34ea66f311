import { setTimeout as sleep } from 'node:timers/promises';
import { closeForms, prepareForm, type SentForm, submit } from './forms.ts';
import { countOutcomes, creations, eventually } from './outcomes.ts';
import type { Chance } from './random.ts';
import type { Setting } from './setting.ts';

/** The longest pause between two forms of one person. */
const THINKS_MS = 2_000;
const PATIENCE_MS = 60_000;

/** What people experienced during a period; times in ms. */
export type Phase = {
  forms: SentForm[];
  openMs: number[];
  acknowledgedMs: number[];
  deliveredMs: number[];
  /** For each request, how many reads for links started between Send and its own call. */
  letPast: number[];
};

/**
 * Lets everyone open, fill in, and send forms at random times, until there are as many as wanted, and waits
 * until each is a card.
 */
export async function sendSteadily(
  setting: Setting,
  chance: Chance,
  count: number,
  name: string,
): Promise<Phase> {
  const { slack, acme, people } = setting;
  const phase: Phase = { forms: [], openMs: [], acknowledgedMs: [], deliveredMs: [], letPast: [] };
  let begun = 0;
  const callsBefore = slack.apiCalls.length;
  await Promise.all(
    people.map(async (user) => {
      const by = acme.as(user);
      while (begun < count) {
        begun += 1;
        const title = `${name} ${begun}`;
        await sleep(chance.below(THINKS_MS));
        await closeForms(by);
        const form = await prepareForm(setting, by, title);
        const { told } = await submit(form);
        phase.forms.push(form);
        phase.acknowledgedMs.push(told?.ms ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
  await eventually(
    () => countOutcomes(setting, phase.forms).ok === phase.forms.length,
    PATIENCE_MS,
  );
  const opens = slack.apiCalls.slice(callsBefore).filter(({ method }) => method === 'views.open');
  // A trigger ID starts with the time at which the stand-in issued it, in ms.
  phase.openMs = opens.map(
    ({ at, args }) => at.getTime() - Number.parseInt(String(args.trigger_id), 10),
  );
  const ways = phase.forms.map((form) => timeToService(setting, form));
  phase.deliveredMs = ways.map(({ ms }) => ms);
  phase.letPast = ways.map(({ reads }) => reads);
  return phase;
}

/** From pressing Send until the service had the card: how long, and how many reads it got in between. */
function timeToService(setting: Setting, { title, submittedAt }: SentForm) {
  const made = creations(setting).find((creation) => creation.title === title);
  if (!made) return { ms: Number.POSITIVE_INFINITY, reads: Number.POSITIVE_INFINITY };
  const pressedAt = performance.timeOrigin + (submittedAt ?? 0);
  const arrivedAt = made.at.getTime();
  const reads = setting.service
    .calls({ operation: 'getCard' })
    .filter(({ at }) => at.getTime() > pressedAt && at.getTime() < arrivedAt);
  return { ms: arrivedAt - pressedAt, reads: reads.length };
}
