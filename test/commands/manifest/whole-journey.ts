import { connect } from '../../journeys/connecting.ts';
import { openForm, sendRequest } from '../../journeys/form.ts';
import { ended, runStep } from '../../journeys/workflow-step.ts';
import type { World } from '../../journeys/world.ts';
import { hasField, seesCompleteForm } from '../../sandbox/complete-form.ts';
import { STATUSES } from '../../stand-ins/design-service/cards.ts';
import type { ApiCall } from '../../stand-ins/slack/api-calls.ts';
import type { Message } from '../../stand-ins/slack/state/model.ts';

/**
 * Does everything for which the app calls Slack, one thing after the other.
 *
 * @param world whose key came with the deployment
 * @returns undefined if all of it went well, otherwise the first failure: a part of the journey, or a
 *   call that Slack refused
 */
export async function wholeJourney(world: World): Promise<string | undefined> {
  for (const [name, part] of Object.entries(PARTS)) {
    try {
      // After a refused call, what the part waits for may never come.
      await Promise.race([part(world), firstRefusal(world)]);
    } catch (error) {
      return `${name}: ${error instanceof Error ? error.message : error}`;
    }
    const [refused] = refusals(world);
    if (refused) return `${name}: ${refused.method} ${refused.response?.error}`;
  }
  return undefined;
}

const PARTS: Record<string, (world: World) => Promise<void>> = {
  async 'an admin and the poster of a link are told about a rejected key'(world) {
    const { acme, ann, admin, service, slack } = world;
    service.revokeKey(service.apiKey);
    const design = acme.addChannel({ name: 'design', members: [ann], botIsMember: true });
    await postLink(world, design);
    await slack.until(
      () => acme.ephemerals(ann)[0] && acme.directMessages(admin)[0],
      'the notices',
    );
  },
  async 'an admin connects a new key'(world) {
    await connect(world, world.acme.as(world.admin), world.service.issueKey());
  },
  async 'a request from a public channel'(world) {
    await requestIn(world, world.general);
  },
  async 'a request from a private channel'(world) {
    const { acme, ann } = world;
    await requestIn(
      world,
      acme.addChannel({ name: 'studio', kind: 'private', members: [ann], botIsMember: true }),
    );
  },
  async 'a request with a file, which the service downloads'(world) {
    const { acme, ann, service, slack } = world;
    const files = [{ name: 'Logo.svg', size: 2_000 }];
    await sendRequest(world, acme.as(ann), { 'Reference files': files });
    await slack.until(() => service.downloads.all[0], 'the download');
  },
  async 'the author of a request in doubt says that it arrived'(world) {
    const { acme, ann, service, slack } = world;
    const me = acme.as(ann);
    service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
    await sendRequest(world, me);
    const note = await slack.until(
      () => acme.directMessages(ann).find(({ botId }) => botId),
      'the question',
    );
    await me.click({ message: note, text: 'Found it' });
    await slack.until(() => hasField(me, 'Card link or ID'), 'the question for the card');
    await me.fill({ 'Card link or ID': service.cards.all().at(-1)?.id ?? '' });
    await me.submit();
    await slack.until(() => note.edited, 'the answer');
  },
  async 'a request comes back to its author twice'(world) {
    const { acme, ann, service, slack } = world;
    const me = acme.as(ann);
    service.faults.add({ operation: 'createCard', kind: 'status', status: 400, times: 2 });
    await sendRequest(world, me);
    const note = () => acme.directMessages(ann).find(({ text }) => text.startsWith('Please fix'));
    const first = await slack.until(note, 'the note');
    await me.click({ message: first, text: 'Fix and resend' });
    await slack.until(() => hasField(me, 'Title'), 'the form');
    await me.submit();
    await slack.until(() => !acme.directMessages(ann).includes(first), 'another note');
    await me.close({ all: true });
  },
  async 'a workflow creates a request, and another one fails'(world) {
    const done = runStep(world).execution;
    const failed = runStep(world, { title: '' }).execution;
    await ended(world, done);
    await ended(world, failed);
    if (done.state !== 'completed' || failed.state !== 'failed') throw new Error(done.error);
  },
  async 'a person who becomes a guest is refused on top of the open form'(world) {
    const { acme, general, slack } = world;
    const max = acme.addUser({ name: 'Max' });
    const me = acme.as(max);
    await openForm(world, me, '', general);
    max.guest = 'multi';
    // What Slack says about people is cached for minutes.
    await world.restart();
    await me.fill({ 'Request type': 'Social media' });
    await slack.until(() => me.views().length > 1, 'the refusal');
  },
  async 'the Home tab is opened'({ acme, ann, slack }) {
    const me = acme.as(ann);
    me.openApp();
    await slack.until(() => me.home(), 'the Home tab');
  },
  async 'the form opens from a message'(world) {
    const { acme, ann, general, slack } = world;
    const me = acme.as(ann);
    const message = await me.post(general, 'We need a banner');
    await me.messageShortcut(message, 'Create design request');
    await slack.until(() => seesCompleteForm(me), 'the form');
    await me.close({ all: true });
  },
  async 'the details of a card are opened'(world) {
    const { acme, ann, cardUrl, slack } = world;
    const pane = acme.as(ann).openDetails({ foundUrl: cardUrl('card-1001') });
    await slack.until(() => pane.entity, 'the details');
  },
  async 'a card link unfurls, and its changes are told'(world) {
    const { acme, ann, general, service, slack } = world;
    const { id } = service.cards.add({ title: 'Poster', status: STATUSES.toDo });
    const message = await postLink(world, general, id);
    const unfurls = () => slack.apiCalls.filter(({ method }) => method === 'chat.unfurl').length;
    await slack.until(() => message.attachments[0], 'the unfurl');
    const before = unfurls();
    await acme.as(ann).click({ message, text: 'Watch' });
    await slack.until(() => unfurls() > before, 'the first read');
    service.cards.update(id, { status: STATUSES.done });
    await acme.as(ann).click({ message, text: 'Refresh' });
    await slack.until(
      () => acme.messages(general).some(({ threadTs }) => threadTs === message.ts),
      'the change',
    );
  },
};

async function requestIn(world: World, channel: World['general']): Promise<void> {
  const { acme, ann, slack } = world;
  await sendRequest(world, acme.as(ann), { 'Post in': channel });
  await slack.until(
    () => acme.messages(channel).find(({ botId }) => botId !== undefined),
    'the confirmation',
  );
}

/** Of views that were closed, or changed, before they were drawn again. */
const ORDINARY = new Set(['not_found', 'hash_conflict']);

const refusals = ({ slack }: World): ApiCall[] =>
  slack.apiCalls.filter(
    ({ response: { ok, error } = {} }) => ok === false && !ORDINARY.has(String(error)),
  );

const firstRefusal = (world: World): Promise<void> =>
  new Promise((resolve) => {
    world.slack.onChange(() => refusals(world).length > 0 && resolve());
  });

/** Posts a link and waits until Slack has told the app. */
async function postLink(
  world: World,
  channel: World['general'],
  cardId = 'card-1001',
): Promise<Message> {
  const { acme, ann, slack } = world;
  const before = slack.deliveries.length;
  const message = await acme.as(ann).post(channel, `Look: ${world.cardUrl(cardId)}`);
  await slack.idle();
  if (slack.deliveries.length === before) throw new Error('Slack did not tell the app of a link');
  return message;
}
