import { describe, expect } from 'vitest';
import { hasField, seesCompleteForm } from '../sandbox/complete-form.ts';
import { asObject, type JsonObject } from '../stand-ins/slack/json.ts';
import type { FieldValue } from '../stand-ins/slack/people/field-values.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { fileOutput, type StoredFile } from '../stand-ins/slack/state/files.ts';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfView } from '../stand-ins/slack/views/shown-text.ts';
import { chooseType, created, fillForm, openFormFrom, reopenForm } from './form.ts';
import { it, startWorld, type World } from './world.ts';

const CREATE = 'Create design request';
const REQUEST = 'Request a design';

async function formFrom({ slack }: World, me: Person, message: Message): Promise<void> {
  await me.messageShortcut(message, CREATE);
  await slack.until(() => seesCompleteForm(me), 'the form');
}

const typedIn = (me: Person, label: string) => asObject(me.field(label).value);
/** The text of the description, as people see it. */
const described = (me: Person): string => {
  const open = me.currentView();
  const blocks = [typedIn(me, 'Description').rich_text_value as JsonObject];
  return open ? textOfView({ ...open, view: { blocks }, errors: {}, notice: undefined }) : '';
};

const postWith = ({ general, slack, ada }: World, files: readonly StoredFile[]): Promise<Message> =>
  ada.post(general, 'Banner for the spring sale', {
    files: [
      ...files.map((file) => fileOutput(slack.state, file)),
      { id: 'F0', mode: 'hidden_by_limit' },
    ],
  });

const ATTACHED = 'Reference files: already attached';
/** What the service was told to download. */
const referencesOf = async (world: World): Promise<unknown> =>
  asObject(asObject((await created(world)).requestBody).data).referenceFiles;

describe('“Create design request” in the menu of a message', () => {
  it('opens the form with the message, its author, and its link', async () => {
    const { world, general, ada, me } = await startWorld();
    const message = await ada.post(general, 'Banner for the spring sale');
    await formFrom(world, me, message);
    expect(typedIn(me, 'Title')).toMatchObject({ value: 'Banner for the spring sale' });
    expect(described(me)).toMatch(
      /^Banner for the spring sale.*From a message\n by \n<@U\w+>\n in #general.*Open the message in Slack/s,
    );
    expect(JSON.stringify(typedIn(me, 'Description'))).toContain(
      `https://acme.slack.com/archives/${general.id}/p${message.ts.replace('.', '')}`,
    );
  });

  it('attaches the files of the message, which can be left out', async () => {
    const { world, acme, admin, me } = await startWorld();
    const files = ['brief.pdf', 'logo.png'].map((name) => acme.addFile(admin, { name }));
    await formFrom(world, me, await postWith(world, files));
    expect(me.field(ATTACHED).options).toEqual(['brief.pdf', 'logo.png']);
    expect(described(me)).not.toContain('brief.pdf');
    await me.fill({ [ATTACHED]: ['logo.png'] });
    await fillForm(world, me);
    await me.submit();
    expect(await referencesOf(world)).toEqual([expect.stringMatching(/\/logo\.png$/)]);
  });

  it('keeps the files of the message through another type, and when the form is continued', async () => {
    const { world, acme, admin, me } = await startWorld();
    await formFrom(world, me, await postWith(world, [acme.addFile(admin, { name: 'brief.pdf' })]));
    await chooseType(world, me, 'Presentation');
    expect(me.field(ATTACHED).options).toEqual(['brief.pdf']);
    await me.fill({ Title: 'A title of my own' });
    await reopenForm(world, me);
    await openFormFrom(world, me, { text: 'Continue your request' }, ATTACHED);
    expect(me.field(ATTACHED).options).toEqual(['brief.pdf']);
  });

  it.each([
    ['the app has no public address', { env: { PUBLIC_URL: '' } }, []],
    ['the scope was left out', {}, ['files:read']],
  ] as const)('links to all files if %s', async (_why, options, without) => {
    const { world, acme, admin, slack, me } = await startWorld(options);
    const token = slack.state.tokens.get(acme.botToken);
    if (token) token.scopes = token.scopes.filter((scope) => !without.some((one) => one === scope));
    await formFrom(world, me, await postWith(world, [acme.addFile(admin, { name: 'brief.pdf' })]));
    expect(hasField(me, ATTACHED)).toBe(false);
    expect(JSON.stringify(typedIn(me, 'Description'))).toMatch(/\/files\/\w+\/\w+\/brief\.pdf/);
  });

  it('sends a card that says where it is from, and offers the channel of the message', async () => {
    const { world, acme, general, service, slack, ada, me } = await startWorld();
    const message = await ada.post(general, 'Banner for the spring sale');
    await formFrom(world, me, message);
    // As it is: the helper would type its own.
    const Description = typedIn(me, 'Description').rich_text_value as FieldValue;
    await fillForm(world, me, { Title: 'Spring banner', Description });
    await me.submit();
    const made = await slack.until(
      () => service.cards.all().find(({ title }) => title === 'Spring banner'),
      'the card',
    );
    expect(made.description).toContain('From a message by @Ada Admin in #general');
    expect(made.description).toMatch(/<a href="https:\/\/acme\.slack\.com\/archives\//);
    await slack.until(
      () =>
        acme.messages(general).find(({ text: said }) => said.includes('requested Spring banner')),
      'the confirmation in the channel of the message',
    );
  });

  it('cuts a very long message with a note, and the form still takes it', async () => {
    const { world, general, me } = await startWorld();
    await formFrom(world, me, await me.post(general, 'ä '.repeat(15_000)));
    expect(described(me)).toContain('The message is too long to copy in full.');
    expect(described(me)).toContain('Open the message in Slack');
  });

  it('works where the app can’t link to the message', async () => {
    const { world, acme, admin, ann, me, ada } = await startWorld();
    const secret = acme.addChannel({ name: 'secret', kind: 'private', members: [ann, admin] });
    const message = await ada.post(secret, 'A banner');
    await formFrom(world, me, message);
    expect(described(me)).toContain('From a message');
    expect(described(me)).not.toMatch(/Open the message|privategroup|secret/);
  });
});

describe('“Request a design” from anywhere', () => {
  it('opens the form, with no channel', async ({ world, acme, ann, slack, me }) => {
    await me.globalShortcut(REQUEST);
    await slack.until(() => seesCompleteForm(me), 'the form');
    await fillForm(world, me);
    await me.submit();
    const message = await slack.until(
      () => acme.directMessages(ann).find(({ botId }) => botId),
      'the confirmation',
    );
    expect(message.text).toContain('Spring banner');
  });

  it('says in a direct message that the form couldn’t be opened', async () => {
    const { acme, ann, slack, me } = await startWorld();
    slack.faults.add({ method: 'views.open', kind: 'error', error: 'internal_error' });
    await me.globalShortcut(REQUEST);
    const note = await slack.until(() => acme.directMessages(ann)[0], 'the note');
    expect(note.text).toMatch(/couldn’t be opened \(E-\w+\)/);
  });
});
