import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../stand-ins/slack/json.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import type { SentForm } from './forms.ts';
import type { Setting } from './setting.ts';

/** What became of a submission, judged from outside: by the service's ledger and by what people read. */
const OUTCOMES = [
  /** One card, and its author was told. */
  'ok',
  /** Settled without a card, and its author was told. */
  'failed and told',
  /** At most one card, and its author is asked what to do. */
  'in doubt and told',
  /** Will be sent automatically, and its author can know. */
  'waiting',
  /** Slack told its author that it failed, and nothing was created. */
  'not acknowledged',
  /** A card, but nobody was told. */
  'untold',
  /** Acknowledged, no card, and nobody was told. */
  'lost',
  /** More cards than its author asked for. */
  'doubled',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const REFERENCE = /DR-[0-9A-Z]{8}/;

/** Every `POST /card` that arrived, oldest first. */
export function creations({ service }: Setting) {
  return service.calls({ operation: 'createCard' }).map(({ at, executed, requestBody }) => {
    const data = isObject(requestBody) && isObject(requestBody.data) ? requestBody.data : {};
    const reference = REFERENCE.exec(String(data.description))?.[0] ?? '';
    return { at, executed, title: String(data.title), reference };
  });
}

/** How many cards were made beyond one for each reference. */
export function doubledReferences(setting: Setting): number {
  const made = creations(setting).filter(({ executed }) => executed);
  return made.length - new Set(made.map(({ reference }) => reference)).size;
}

/** What was said about a title, in its author's direct messages or in the channel. */
export function messagesAbout(
  setting: Setting,
  { title, by }: Pick<SentForm, 'title' | 'by'>,
): Message[] {
  const { acme, general } = setting;
  const ours = [...acme.directMessages(by.user), ...acme.messages(general)];
  // The space keeps “Request 1” from being found in “Request 12”.
  return ours.filter(
    (message) => message.botId !== undefined && `${message.text} `.includes(`${title} `),
  );
}

export const asksItsAuthor = (message: Message): boolean =>
  textOfMessage(message).includes('Not there, send again');
const CONFIRMS = /> (requested|saved a draft of) |It is a card/;
const SETTLED = /Discarded|didn’t accept it/;
const WAITS = /Your request is saved/;

function outcomeOf(setting: Setting, form: SentForm, made: number): Outcome {
  if (made > 1) return 'doubled';
  const said = messagesAbout(setting, form);
  const text = said
    .map(({ text: line, ...message }) => `${line}\n${textOfMessage({ text: line, ...message })}`)
    .join('\n');
  if (said.some(asksItsAuthor)) return 'in doubt and told';
  if (CONFIRMS.test(text)) return made > 0 ? 'ok' : 'lost';
  if (SETTLED.test(text)) return 'failed and told';
  if (WAITS.test(text)) return 'waiting';
  if (made > 0) return 'untold';
  return form.acknowledged ? 'lost' : 'not acknowledged';
}

export function countOutcomes(setting: Setting, forms: readonly SentForm[]) {
  const made = creations(setting).filter(({ executed }) => executed);
  const cards = Map.groupBy(made, ({ title }) => title);
  const none = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]));
  const counts = none as Record<Outcome, number>;
  for (const form of forms) {
    counts[outcomeOf(setting, form, cards.get(form.title)?.length ?? 0)] += 1;
  }
  return counts;
}

/** Waits until nothing is open any more, at most that long. @returns all outcomes and how many still are */
export async function settle(setting: Setting, forms: readonly SentForm[], withinMs: number) {
  const judge = () => {
    const counts = countOutcomes(setting, forms);
    return { counts, open: counts.lost + counts.untold + counts.waiting };
  };
  await eventually(() => judge().open === 0, withinMs);
  return judge();
}

/** Repeats `read` until it returns something; undefined if it doesn't in time. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  withinMs: number,
): Promise<T | undefined> {
  const until = performance.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (performance.now() > until) return undefined;
    await sleep(LOOK_AGAIN_MS);
  }
}
const LOOK_AGAIN_MS = 50;
