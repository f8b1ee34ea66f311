import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { cardTitled, closeForms, type SentForm, sendWave } from './forms.ts';
import { asksItsAuthor, creations, messagesAbout } from './outcomes.ts';
import type { Chance } from './random.ts';
import type { Setting } from './setting.ts';

/** The outcomes of requests whose creation had no clear answer. */
const NO_COUNTS = {
  ok: 0,
  'asked and sent again': 0,
  'asked and marked as arrived': 0,
  'asked and discarded': 0,
  untold: 0,
  lost: 0,
  doubled: 0,
};

type Times = {
  /** From pressing Send until the author was asked, in ms. */
  askedAfterMs: number[];
  /** From pressing Send until the author got the confirmation without having been asked, in ms. */
  confirmedAfterMs: number[];
};

type Decision = 'Not there, send again' | 'Found it' | 'Discard';
/** What one author did: how often they sent it again, and how it ended. */
type Story = { form: SentForm; sentAgain: number; end: 'card' | 'nothing' | Decision };

const PROJECT = 'project-1';
/** After several drops the service seems to be down, so no call is made for some 15 s. */
const PATIENCE_MS = 30_000;

/** An admin sets the project in the settings, so that requests in doubt are searched for in it. */
export async function setProject({ acme, admin, general, slack }: Setting): Promise<void> {
  const ada = acme.as(admin);
  await closeForms(ada);
  await ada.command(general, 'settings');
  await slack.until(() => hasField(ada, 'Project ID'), 'the settings', PATIENCE_MS);
  await ada.fill({ 'Project ID': PROJECT });
  await ada.submit();
}

/** Sends requests in waves, one form per person, and lets the authors decide at random. */
export async function requestInDoubt(options: {
  setting: Setting;
  chance: Chance;
  forms: number;
  name: string;
  say(progress: string): void;
}) {
  const { setting, chance, forms, name, say } = options;
  const stories: Story[] = [];
  const times: Times = { askedAfterMs: [], confirmedAfterMs: [] };
  while (stories.length < forms) {
    const size = Math.min(setting.people.length, forms - stories.length);
    const wave = await sendWave(setting, `${name} ${stories.length + 1}`, size);
    stories.push(
      ...(await Promise.all(wave.map((form) => untilSettled(setting, chance, form, times)))),
    );
    say(`${stories.length} of ${forms} forms`);
  }
  return { ...judge(setting, stories), ...times };
}

async function untilSettled(
  setting: Setting,
  chance: Chance,
  form: SentForm,
  times: Times,
): Promise<Story> {
  const { slack } = setting;
  let sentAgain = 0;
  let answered: Message | undefined;
  for (;;) {
    const message = await slack
      .until(() => newestMessage(setting, form, answered), 'word', PATIENCE_MS)
      .catch(() => undefined);
    if (!message) return { form, sentAgain, end: 'nothing' };
    const afterMs = performance.now() - (form.submittedAt ?? 0);
    if (!asksItsAuthor(message)) {
      if (sentAgain === 0) times.confirmedAfterMs.push(afterMs);
      return { form, sentAgain, end: 'card' };
    }
    if (sentAgain === 0) times.askedAfterMs.push(afterMs);
    const decision = choose(setting, chance, form);
    answered = message;
    await decide(setting, form.by, { message, decision, title: form.title });
    if (decision !== 'Not there, send again') {
      const noted = () => !asksItsAuthor(message);
      await slack.until(noted, `“${decision}” to be noted`, PATIENCE_MS);
      return { form, sentAgain, end: decision };
    }
    sentAgain += 1;
  }
}

/** At random, but nobody finds a card that isn't there. */
function choose(setting: Setting, chance: Chance, { title }: SentForm): Decision {
  const again = 'Not there, send again';
  const decision = chance.pick<Decision>([again, again, 'Found it', 'Discard']);
  return decision === 'Found it' && !cardTitled(setting, title) ? again : decision;
}

/** Presses a button of the question; for “Found it”, also pastes the card's link. */
export async function decide(
  setting: Pick<Setting, 'slack' | 'service' | 'cardUrl'>,
  by: Person,
  answer: { message: Message; decision: Decision; title: string },
): Promise<void> {
  const { message, decision, title } = answer;
  await by.click({ message, text: decision });
  if (decision !== 'Found it') return;
  const field = 'Card link or ID';
  await setting.slack.until(() => hasField(by, field), 'the question for the card', PATIENCE_MS);
  await by.fill({ [field]: setting.cardUrl(cardTitled(setting, title)?.id ?? '') });
  await by.submit();
}

/** The question or the confirmation; a question that was answered is deleted when the author is asked again. */
function newestMessage(setting: Setting, form: SentForm, answered?: Message): Message | undefined {
  const said = messagesAbout(setting, form);
  const question = said.find(asksItsAuthor);
  if (question) return question === answered ? undefined : question;
  return said.findLast((message) => message !== answered);
}

function judge(setting: Setting, stories: Story[]) {
  const arrived = Map.groupBy(creations(setting), ({ title }) => title);
  const counts = { ...NO_COUNTS };
  /** Creations that arrived although nobody had sent the request again. */
  let automatic = 0;
  for (const story of stories) {
    const calls = arrived.get(story.form.title) ?? [];
    automatic += Math.max(0, calls.length - 1 - story.sentAgain);
    counts[kindOf(story, calls.filter(({ executed }) => executed).length)] += 1;
  }
  const holds = counts.untold + counts.lost + counts.doubled + automatic === 0;
  return { counts, automatic, holds };
}

function kindOf({ sentAgain, end }: Story, made: number): keyof typeof NO_COUNTS {
  if (made > 1 + sentAgain) return 'doubled';
  if (end === 'nothing') return 'untold';
  if (end === 'Found it') return 'asked and marked as arrived';
  if (end === 'Discard') return 'asked and discarded';
  if (made === 0) return 'lost';
  return sentAgain > 0 ? 'asked and sent again' : 'ok';
}
