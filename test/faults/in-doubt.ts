import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { closeForms, hasField, type Order, orderAll } from './ordering.ts';
import { asksItsAuthor, creations, messagesAbout } from './outcomes.ts';
import type { Chance } from './random.ts';
import type { Setting } from './setting.ts';

/** What came of orders whose creations had no clear answer. */
export type InDoubtFigures = {
  counts: {
    ok: number;
    'asked and sent again': number;
    'asked and said to be there': number;
    'asked and discarded': number;
    'told nothing': number;
    lost: number;
    doubled: number;
  };
  /** Creations that arrived though nobody had asked for them again. */
  automatic: number;
  /** Whether nothing was lost or doubled, and nobody left without a word. */
  holds: boolean;
} & Times;

type Times = {
  /** From pressing Send until the author was asked, in ms. */
  askedAfterMs: number[];
  /** From pressing Send until the author had the confirmation without having been asked, in ms. */
  confirmedAfterMs: number[];
};

type Decision = 'Send again' | 'It is there' | 'Discard';
/** What one author did: how often sent again, and how it ended. */
type Story = { order: Order; sentAgain: number; end: 'card' | 'nothing' | Decision };

/** The project of the cards that the stand-in makes. */
const PROJECT = 'project-1';
const PATIENCE_MS = 20_000;

/** An admin names the project in the settings, so that requests in doubt are searched for in it. */
export async function setProject({ acme, admin, general, slack }: Setting): Promise<void> {
  const ada = acme.as(admin);
  await closeForms(ada);
  await ada.command(general, 'settings');
  await slack.until(() => hasField(ada, 'Project id'), 'the settings', PATIENCE_MS);
  await ada.fill({ 'Project id': PROJECT });
  await ada.submit();
}

/** Orders in waves, one form for each person, and lets the authors decide by chance. */
export async function orderInDoubt(options: {
  setting: Setting;
  chance: Chance;
  orders: number;
  /** What their titles begin with. */
  name: string;
  say(progress: string): void;
}): Promise<InDoubtFigures> {
  const { setting, chance, orders, name, say } = options;
  const stories: Story[] = [];
  const times: Times = { askedAfterMs: [], confirmedAfterMs: [] };
  while (stories.length < orders) {
    const size = Math.min(setting.people.length, orders - stories.length);
    const from = stories.length + 1;
    const titles = Array.from({ length: size }, (_, index) => `${name} ${from + index}`);
    const wave = await orderAll(setting, titles);
    stories.push(
      ...(await Promise.all(wave.map((order) => untilSettled(setting, chance, order, times)))),
    );
    await Promise.all(wave.map(({ by }) => closeForms(by)));
    say(`${stories.length} of ${orders} orders`);
  }
  return { ...judge(setting, stories), ...times };
}

async function untilSettled(
  setting: Setting,
  chance: Chance,
  order: Order,
  times: Times,
): Promise<Story> {
  const { slack } = setting;
  let sentAgain = 0;
  let toldBefore = 0;
  for (;;) {
    const message = await slack
      .until(() => newestWord(setting, order, toldBefore), 'word', PATIENCE_MS)
      .catch(() => undefined);
    if (!message) return { order, sentAgain, end: 'nothing' };
    const afterMs = performance.now() - (order.submittedAt ?? 0);
    if (!asksItsAuthor(message)) {
      if (sentAgain === 0) times.confirmedAfterMs.push(afterMs);
      return { order, sentAgain, end: 'card' };
    }
    if (sentAgain === 0) times.askedAfterMs.push(afterMs);
    const decision = chance.pick<Decision>(['Send again', 'Send again', 'It is there', 'Discard']);
    toldBefore = timesTold(setting, message);
    await order.by.click({ message, text: decision });
    if (decision !== 'Send again') {
      const noted = () => !textOfMessage(message).includes('Send again');
      await slack.until(noted, `“${decision}” to be noted`, PATIENCE_MS);
      return { order, sentAgain, end: decision };
    }
    sentAgain += 1;
  }
}

/** The note or the confirmation, once it has been written anew. */
function newestWord(setting: Setting, order: Order, toldBefore: number): Message | undefined {
  const said = messagesAbout(setting, order);
  const note = said.find(asksItsAuthor);
  if (!note) return said.at(-1);
  return timesTold(setting, note) > toldBefore ? note : undefined;
}

/** How often this message was written: posted once, then updated. */
function timesTold({ slack }: Setting, { ts }: Message): number {
  return (
    1 +
    slack.apiCalls.filter(({ method, args }) => method === 'chat.update' && args.ts === ts).length
  );
}

function judge(setting: Setting, stories: Story[]): Omit<InDoubtFigures, keyof Times> {
  const arrived = Map.groupBy(creations(setting), ({ title }) => title);
  const counts: InDoubtFigures['counts'] = {
    ok: 0,
    'asked and sent again': 0,
    'asked and said to be there': 0,
    'asked and discarded': 0,
    'told nothing': 0,
    lost: 0,
    doubled: 0,
  };
  let automatic = 0;
  for (const story of stories) {
    const calls = arrived.get(story.order.title) ?? [];
    automatic += Math.max(0, calls.length - 1 - story.sentAgain);
    counts[kindOf(story, calls.filter(({ executed }) => executed).length)] += 1;
  }
  return {
    counts,
    automatic,
    holds: counts['told nothing'] + counts.lost + counts.doubled + automatic === 0,
  };
}

function kindOf({ sentAgain, end }: Story, made: number): keyof InDoubtFigures['counts'] {
  if (made > 1 + sentAgain) return 'doubled';
  if (end === 'nothing') return 'told nothing';
  if (end === 'It is there') return 'asked and said to be there';
  if (end === 'Discard') return 'asked and discarded';
  if (made === 0) return 'lost';
  return sentAgain > 0 ? 'asked and sent again' : 'ok';
}
