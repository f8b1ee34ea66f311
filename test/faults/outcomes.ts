import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../stand-ins/slack/json.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import type { SentForm } from './forms.ts';
import type { Setting } from './setting.ts';

/** What became of a submission, judged from outside: by the service's ledger and by what people read. */
export type Outcome =
  /** One card, and its author was told. */
  | 'ok'
  /** Settled without a card, and its author was told. */
  | 'failed and told'
  /** At most one card, and its author is asked what to do. */
  | 'in doubt and told'
  /** Will be sent automatically, and its author can know. */
  | 'waiting'
  /** Acknowledged, no card, and nobody was told. */
  | 'lost'
  /** A card, but nobody was told. */
  | 'untold'
  /** More cards than its author asked for. */
  | 'doubled'
  /** Slack told its author that it failed, and nothing was created. */
  | 'not acknowledged';

/** One creation in the service's ledger. */
export type Creation = { at: Date; title: string; reference: string; executed: boolean };

const REFERENCE = /DR-[0-9A-Z]{8}/;

/** Every `POST /card` that arrived, oldest first. */
export function creations({ service }: Setting): Creation[] {
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
export function messagesAbout(setting: Setting, { title, by }: SentForm): Message[] {
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

/**
 * Judges one submission.
 *
 * @param allowed how many cards its author asked for: one, and one more for each “Not there, send again”
 */
export function outcomeOf(setting: Setting, form: SentForm, made: number, allowed = 1): Outcome {
  if (made > allowed) return 'doubled';
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

/** Counts all outcomes, in the order of the table. */
export function countOutcomes(
  setting: Setting,
  forms: readonly SentForm[],
): Record<Outcome, number> {
  const cards = Map.groupBy(
    creations(setting).filter(({ executed }) => executed),
    ({ title }) => title,
  );
  const counts: Record<Outcome, number> = {
    ok: 0,
    'failed and told': 0,
    'in doubt and told': 0,
    waiting: 0,
    'not acknowledged': 0,
    untold: 0,
    lost: 0,
    doubled: 0,
  };
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
