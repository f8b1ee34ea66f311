import { hasField } from '../../sandbox/complete-form.ts';
import type { Message, User } from '../../stand-ins/slack/state/model.ts';
import { maySubmit, type SentForm } from '../forms.ts';
import { decide } from '../in-doubt.ts';
import { asksItsAuthor, creations, outcomeOf } from '../outcomes.ts';
import type { Setting } from '../setting.ts';

/** What a person does while the database fails. */
export type Action = {
  what: string;
  /** Does it; repeats it if Slack or the person knows that it wasn't accepted. */
  attempt(): Promise<void>;
  /** Whether it wasn't accepted, and Slack or the person knows. */
  isRefused(): boolean;
  /** Whether its effect has happened and was announced. */
  isDone(): boolean;
};

const SAID_IN_THE_FORM = /couldn’t save your request/;
const PATIENCE_MS = 10_000;

/**
 * A person presses Send in a filled-in form. If the form says that it wasn't saved, they also change its
 * title.
 */
export function submission(setting: Setting, form: SentForm): Action {
  return {
    what: `the form “${form.title}”`,
    async attempt() {
      const { outcome, errors } = await form.by.submit(form.view);
      if (outcome === 'updated') form.acknowledged = true;
      if (!SAID_IN_THE_FORM.test(Object.values(errors).join())) return;
      // It was saved after all, and the form says so by now.
      if (!hasField(form.by, 'Title')) return;
      form.title = `${form.title}, better`;
      await form.by.fill({ Title: form.title });
    },
    isRefused: () => maySubmit(form),
    isDone() {
      const outcome = outcomeOf(setting, form, cardsOf(setting, form.title));
      return outcome === 'ok' || outcome === 'in doubt and told';
    },
  };
}

/** A person posts a card link; Slack retries the event until it is acknowledged. */
export function link(setting: Setting, user: User, cardId: string): Action {
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

/** A person decides about a request in doubt. If they are told that it failed, they press again. */
export function decision(
  setting: Setting,
  form: SentForm,
  question: Message,
  button: 'Not there, send again' | 'Found it',
): Action {
  const { acme } = setting;
  const cards = button === 'Not there, send again' ? 2 : 1;
  const told = () =>
    acme.ephemerals(form.by.user).filter(({ text }) => text.includes('unexpected')).length;
  let toldBefore = 0;
  return {
    what: `“${button}” for “${form.title}”`,
    async attempt() {
      toldBefore = told();
      const answer = { message: question, decision: button, title: form.title };
      await decide(setting, form.by, answer).catch(() => undefined);
    },
    isRefused: () => asksItsAuthor(question) && (button === 'Found it' || told() > toldBefore),
    // A card that was sent again may be in doubt again; then its author is asked again.
    isDone: () =>
      cardsOf(setting, form.title) === cards && (cards === 2 || !asksItsAuthor(question)),
  };
}

const cardsOf = (setting: Setting, title: string): number =>
  creations(setting).filter((made) => made.executed && made.title === title).length;

export const cardsBeginning = (setting: Setting, title: string): number =>
  creations(setting).filter((made) => made.executed && made.title.startsWith(title)).length;
