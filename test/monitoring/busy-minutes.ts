import { setTimeout } from 'node:timers/promises';
import { sendRequest } from '../journeys/form.ts';
import type { Stage } from '../sandbox/stage.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';

/** What goes wrong, from when to when, in seconds since the start. */
const TROUBLES: { from: number; to: number; begin: (stage: Stage) => () => void }[] = [
  {
    from: 90,
    to: 125,
    begin: ({ service }) => service.faults.add({ kind: 'status', status: 503, executed: false }),
  },
  {
    from: 165,
    to: 195,
    begin: ({ slack }) =>
      slack.faults.add({ kind: 'error', method: 'chat.unfurl', error: 'cannot_unfurl_url' }),
  },
  {
    from: 210,
    to: 235,
    begin: ({ service }) => service.faults.add({ kind: 'stall', ms: 1_500 }),
  },
  {
    from: 250,
    to: 256,
    begin: ({ service }) => service.faults.add({ kind: 'rate-limited', retryAfter: 10 }),
  },
];
export const BUSY_SECONDS = 300;
const BETWEEN_ACTIONS_MS = 700;

/** Five minutes of two busy people, in which the service and Slack have their troubles. */
export async function spendBusyMinutes(stage: Stage): Promise<void> {
  const signal = AbortSignal.timeout(BUSY_SECONDS * 1_000);
  const people = [stage.ann, stage.ada].map((user) =>
    keepActing(stage, stage.acme.as(user), signal),
  );
  await Promise.all([...people, ...TROUBLES.map((trouble) => cause(stage, trouble))]);
}

async function cause(stage: Stage, { from, to, begin }: (typeof TROUBLES)[number]): Promise<void> {
  await setTimeout(from * 1_000);
  const end = begin(stage);
  await setTimeout((to - from) * 1_000);
  end();
}

async function keepActing(stage: Stage, me: Person, signal: AbortSignal): Promise<void> {
  const { slack, general, service, cardUrl } = stage;
  const actions = [
    () => sendRequest({ slack, general }, me),
    () => me.command(general, 'list'),
    ...[0, 7, 3].map((older) => async () => {
      const card = service.cards.all().at(-1 - older);
      await me.post(general, `Have a look: ${cardUrl(card?.id ?? '')}`);
    }),
    () => me.command(general, 'help'),
  ];
  for (let turn = 0; !signal.aborted; turn += 1) {
    // In a trouble, some things fail, and people go on.
    await actions[turn % actions.length]?.().catch(() => undefined);
    if (me.currentView()) await me.close({ all: true });
    await setTimeout(BETWEEN_ACTIONS_MS);
  }
}
