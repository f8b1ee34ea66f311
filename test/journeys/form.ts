import { FORM_ACTIONS } from '../../src/slack/request-form/ids.ts';
import { drawnType, hasField, seesCompleteForm } from '../sandbox/complete-form.ts';
import type { FieldValue } from '../stand-ins/slack/people/field-values.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Channel, Message } from '../stand-ins/slack/state/model.ts';
import { textOfView } from '../stand-ins/slack/views/shown-text.ts';
import type { World } from './world.ts';

/** Everything the form asks for, as a person would fill it in. */
const FILLED: Record<string, FieldValue> = {
  Title: 'Spring banner',
  'Request type': 'Social media',
  Product: 'Graphics',
  Description: 'A banner for the spring sale.',
  Sizes: 'Post: 1080 × 1080 px\nStory: 1080 × 1920 px',
  Software: 'Figma',
  'File formats': ['PNG', 'JPG'],
};

/** Types the command and waits until the form is complete. */
export async function openForm(
  world: Pick<World, 'slack' | 'general'>,
  me: Person,
  typed = '',
  channel: Channel = world.general,
): Promise<void> {
  await me.command(channel, typed);
  await world.slack.until(() => seesCompleteForm(me), 'the complete form');
}

/** Fills in the form; the type first, since it decides which other fields there are. */
export async function fillForm(
  world: Pick<World, 'slack'>,
  me: Person,
  changes: Record<string, FieldValue> = {},
): Promise<void> {
  const { Title, 'Request type': type, ...rest } = { ...FILLED, ...changes };
  if (Title !== undefined) await me.fill({ Title });
  if (type !== undefined) await chooseType(world, me, type);
  const isShort = Object.keys(rest).some((label) => !hasField(me, label));
  if (isShort) await showAllFields(world, me);
  await me.fill(rest);
}

/** Presses More options, unless all fields are shown. */
export async function showAllFields({ slack }: Pick<World, 'slack'>, me: Person): Promise<void> {
  const hidesFields = () =>
    JSON.stringify(me.currentView()?.view.blocks).includes(FORM_ACTIONS.moreOptions);
  if (!hidesFields()) return;
  await me.click({ text: 'More options' });
  await slack.until(() => !hidesFields(), 'all fields');
}

/** Chooses a request type and waits until the form is redrawn for it; brands that come late redraw it, too. */
export async function chooseType(
  world: Pick<World, 'slack'>,
  me: Person,
  type: FieldValue,
): Promise<void> {
  const before = me.currentView()?.hash;
  await me.fill({ 'Request type': type });
  const isRedrawn = () => {
    const { selected_option: chosen } = me.field('Request type').value ?? {};
    return me.currentView()?.hash !== before && drawnType(me) === chosen?.value;
  };
  await world.slack.until(isRedrawn, 'the form for the type');
}

/** Opens, fills in, and sends the form, and waits for the outcome in the modal. */
export async function sendRequest(
  world: Pick<World, 'slack' | 'general'>,
  me: Person,
  changes: Record<string, FieldValue> = {},
): Promise<void> {
  await openFilledForm(world, me, changes);
  await me.submit();
}

/** The same as opening the form, once everything that is open has been closed. */
export async function reopenForm(...opening: Parameters<typeof openForm>): Promise<void> {
  await opening[1].close({ all: true });
  await openForm(...opening);
}

/** Opens the form and fills it in. */
export async function openFilledForm(
  ...[world, me, changes]: Parameters<typeof sendRequest>
): Promise<void> {
  await openForm(world, me);
  await fillForm(world, me, changes);
}

type Target = Parameters<Person['click']>[0];

/** Presses something, or types a command in #general, and waits until a form with this field is shown. */
export async function openFormFrom(
  { slack, general }: Pick<World, 'slack' | 'general'>,
  me: Person,
  from: string | Target,
  label = 'Title',
): Promise<void> {
  await (typeof from === 'string' ? me.command(general, from) : me.click(from));
  await slack.until(() => hasField(me, label), `a form with ${label}`);
}

/** Waits until they see these words in what is open. */
export const untilSees = ({ slack }: Pick<World, 'slack'>, me: Person, words: string) =>
  slack.until(() => me.sees().includes(words), words);

/** Presses something, and waits until these words are shown. */
export async function pressUntil(
  world: Pick<World, 'slack'>,
  me: Person,
  target: Target,
  words: string,
): Promise<void> {
  await me.click(target);
  await untilSees(world, me, words);
}

/** Submits what is open, and waits until these words are shown. */
export async function submitUntil(
  world: Pick<World, 'slack'>,
  me: Person,
  words: string,
): Promise<void> {
  await me.submit();
  await untilSees(world, me, words);
}

/**
 * Sends the form that was sent last once more, perhaps changed: another press, not a repeated delivery, which gets the
 * first one's answer.
 */
export function sendAgain({ slack }: Pick<World, 'slack'>, change = (payload: string) => payload) {
  const sent = slack.deliveries.findLast(({ kind }) => kind === 'view_submission')?.payload;
  const payload = change(JSON.stringify({ ...sent, trigger_id: `${sent?.trigger_id}0` }));
  return slack.sendSigned(new URLSearchParams({ payload }).toString());
}

/** The call that created the first card, once it has. */
export const created = ({ slack, service }: Pick<World, 'slack' | 'service'>) =>
  slack.until(() => service.calls({ operation: 'createCard', executed: true })[0], 'the card');

/** Submits the form, and waits until it is confirmed. @returns the first message in #general */
export async function confirmed(world: World, me: Person): Promise<Message> {
  await me.submit();
  return world.slack.until(() => world.acme.messages(world.general)[0], 'the confirmation');
}

/** Sends a request until it is confirmed. @returns the first message in #general */
export async function sentRequest(world: World, me: Person, changes = {}): Promise<Message> {
  await openFilledForm(world, me, changes);
  return confirmed(world, me);
}

/** Sends a request until its author hears of it. @returns the first direct message to them */
export async function askedAbout(world: World, me: Person, changes = {}): Promise<Message> {
  await sendRequest(world, me, changes);
  return world.slack.until(() => world.acme.directMessages(me.user)[0], 'the message to them');
}

/** The same two, with the form closed afterwards. */
export const requested = closing(sentRequest);
export const asked = closing(askedAbout);

function closing(send: typeof sentRequest): typeof sentRequest {
  return async (world, me, changes) => {
    const message = await send(world, me, changes);
    await me.close({ all: true });
    return message;
  };
}

/** The options of a menu; none if there is no such field. */
export const optionsOf = (me: Person, label: string): readonly string[] =>
  hasField(me, label) ? me.field(label).options : [];

/** What the Home tab says. */
export const homeOf = (me: Person): string => {
  const open = me.home();
  return open ? textOfView(open) : '';
};

/** Opens the Home tab, and waits until it says this. */
export async function openHome({ slack }: World, me: Person, words = 'Design requests') {
  me.openApp();
  await slack.until(() => homeOf(me).includes(words), `a home with: ${words}`);
  return me.home();
}
