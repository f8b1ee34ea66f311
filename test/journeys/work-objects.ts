import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Channel, Message, Pane } from '../stand-ins/slack/state/model.ts';
import { textOfPane } from '../stand-ins/slack/views/shown-text.ts';
import { changeSettings } from './links.ts';
import { type World, worldAhead } from './world.ts';

export const SETTING = 'Cards as Work Objects';

export async function worldWithWorkObjects(choice = 'On') {
  const world = await worldAhead();
  await changeSettings(world, { [SETTING]: choice });
  return world;
}

/** Posts a text and waits until this many Work Objects are shown under it. */
export async function postWorkObjects(
  world: World,
  who: Person,
  text: string,
  { channel = world.general, cards = 1 }: { channel?: Channel; cards?: number } = {},
): Promise<Message> {
  const message = await who.post(channel, text);
  await world.slack.until(() => message.entities.length === cards, `${cards} Work Objects`);
  return message;
}

/** Slack ignores a Work Object that isn't newer than what it shows, and counts in seconds. */
export const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_100));

/** Opens the details of a Work Object and waits for the app's answer. */
export async function openPane(
  world: World,
  who: Person,
  of: Parameters<Person['openDetails']>[0],
): Promise<Pane> {
  const pane = who.openDetails(of);
  await answered(world, pane);
  return pane;
}

const answered = ({ slack }: World, pane: Pane): Promise<true> =>
  slack.until(() => !pane.waiting, 'the details');

/** Presses the pane's own refresh button and waits for the answer. */
export async function refreshPane(world: World, who: Person, pane: Pane): Promise<void> {
  who.refreshDetails(pane);
  await answered(world, pane);
}

/** Waits until the pane says something. */
export const paneSays = ({ slack }: World, pane: Pane, words: string): Promise<true> =>
  slack.until(() => textOfPane(pane).includes(words), words);
