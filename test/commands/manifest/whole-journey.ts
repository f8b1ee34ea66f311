import { connect } from '../../journeys/connecting.ts';
import { openForm, sendRequest } from '../../journeys/form.ts';
import type { World } from '../../journeys/world.ts';
import type { ApiCall } from '../../stand-ins/slack/api-calls.ts';

/** A refused call has shown what is missing; what hasn't happened after this time never will. In ms. */
const PATIENCE_MS = 3_000;

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
      await part(world);
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
    const { acme, ann, admin, service } = world;
    service.revokeKey(service.apiKey);
    const design = acme.addChannel({ name: 'design', members: [ann], botIsMember: true });
    await acme.as(ann).post(design, `Look: ${world.cardUrl('card-1001')}`);
    await untilShown(world, () => acme.ephemerals(ann)[0] && acme.directMessages(admin)[0]);
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
  async 'the author of a request in doubt says that it arrived'(world) {
    const { acme, ann, service } = world;
    const me = acme.as(ann);
    service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
    await sendRequest(world, me);
    const note = await untilShown(world, () => acme.directMessages(ann).find(({ botId }) => botId));
    if (!note) return;
    await me.click({ message: note, text: 'It is there' });
    await untilShown(world, () => note.edited);
  },
  async 'a person who becomes a guest is refused on top of the open form'(world) {
    const { acme, general } = world;
    const max = acme.addUser({ name: 'Max' });
    const me = acme.as(max);
    await openForm(world, me, '', general);
    max.guest = 'multi';
    // What Slack says about people is cached for minutes.
    await world.restart();
    await me.fill({ 'Request type': 'Social media' });
    await untilShown(world, () => me.views().length > 1);
  },
  async 'a card link unfurls'(world) {
    const { acme, ann, general } = world;
    const message = await acme.as(ann).post(general, `Look: ${world.cardUrl('card-1001')}`);
    await untilShown(world, () => message.attachments[0]);
  },
};

async function requestIn(world: World, channel: World['general']): Promise<void> {
  const { acme, ann } = world;
  await sendRequest(world, acme.as(ann), { 'Share in': channel });
  await untilShown(world, () => acme.messages(channel).find(({ botId }) => botId !== undefined));
}

const refusals = ({ slack }: World): ApiCall[] =>
  slack.apiCalls.filter(({ response }) => response?.ok === false);

/** Waits for a value, but no longer once Slack has refused a call. */
async function untilShown<Value>(world: World, read: () => Value): Promise<Value> {
  const decided = () => Boolean(read()) || refusals(world).length > 0;
  await world.slack.until(decided, 'it to stand', PATIENCE_MS);
  return read();
}
