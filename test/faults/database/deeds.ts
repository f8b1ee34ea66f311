import type { Message, User } from '../../stand-ins/slack/state/model.ts';
import type { Order } from '../ordering.ts';
import { asksItsAuthor, creations, outcomeOf } from '../outcomes.ts';
import type { Setting } from '../setting.ts';

/** Something that a person does while the database fails. */
export type Deed = {
  what: string;
  /** Does it; again where Slack or its author knows that it was not taken. */
  attempt(): Promise<void>;
  /** Whether it was not taken, and Slack or its author knows. */
  isRefused(): boolean;
  /** Whether what was asked for has happened, and is told. */
  isDone(): boolean;
};

const SAID_IN_THE_FORM = /couldn’t be saved/;
const PATIENCE_MS = 10_000;

/**
 * A person presses Send in a form that is filled in. Where words at the form say that it was not saved,
 * they think again and change its title.
 */
export function submission(setting: Setting, order: Order): Deed {
  return {
    what: `the form “${order.title}”`,
    async attempt() {
      const { outcome, errors } = await order.by.submit(order.view);
      if (outcome === 'updated') order.acknowledged = true;
      if (!SAID_IN_THE_FORM.test(Object.values(errors).join())) return;
      order.title = `${order.title}, better`;
      await order.by.fill({ Title: order.title });
    },
    isRefused: () => !order.acknowledged && order.by.currentView()?.id === order.view.id,
    isDone() {
      const outcome = outcomeOf(setting, order, cardsOf(setting, order.title));
      return outcome === 'ok' || outcome === 'in doubt and told';
    },
  };
}

/** A person posts the link of a card; Slack repeats the event until it is acknowledged. */
export function link(setting: Setting, user: User, cardId: string): Deed {
  const { acme, general, slack, cardUrl } = setting;
  let message: Message | undefined;
  const delivery = () =>
    slack.deliveries.find(
      ({ kind, payload }) =>
        kind === 'event' && JSON.stringify(payload.event).includes(`"${message?.ts}"`),
    );
  return {
    what: `the link to ${cardId}`,
    async attempt() {
      const known = delivery();
      if (known) {
        await slack.redeliver(known, known.attempts.length);
        return;
      }
      message = await acme.as(user).post(general, cardUrl(cardId));
      await slack.until(() => delivery()?.settled, 'the event', PATIENCE_MS);
    },
    isRefused: () => delivery()?.acknowledged === false,
    isDone: () => message?.attachments.length === 1,
  };
}

/** A person decides about a request in doubt. Told that something failed, they press again. */
export function decision(
  setting: Setting,
  order: Order,
  question: Message,
  button: 'Send again' | 'It is there',
): Deed {
  const { acme } = setting;
  const cards = button === 'Send again' ? 2 : 1;
  const told = () =>
    acme.ephemerals(order.by.user).filter(({ text }) => text.includes('unexpected')).length;
  let toldBefore = 0;
  return {
    what: `“${button}” for “${order.title}”`,
    async attempt() {
      toldBefore = told();
      await order.by.click({ message: question, text: button }).catch(() => undefined);
    },
    isRefused: () => asksItsAuthor(question) && told() > toldBefore,
    // A card that was sent for again may be in doubt again; then its author is asked again.
    isDone: () =>
      cardsOf(setting, order.title) === cards && (cards === 2 || !asksItsAuthor(question)),
  };
}

const cardsOf = (setting: Setting, title: string): number =>
  creations(setting).filter((made) => made.executed && made.title === title).length;

export const cardsBeginning = (setting: Setting, title: string): number =>
  creations(setting).filter((made) => made.executed && made.title.startsWith(title)).length;
