import { changeSettings } from '../journeys/links.ts';
import { cardTitled, prepareForm, submit } from './forms.ts';
import { creations } from './outcomes.ts';
import type { Setting } from './setting.ts';

/** How long each step may take on a busy machine, in ms. */
const PATIENCE_MS = 30_000;
const SHOW_LINKS = { 'Card links': 'Small preview', 'Card links in this channel': 'Small preview' };

/** Previews are turned on, a new person requests a card and posts its link. @returns the step that failed, if any */
export async function mainJobProblem(setting: Setting): Promise<string | undefined> {
  try {
    await doMainJob(setting);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function doMainJob(setting: Setting): Promise<void> {
  const { acme, general, slack, cardUrl } = setting;
  await changeSettings(setting, SHOW_LINKS);
  const me = acme.as(acme.addUser({ name: 'Eve' }));
  const title = `The main job of ${me.user.id}`;
  await submit(await prepareForm(setting, me, title));
  const until = <T>(read: () => T, what: string) => slack.until(read, what, PATIENCE_MS);
  await until(
    () => creations(setting).some((made) => made.executed && made.title === title),
    'the card',
  );
  const confirms = ({ botId, text }: { botId?: string | undefined; text: string }) =>
    botId !== undefined && text.includes(title);
  await until(() => acme.messages(general).some(confirms), 'the confirmation');
  const message = await me.post(general, cardUrl(cardTitled(setting, title)?.id ?? ''));
  await until(() => message.attachments.length === 1, 'the card under its link');
}
