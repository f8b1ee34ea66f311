import { createWorkspaceSettings } from '../../src/installations/settings.ts';
import { workspaceIdOf } from '../../src/installations/workspace-id.ts';
import { fingerprintOfKey } from '../stand-ins/design-service/api-keys.ts';
import { type Decision, OUTCOMES, type Scenario } from './scenario.ts';
import {
  answerDoubt,
  answerDoubtInModal,
  connectKey,
  fillForm,
  sendForm,
  sendRequest,
} from './world/people.ts';
import type { World } from './world/world.ts';

export const request: Scenario = {
  name: 'a request',
  outcomesInTests: OUTCOMES,
  async play(world) {
    world.meetOutcome();
    return { sent: [await sendRequest(world, world.acme.as(world.ann), 'Spring banner')] };
  },
};

/** A request whose author decides whenever the app asks whether it arrived. */
const inDoubt = (decision: Decision): Scenario => ({
  name: `a request in doubt, its author says “${decision}”`,
  outcomesInTests: decision === 'Not there, send again' ? ['done, answer lost'] : [],
  async play(world) {
    world.meetOutcome();
    const sent = await sendRequest(world, world.acme.as(world.ann), 'Spring banner');
    await answerDoubt(world, sent, decision);
    return { sent: [sent] };
  },
});

/** The settings name a project, so the app searches it before it asks or tells the author. */
const foundInProject: Scenario = {
  name: 'a request in doubt that is looked for in a project',
  outcomesInTests: ['done, answer lost'],
  async prepare({ entries }, { acme }) {
    const id = workspaceIdOf(acme.id);
    const settings = createWorkspaceSettings(entries);
    const usual = await settings.get(id);
    await settings.save(id, { ...usual, projectId: 'project-1' }, new Date(0));
  },
  async play(world) {
    world.meetOutcome();
    const sent = [await sendRequest(world, world.acme.as(world.ann), 'Spring banner')];
    return { sent, hasProject: true };
  },
};

const unnamedInProject: Scenario = {
  ...foundInProject,
  name: 'a request whose card isn’t named in the answer and is looked for in a project',
  outcomesInTests: ['done'],
  async prepare(stores, standIns) {
    await foundInProject.prepare?.(stores, standIns);
    standIns.service.answers.createCard = 'message-only';
  },
};

const waitsForKey = async ({ database }: World) =>
  (await database.query("select id from requests where state = 'waiting_for_key'")).length > 0;

/** The service rejects the key while a request is sent, a second request waits too, then an admin connects a new key. */
const rejectedKey: Scenario = {
  name: 'a key rejected and replaced while two requests wait',
  outcomesInTests: ['done'],
  async play(world) {
    const { acme, ada, ann, bob, service } = world;
    await fillForm(world, acme.as(ann), 'Spring banner');
    await fillForm(world, acme.as(bob), 'Autumn poster');
    const key = service.regenerateKey(service.apiKey);
    const keyFingerprint = fingerprintOfKey(service.apiKey);
    const uses = () => service.calls({ keyFingerprint }).length;
    const first = await sendForm(world, acme.as(ann), 'Spring banner');
    await world.idle();
    // A process that ended before it stored the rejection knew nothing of it, so the next one tries the key once more.
    const before = (await waitsForKey(world)) ? uses() : undefined;
    const second = await sendForm(world, acme.as(bob), 'Autumn poster');
    await world.idle();
    world.meetOutcome();
    await connectKey(world, acme.as(ada), key);
    return {
      sent: [first, second],
      hasWorkingKey: true,
      toldOfRejectedKey: [ada],
      usesOfRejectedKey: uses() - (before ?? uses()),
    };
  },
};

const TITLE = 'Spring sale banner';

const link: Scenario = {
  name: 'a link whose card is read and shown',
  outcomes: ['done'],
  outcomesInTests: ['done'],
  async play(world) {
    const { acme, ann, general, service } = world;
    const card = service.cards.all().find(({ title }) => title === TITLE);
    const post = () => acme.as(ann).post(general, world.cardUrl(card?.id ?? ''));
    const message = await world.act(post);
    return { sent: [], links: [{ message, title: TITLE }] };
  },
};

const isBeingSent = async ({ database }: World) =>
  (await database.query("select id from requests where state = 'sending'")).length > 0;

export const uninstall: Scenario = {
  name: 'an uninstall during a request',
  outcomesInTests: ['done'],
  isInstalledByOAuth: true,
  async play(world) {
    const { acme, ann } = world;
    world.meetOutcome();
    const sent = await sendRequest(world, acme.as(ann), 'Spring banner');
    await world.soon(() => isBeingSent(world));
    await world.act(async () => acme.uninstall());
    return { sent: [sent], isUninstalled: true };
  },
};

/** The key may not create cards; an admin gives it the permission at the service and connects it again. */
const forbiddenKey: Scenario = {
  name: 'a key that may not create cards yet',
  outcomesInTests: ['done'],
  async play(world) {
    const { acme, ada, ann, service } = world;
    const allow = service.faults.add({ operation: 'createCard', kind: 'status', status: 403 });
    const sent = await sendRequest(world, acme.as(ann), 'Spring banner');
    await world.idle();
    // The app compares times in ms.
    await world.soon(() => false);
    allow();
    world.meetOutcome();
    await connectKey(world, acme.as(ada), service.apiKey);
    return { sent: [sent], hasWorkingKey: true };
  },
};

const HELD_BACK_FOR_S = 30;

/** Slack holds the app's messages back, so the author reads in the modal that a request is in doubt. */
const messagesHeldBack: Scenario = {
  name: 'a request in doubt, Slack holds messages back',
  outcomes: ['done', 'done, answer lost', 'failed, unknown'],
  outcomesInTests: ['failed, unknown'],
  async play(world) {
    const { acme, ann, slack } = world;
    world.meetOutcome();
    const letPass = slack.faults.add({
      kind: 'rate_limited',
      retryAfter: HELD_BACK_FOR_S,
      method: 'chat.postMessage',
    });
    const sent = await sendRequest(world, acme.as(ann), 'Spring banner');
    await answerDoubtInModal(world, sent, 'Not there, send again');
    // Until then everything is tried again, and then at the same time.
    await world.soon(() => false);
    letPass();
    await answerDoubt(world, sent, 'Not there, send again');
    return { sent: [sent] };
  },
};

const isGone = async ({ database, acme }: World) =>
  (await database.query(`select workspace_id from installations where workspace_id = '${acme.id}'`))
    .length === 0;

/** The workspace removes the app while a form is sent, which a slow process stores only after that. */
const uninstallWhileSending: Scenario = {
  name: 'an uninstall while a form is sent',
  outcomes: ['done'],
  outcomesInTests: [],
  isInstalledByOAuth: true,
  async play(world) {
    const { acme, ann } = world;
    await fillForm(world, acme.as(ann), 'Spring banner');
    world.delayStatement('insert into "entries"', () => isGone(world));
    await Promise.all([
      world.act(() => acme.as(ann).submit()),
      world.act(async () => acme.uninstall()),
    ]);
    return { sent: [], isUninstalled: true };
  },
};

const DECISIONS: readonly [Decision, ...Decision[]] = [
  'Not there, send again',
  'Found it',
  'Discard',
];

/** Two people send requests at the same time, and decide if they are asked. */
export const twoRequests: Scenario = {
  name: 'two requests at once',
  outcomesInTests: [],
  async play(world) {
    const { acme, ann, bob, chance } = world;
    await fillForm(world, acme.as(ann), 'Spring banner');
    await fillForm(world, acme.as(bob), 'Autumn poster');
    world.meetOutcome();
    const sent = await Promise.all([
      sendForm(world, acme.as(ann), 'Spring banner'),
      sendForm(world, acme.as(bob), 'Autumn poster'),
    ]);
    for (const one of sent) {
      await answerDoubt(world, one, chance?.pick(DECISIONS) ?? DECISIONS[0]);
    }
    return { sent };
  },
};

/** Their order is part of the numbers of runs, so new ones come last. */
export const SCENARIOS: readonly Scenario[] = [
  request,
  inDoubt('Not there, send again'),
  inDoubt('Found it'),
  inDoubt('Discard'),
  foundInProject,
  rejectedKey,
  link,
  uninstall,
  forbiddenKey,
  messagesHeldBack,
  uninstallWhileSending,
  unnamedInProject,
];
