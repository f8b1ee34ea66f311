import { prepareForm, submit } from '../forms.ts';
import { asksItsAuthor, eventually, messagesAbout } from '../outcomes.ts';
import { type Setting, withSetting } from '../setting.ts';

const PATIENCE_MS = 8_000;
/** Slack's answer to a response_url that was used five times or is older than half an hour. */
const USED_UP = { method: 'response_url', kind: 'http', status: 404 } as const;

/** Commands and buttons whose response_url no longer works: is the person told another way? */
export function expiredResponseUrls(seed: number) {
  return withSetting({ seed }, async (setting) => {
    const { acme, people, general, slack, service } = setting;
    await setting.start();
    const [first, second] = people.map((user) => acme.as(user));
    if (!first || !second) throw new Error('Two people are needed');
    service.faults.add({ operation: 'createCard', kind: 'drop-after-executing', times: 1 });
    const form = await prepareForm(setting, first, 'In doubt');
    await submit(form);
    const find = () => messagesAbout(setting, form).find(asksItsAuthor);
    const message = await slack.until(find, 'the question', PATIENCE_MS);

    slack.faults.add(USED_UP);
    const results = [
      await isTold(setting, second.user.id, () => second.command(general, 'help')),
      await isTold(setting, second.user.id, () => second.command(general, 'list')),
      await isTold(setting, second.user.id, () => second.command(general, 'status card-1001')),
      await isTold(setting, first.user.id, () => first.click({ message, text: 'Discard' })),
    ];
    return { told: results.filter(Boolean).length, untold: results.filter((told) => !told).length };
  });
}

/** Whether the person gets something new to read, in an ephemeral or a direct message. */
async function isTold(
  { slack }: Setting,
  userId: string,
  act: () => Promise<unknown>,
): Promise<boolean> {
  const before = slack.apiCalls.length;
  await act();
  const told = () =>
    slack.apiCalls
      .slice(before)
      .some(
        ({ method, args, response }) =>
          response?.ok === true &&
          (method === 'chat.update' ||
            (method.startsWith('chat.post') && [args.user, args.channel].includes(userId))),
      );
  return (await eventually(told, PATIENCE_MS)) === true;
}
