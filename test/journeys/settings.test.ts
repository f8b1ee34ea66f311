import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect } from './connecting.ts';
import { openFormFrom, submitUntil } from './form.ts';
import { ALLOW_GUESTS, changeSettings, postShown, postUnshown } from './links.ts';
import { it, startWorld, type World } from './world.ts';

async function openSettings(world: World, who = world.admin) {
  const me = world.acme.as(who);
  await openFormFrom(world, me, 'settings', 'Card links');
  return me;
}

const cardUrl = ({ service, cardUrl }: World) =>
  cardUrl(service.cards.add({ title: 'Autumn poster', dimensions: 'A2' }).id);

describe('/design-request settings', () => {
  it('opens loading, shows the current settings, and saves what an admin chooses', async () => {
    const { world, general, slack, ada } = await startWorld();
    const slow = slack.faults.add({ method: 'users.info', kind: 'stall', ms: 300 });
    await ada.command(general, 'settings');
    await slack.until(() => ada.sees().includes('One moment…'), 'the loading view');
    await slack.until(() => hasField(ada, 'Card links'), 'the settings');
    slow();
    expect(ada.field('Card links').value).toMatchObject({ selected_option: { value: 'small' } });
    expect(ada.field('Guests and other companies').value).toMatchObject({ selected_options: [] });
    await ada.fill({ 'Card links': 'Large preview', 'Guests and other companies': [ALLOW_GUESTS] });
    expect(await ada.submit()).toMatchObject({ outcome: 'updated' });
    await slack.until(() => ada.sees().includes('Settings saved'), 'the outcome');
    await ada.close({ all: true });

    await world.restart();
    await openSettings(world);
    expect(ada.field('Card links').value).toMatchObject({ selected_option: { value: 'large' } });
    expect(ada.field('Guests and other companies').value).toMatchObject({
      selected_options: [{ value: 'guestsAllowed' }],
    });
  });

  it('lets an admin choose large, small, or no previews', async ({ world, general, me }) => {
    const url = cardUrl(world);
    expect(textOfMessage(await postShown(world, me, url))).not.toContain('*Sizes*');
    await changeSettings(world, { 'Card links': 'Large preview' });
    expect(textOfMessage(await postShown(world, me, url))).toContain('*Sizes*');
    await changeSettings(world, { 'Card links': 'No preview' });
    await postUnshown(world, me, url);
    const preview = await me.compose(general, cardUrl(world));
    await postUnshown(world, me, url);
    expect(preview.attachments).toEqual([]);
  });

  it('lets an admin choose the previews of one channel, and go back', async () => {
    const { world, acme, ann, general, me } = await startWorld();
    const other = acme.addChannel({ name: 'design', members: [ann] });
    const url = cardUrl(world);
    const HERE = 'Card links in this channel';
    await changeSettings(world, { [HERE]: 'Large preview' });
    expect(textOfMessage(await postShown(world, me, url))).toContain('*Sizes*');
    const elsewhere = await postShown(world, me, url, { channel: other });
    expect(textOfMessage(elsewhere)).not.toContain('*Sizes*');
    await changeSettings(world, { [HERE]: 'No preview' });
    await postUnshown(world, me, url, general);
    await changeSettings(world, { [HERE]: 'Same as everywhere else' });
    expect(textOfMessage(await postShown(world, me, url))).not.toContain('*Sizes*');
  });

  it('begins with the connection, who connected it, and the way to connect another key', async () => {
    const { world, admin, service } = await startWorld({ connected: false });
    const ada = await openSettings(world);
    const isAbove = (text: string) => ada.sees().split('Card links')[0]?.includes(text);
    expect(isAbove('isn’t connected')).toBe(true);
    await openFormFrom(world, ada, { text: 'Connect' }, 'API key');
    await connect(world, ada, service.apiKey);

    await ada.close({ all: true });
    await openSettings(world);
    expect(isAbove(`key ending in \`${service.apiKey.slice(-4)}\``)).toBe(true);
    expect(isAbove(`Connected by <@${admin.id}>`)).toBe(true);
    expect(ada.sees()).not.toContain(service.apiKey);
    await openFormFrom(world, ada, { text: 'Connect a new key' }, 'API key');
  });

  it('keeps what another admin saved while the form was open', async ({ world, acme }) => {
    const olga = await openSettings(world, acme.addUser({ name: 'Olga', owner: true }));
    const HERE = 'Card links in this channel';
    await changeSettings(world, { 'Card links': 'Large preview', [HERE]: 'No preview' });
    await olga.fill({
      'Guests and other companies': [ALLOW_GUESTS],
      'Changes to watched cards': ['Turn off messages about changes in this channel'],
    });
    await submitUntil(world, olga, 'Settings saved');

    const ada = await openSettings(world);
    expect(ada.field('Card links').value).toMatchObject({ selected_option: { value: 'large' } });
    expect(ada.field(HERE).value).toMatchObject({ selected_option: { value: 'off' } });
    expect(ada.field('Guests and other companies').value).toMatchObject({
      selected_options: [{ value: 'guestsAllowed' }],
    });
    expect(ada.field('Changes to watched cards').value).toMatchObject({
      selected_options: [{ value: 'here' }],
    });
  });

  it('keeps what another admin saved while a project was tested', async () => {
    const { world, acme, service, slack } = await startWorld();
    const GUESTS = 'Guests and other companies';
    await changeSettings(world, { [GUESTS]: [ALLOW_GUESTS] });
    const ada = await openSettings(world);
    const olga = await openSettings(world, acme.addUser({ name: 'Olga', owner: true }));
    const tests = () => service.calls({ operation: 'listTasks' }).length;
    service.faults.add({ operation: 'listTasks', kind: 'stall', ms: 1_500 });
    await ada.fill({ 'Project ID': 'project-1' });
    await ada.submit();
    await slack.until(() => tests() > 0, 'the test');
    await olga.fill({ [GUESTS]: [] });
    await submitUntil(world, olga, 'Settings saved');
    expect(ada.sees()).not.toContain('Settings saved');
    await slack.until(() => ada.sees().includes('Settings saved'), 'Ada’s outcome');

    await openSettings(world);
    expect(ada.field(GUESTS).value).toMatchObject({ selected_options: [] });
    expect(ada.field('Project ID').value).toMatchObject({ value: 'project-1' });
  });
});
