import { describe, expect, it } from 'vitest';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import { asObject } from '../stand-ins/slack/json.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Pane } from '../stand-ins/slack/state/model.ts';
import { textOfPane } from '../stand-ins/slack/views/shown-text.ts';
import { install } from './browser.ts';
import { connect, disconnect } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import {
  changeSettings,
  eventsHandled,
  fullCard,
  postShown,
  SHARE_EXTERNALLY,
  shareWithGlobex,
  slackCalls,
} from './links.ts';
import {
  aSecond,
  openPane,
  paneSays,
  postWorkObjects,
  refreshPane,
  SETTING,
  worldWithWorkObjects,
} from './work-objects.ts';
import { startWorld, type World } from './world.ts';

const detailedCard = (world: World) =>
  fullCard(world, {
    description: '<p>For the <b>autumn</b> sale</p>',
    textCopy: '<p>Now or never</p>',
    software: 'Figma',
    createdBy: { id: 'user-1', name: 'Mia Example' },
    dueDate: new Date('2026-12-01T09:30:00Z'),
  });

/** Ann's open pane with a card under a link. */
async function opened(world: World, id = detailedCard(world).id) {
  const { me } = world;
  const message = await postWorkObjects(world, me, world.cardUrl(id));
  return { id, me, message, pane: await openPane(world, me, { message }) };
}

describe('the pane', () => {
  it('shows everything that the service knows, its files newest first, and the actions', async () => {
    const world = await worldWithWorkObjects();
    Object.assign(world.service.answers, {
      labelsShape: 'array',
      tagsShape: 'array-of-objects',
    });
    const { pane } = await opened(world);
    const text = textOfPane(pane);
    for (const fact of [
      'Autumn poster',
      'In review',
      'Social media',
      'Amber Bakery',
      'Graphics Video',
      'A2: 420 × 594 mm',
      'PDF, PNG',
      'Figma',
      'Priority, Print',
      'Autumn, Q&A',
      'Mia Example',
      'For the autumn sale',
      'Now or never',
      '1796117400',
      'Refresh',
      'Open',
      'Watch',
      'Request again',
    ]) {
      expect(text).toContain(fact);
    }
    const { custom_fields: fields } = asObject(pane.entity?.entity_payload);
    const files = (fields as { key: string }[]).filter(({ key }) => key.startsWith('file_'));
    expect(files).toMatchObject([
      { label: 'sources.zip', type: 'slack#/types/link' },
      { label: 'newest.jpg', type: 'slack#/types/image' },
      { label: 'first.png', type: 'slack#/types/image' },
    ]);
  });

  it('reads the card again when it is refreshed, with either button', async () => {
    const world = await worldWithWorkObjects();
    const { id, me, pane } = await opened(world);
    for (const [title, press] of [
      ['Winter poster', () => refreshPane(world, me, pane)],
      ['Spring poster', () => me.click({ pane, text: 'Refresh' })],
    ] as const) {
      world.service.cards.update(id, { title });
      await world.restart();
      await aSecond();
      await press();
      await paneSays(world, pane, title);
    }
  });

  it('is answered before links that were posted earlier', async () => {
    const world = await worldWithWorkObjects();
    await opened(world);
    const [link, details, ...others] = await databaseOf(world)
      .selectFrom('jobs')
      .select('priority')
      .where('kind', '=', 'slack-event')
      .orderBy('id')
      .execute();
    expect(others).toEqual([]);
    // Of two that are due, the higher one is first.
    expect(Number(details?.priority)).toBeGreaterThan(Number(link?.priority));
  });

  it('never shows another workspace’s card, even with the same ID', async () => {
    const world = await startWorld({ many: true, seed: 'empty' });
    const { acme, admin, general, slack, service } = world;
    const globex = slack.addWorkspace({ name: 'Globex', installed: false });
    const olga = globex.addUser({ name: 'Olga', admin: true });
    const lobby = globex.addChannel({ name: 'lobby', members: [olga] });
    const panes: Pane[] = [];
    for (const [workspace, user, channel, account] of [
      [acme, admin, general, 'acme'],
      [globex, olga, lobby, 'globex'],
    ] as const) {
      const there = { ...world, acme: workspace, admin: user, general: channel };
      const key = service.issueKey({ account });
      if (account === 'acme') {
        service.cards.add({ id: 'same', title: 'Secret of Acme', account });
      }
      await install(world, workspace, user);
      await connect(there, workspace.as(user), key);
      await changeSettings(there, { [SETTING]: 'On' });
      const foundUrl = world.cardUrl('same');
      panes.push(await openPane(there, workspace.as(user), { foundUrl }));
    }
    expect(panes.map((pane) => textOfPane(pane).includes('Secret of Acme'))).toEqual([true, false]);
    expect(panes[1]?.error).toMatchObject({ custom_title: 'No access' });
  });
});

describe('the pane says why it shows no card', () => {
  type Situation = (world: World, me: Person) => Promise<unknown> | unknown;
  const failing =
    (fault: Fault): Situation =>
    ({ service }) =>
      service.faults.add({ operation: 'getCard', ...fault });
  const again = ['Try again'];
  // The read is tried again, which may take longer than Slack waits.
  const unreachable = ['Can’t reach your design service', 'This is taking longer than usual'];
  const rows: [string, string | string[], string[], Situation][] = [
    ['not connected', 'Not connected', ['Ask an admin'], disconnect],
    ['key rejected', 'New API key needed', ['Ask an admin'], failing({ kind: 'unauthorized' })],
    ['403', 'No access', again, failing({ kind: 'status', status: 403 })],
    ['404', 'Card not found', again, failing({ kind: 'status', status: 404 })],
    ['429', 'Busy', again, failing({ kind: 'rate-limited', retryAfter: 60 })],
    ['500', unreachable, again, failing({ kind: 'status', status: 500 })],
    ['no JSON', 'Can’t read the answer', again, failing({ kind: 'html' })],
    ['no answer', 'This is taking longer than usual', again, failing({ kind: 'hang' })],
    [
      'a person who became a guest',
      'Full members only',
      [],
      (_world, { user }) => {
        user.guest = 'multi';
      },
    ],
    [
      'a person whose account was deactivated',
      'Account deactivated',
      [],
      (_world, { user }) => {
        user.deleted = true;
      },
    ],
    [
      'an error of the app',
      'Something went wrong',
      again,
      ({ slack }) => slack.faults.add({ method: 'users.info', kind: 'http', status: 500 }),
    ],
  ];

  it.each(rows)('%s', async (_when, title, buttons, happens) => {
    const { world, cardUrl, me } = await worldWithWorkObjects();
    const { id } = detailedCard(world);
    await happens(world, me);
    // People and cards that the app knows already are cached.
    await world.restart();
    const pane = await openPane(world, me, { foundUrl: cardUrl(id) });
    const { status, custom_title, custom_message, actions = [] } = asObject(pane.error);
    expect([title].flat()).toContain(custom_title);
    expect(custom_message).toMatch(/\w.*\.$/);
    expect((actions as { text: string }[]).map(({ text }) => text)).toEqual(buttons);
    expect(status).toBe(buttons.length > 0 ? 'custom_partial_view' : 'custom');
  });

  it('a link that is no card’s', async () => {
    const { world, me } = await worldWithWorkObjects();
    const pane = await openPane(world, me, { foundUrl: 'https://app.example.com/brand/1' });
    expect(pane.error).toMatchObject({ custom_title: 'Not a card' });
  });

  it('a channel shared with another company, unless an admin allows that', async () => {
    const { world, acme, me } = await worldWithWorkObjects();
    const { bob, shared } = shareWithGlobex(world);
    await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
    const { id } = detailedCard(world);
    const message = await postWorkObjects(world, me, world.cardUrl(id), { channel: shared });
    const mine = await openPane(world, me, { message });
    expect(textOfPane(mine)).toContain('Autumn poster');
    const theirs = await openPane(world, acme.as(bob), { message });
    expect(theirs.error).toMatchObject({ custom_title: 'Not your workspace' });
    await changeSettings(world, { 'Guests and other companies': [] });
    for (const press of [
      () => me.click({ pane: mine, text: 'Refresh' }),
      () => refreshPane(world, me, mine),
    ]) {
      mine.error = undefined;
      await press();
      await world.slack.until(() => mine.error, 'the refusal');
      expect(mine.error).toMatchObject({ custom_title: 'Shared channel' });
      expect(textOfPane(mine)).not.toContain('Autumn poster');
    }
  });

  it('and shows a card that was read before, with its age and why, however often it is reloaded', async () => {
    const world = await worldWithWorkObjects();
    const { me, pane } = await opened(world);
    expect(textOfPane(pane)).not.toContain('As of');
    // A card that was read a moment ago isn't read again.
    world.pass(11_000);
    world.service.faults.add({ operation: 'getCard', kind: 'status', status: 500 });
    for (const secondsLater of [0, 1, 1, 11, 1]) {
      world.pass(secondsLater * 1_000);
      await refreshPane(world, me, pane);
      for (const words of ['Autumn poster', 'As of', 'We can’t reach your design']) {
        expect(textOfPane(pane)).toContain(words);
      }
    }
  });

  it('and Try again shows the card once it can be read', async () => {
    const { world, cardUrl, service, me } = await worldWithWorkObjects();
    const heal = service.faults.add({ operation: 'getCard', kind: 'html' });
    const pane = await openPane(world, me, { foundUrl: cardUrl(detailedCard(world).id) });
    expect(pane.error).toMatchObject({ custom_title: 'Can’t read the answer' });
    heal();
    await world.restart();
    await me.click({ pane, text: 'Try again' });
    await paneSays(world, pane, 'Autumn poster');
  });

  it('and Try again remembers that another company sees the conversation', async () => {
    const world = await worldWithWorkObjects();
    const { acme, ann, service, me } = world;
    const { globex, bob } = shareWithGlobex(world);
    // Slack doesn't tell the app about direct messages between people.
    const between = { name: '', kind: 'im' as const, members: [ann, bob], sharedWith: [globex] };
    const channel = acme.addChannel(between);
    await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
    const url = world.cardUrl(detailedCard(world).id);
    const message = await postWorkObjects(world, me, url, { channel });
    // A card that was read a moment ago isn't read again.
    world.pass(11_000);
    service.faults.add({ operation: 'getCard', kind: 'status', status: 403 });
    const pane = await openPane(world, me, { message });
    expect(pane.error).toMatchObject({ custom_title: 'No access' });
    await changeSettings(world, { 'Guests and other companies': [] });
    await me.click({ pane, text: 'Try again' });
    await expect.poll(() => pane.error).toMatchObject({ custom_title: 'Shared channel' });
  });
});

it.each([
  ['invalid_metadata', 2],
  ['a_code_of_tomorrow', 1],
])(
  'a pane whose card Slack refuses (%s) says so, and cards are shown as blocks from then on',
  async (error, times) => {
    const { world, slack } = await worldWithWorkObjects();
    const { me, id, pane } = await opened(world);
    const method = 'entity.presentDetails';
    slack.faults.add({ method, kind: 'error', error, times });
    me.refreshDetails(pane);
    await slack.until(() => pane.error, 'the error');
    expect(pane.error).toMatchObject({ custom_title: 'Can’t show this card here' });
    await postShown(world, me, world.cardUrl(id));
  },
);

it('a pane that Slack refuses whatever it shows is given up after three calls', async () => {
  const { world, slack, me } = await worldWithWorkObjects();
  const message = await postWorkObjects(world, me, world.cardUrl(detailedCard(world).id));
  const method = 'entity.presentDetails';
  // One more than it should try, so that trying on ends, too.
  slack.faults.add({ method, kind: 'error', error: 'feature_not_enabled', times: 4 });
  me.openDetails({ message });
  await slack.until(() => slackCalls(world, method).length >= 3, 'the calls');
  await eventsHandled(world);
  expect(slackCalls(world, method)).toHaveLength(3);
});

it('a pane that Slack refuses because of pictures is shown without them, even if the last has no address, and that isn’t remembered', async () => {
  const { world, slack, cardUrl, me } = await worldWithWorkObjects();
  const image = { ext: 'png', type: 'output' };
  const files = [
    { ...image, id: 'file-1', name: 'first', urls: { full: 'https://f.example.com/1.png' } },
    { ...image, id: 'file-2', name: 'last', urls: null },
  ];
  const { id } = world.service.cards.add({ title: 'Autumn poster', wire: { files } });
  const method = 'entity.presentDetails';
  slack.faults.add({ method, kind: 'error', error: 'invalid_metadata', times: 1 });
  const { pane } = await opened(world, id);
  const [refused] = slackCalls(world, method);
  expect(JSON.stringify(refused?.args)).toContain('types/image');
  expect(textOfPane(pane)).toContain('Autumn poster');
  expect(textOfPane(pane)).toContain('last');
  expect(JSON.stringify(pane.entity)).not.toContain('types/image');
  await postWorkObjects(world, me, cardUrl('card-1001'));
});

describe('the page with a card’s images', () => {
  it('is framed by Slack, for this workspace only, and for ten minutes', async () => {
    const world = await worldWithWorkObjects('On, with a page of images');
    const { slack, app } = world;
    const { pane, message } = await opened(world);
    expect(message.entities[0]?.entity.entity_payload).toMatchObject({
      attributes: {
        full_size_preview: { is_supported: true, mime_type: 'application/vnd.slack-embed' },
      },
    });
    const embed = await slack.until(() => pane.embed, 'the page');
    if (!('page' in embed)) throw new Error(embed.problem);
    expect(embed.page).toContain('alt="newest.jpg"');
    expect(embed.page.indexOf('newest.jpg')).toBeLessThan(embed.page.indexOf('first.png'));
    expect(embed.page).not.toContain('sources.zip');
    expect(embed.page).not.toContain('<script');

    const { attributes } = asObject(pane.entity?.entity_payload);
    const preview = asObject(asObject(attributes).full_size_preview);
    const { pathname } = new URL(String(preview.preview_url));
    const path = pathname.slice(pathname.indexOf('/gallery/'));
    const statusOf = async (at: string) => (await fetch(app.url + at)).status;
    expect(await statusOf(path)).toBe(200);
    expect(await statusOf(`${path}x`)).toBe(404);
    await changeSettings(world, { [SETTING]: 'On' });
    expect(await statusOf(path)).toBe(404);
    await changeSettings(world, { [SETTING]: 'On, with a page of images' });
    expect(await statusOf(path)).toBe(200);
    world.pass(10 * 60_000);
    expect(await statusOf(path)).toBe(404);
  });
});
