import { DEFAULT_ACCOUNT } from '../stand-ins/design-service/api-keys.ts';
import type { Delivery } from '../stand-ins/slack/dispatch/delivery.ts';
import { isObject } from '../stand-ins/slack/json.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { memberOf } from './forms.ts';
import type { Chance } from './random.ts';
import type { Setting } from './setting.ts';

/** A message with a card link, and the event that Slack sent about it. */
export type Posted = { message: Message; delivery: Delivery; cardId: string; at: Date };

/** Posts the link of some card. Slack sends the event in the background. */
export async function postLink(
  setting: Setting,
  chance: Chance,
  cardId = anyCard(setting, chance),
): Promise<Posted> {
  const { slack, people, general, cardUrl } = setting;
  const poster = memberOf(setting, chance.below(people.length));
  const at = setting.clock.now();
  const message = await poster.post(general, `Look: ${cardUrl(cardId)}`);
  const delivery = slack.deliveries.findLast(
    ({ kind, payload }) =>
      kind === 'event' && isObject(payload.event) && payload.event.message_ts === message.ts,
  );
  if (!delivery) throw new Error('Slack sent no link event to the app');
  return { message, delivery, cardId, at };
}

export async function postLinks(setting: Setting, chance: Chance, count: number) {
  const posted: Posted[] = [];
  while (posted.length < count) posted.push(await postLink(setting, chance));
  return posted;
}

/** Posts so many links per second until told to stop; then returns them all. */
export function postSteadily(setting: Setting, chance: Chance, aSecond: number) {
  const posting: Promise<Posted>[] = [];
  const timer = setInterval(() => posting.push(postLink(setting, chance)), 1_000 / aSecond);
  return {
    async end() {
      clearInterval(timer);
      await setting.slack.idle();
      return Promise.all(posting);
    },
  };
}

export const unfurlsOf = ({ slack }: Setting, { message }: Posted): number =>
  slack.apiCalls.filter(({ method, args }) => method === 'chat.unfurl' && args.ts === message.ts)
    .length;

function anyCard({ service }: Setting, chance: Chance): string {
  // One of the demo cards belongs to another account, and is not shown.
  const cards = service.cards.all().filter(({ account }) => account === DEFAULT_ACCOUNT);
  return cards[chance.below(cards.length)]?.id ?? 'card-1001';
}
