import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { seesCompleteForm } from '../sandbox/complete-form.ts';
import { asObject, asText, type JsonObject, parseJson } from '../stand-ins/slack/json.ts';
import type { Channel, Message, User } from '../stand-ins/slack/state/model.ts';
import { issueTrigger } from '../stand-ins/slack/state/triggers.ts';
import { connect, submitKey } from './connecting.ts';
import { databaseOf, dueJobs } from './database-rows.ts';
import { created, fillForm, openForm, sendRequest, showAllFields, untilSees } from './form.ts';
import { ALLOW_GUESTS, changeSettings, SHARE_EXTERNALLY, shareWithGlobex } from './links.ts';
import { setPreset } from './presets.ts';
import { startWorld, type World } from './world.ts';

/** A world in which an admin has done everything once, so that others can try the same. */
export type Stage = {
  world: World;
  /** Shared with another company, whose people are members, and where cards may be shown. */
  channel: Channel;
  bob: User;
  cardUrl: string;
  /** What the admin did in modals, by kind of delivery; submissions by callback ID. */
  genuine: Map<string, JsonObject>;
  /** Forms and messages, by their IDs and timestamps, that the app may still draw because of what was done earlier. */
  redrawn: Set<string>;
};

/** Names that only the service knows. People without access must see none of them. */
export const SECRETS = /Secret rebrand|Amber Bakery|Social media|Graphics Video|Photoshop|JPG/;

export async function setTheStage(): Promise<Stage> {
  const world = await startWorld();
  const { acme, slack, service, ada } = world;
  const { bob, shared: channel } = shareWithGlobex(world);
  channel.members.add(acme.botUserId);
  const { id } = service.cards.add({ title: 'Secret rebrand' });
  const genuine = new Map<string, JsonObject>();
  const record = (kind: string) => {
    const payload = slack.deliveries.findLast((one) => one.kind === kind)?.payload;
    if (!payload) throw new Error(`Slack delivered no ${kind}`);
    const isSubmission = kind === 'view_submission';
    genuine.set(isSubmission ? asText(asObject(payload.view).callback_id) : kind, payload);
  };
  await openForm(world, ada);
  // Nothing is stored of what a form hides for others.
  await showAllFields(world, ada);
  await fillForm(world, ada);
  record('block_actions');
  await ada.suggest('Brand', '');
  record('block_suggestion');
  await ada.submit();
  record('view_submission');
  await created(world);
  // The card that was created is watched: its first read, and what that draws, is an effect of nothing that others try.
  // A read during which the key is replaced would be repeated minutes later.
  const watched = () => databaseOf(world).selectFrom('watched_cards').select('revision').execute();
  await expect.poll(watched, { timeout: 10_000 }).toEqual([{ revision: 1 }]);
  await ada.globalShortcut('Request a design');
  record('shortcut');
  const message = await ada.post(channel, 'We need a banner');
  await ada.messageShortcut(message, 'Create design request');
  record('message_action');
  await slack.until(() => seesCompleteForm(ada), 'the form');
  await ada.close({ all: true });
  await submitKey(world, ada, 'wrong-key');
  record('view_submission');
  await connect(world, ada, service.apiKey);
  await ada.close({ all: true });
  await setPreset(world, ada, 'Preset for all channels', { 'Brief template': 'Who will see it?' });
  record('view_submission');
  await ada.close({ all: true });
  await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY, ALLOW_GUESTS] });
  record('view_submission');
  const drawing = () => dueJobs(world, Date.now(), 'show-watched-card');
  await expect.poll(drawing, { timeout: 10_000 }).toBe(0);
  await slack.idle();
  return { world, channel, bob, cardUrl: world.cardUrl(id), genuine, redrawn: new Set() };
}

/** Repeats, as another person, what the admin did in a modal. @returns the app's answer */
export async function repeatAs(
  { world, genuine }: Stage,
  who: User,
  what: string,
  changes: JsonObject = {},
): Promise<string> {
  const payload = genuine.get(what);
  if (!payload) throw new Error(`Nobody did ${what}`);
  const { acme, slack } = world;
  const body = {
    ...payload,
    user: { id: who.id, name: who.name, username: who.name, team_id: who.teamId },
    trigger_id: issueTrigger({ state: slack.state, workspace: acme, user: who }),
    ...changes,
  };
  const form = new URLSearchParams({ payload: JSON.stringify(body) });
  return (await slack.sendSigned(form.toString())).body;
}

/** The admin's submission under a new view ID, as if the form had just been opened. */
export function freshForm({ genuine }: Stage): JsonObject {
  const view = asObject(genuine.get('request-form')?.view);
  const metadata = asObject(parseJson(asText(view.private_metadata)));
  return {
    view: { ...view, private_metadata: JSON.stringify({ ...metadata, formId: randomUUID() }) },
  };
}

/** A message from the app with one button. */
export async function buttonFrom(
  { world, channel }: Stage,
  action_id: string,
  value: string,
): Promise<Message> {
  const { acme, slack } = world;
  const text = { type: 'plain_text', text: 'Press' };
  const label = { accessibility_label: 'Press: this' };
  const button = { type: 'button', action_id, value, text, ...label };
  const blocks = [{ type: 'actions', elements: [button] }];
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: channel.id, text: 'Press it', blocks }),
  });
  const { ts } = asObject(await response.json());
  const message = acme.messages(channel).find((one) => one.ts === ts);
  if (!message) throw new Error('The message was not posted');
  return message;
}

/** A request that the service rejected, for its author to fix. @returns its ID */
export async function refusedRequest(stage: Stage, author: User): Promise<string> {
  const { world, redrawn } = stage;
  const { acme, service } = world;
  const me = acme.as(author);
  const heal = service.faults.add({ operation: 'createCard', kind: 'status', status: 400 });
  await sendRequest(world, me);
  await untilSees(world, me, 'send again. Nothing is lost');
  heal();
  const { id = '', view: { private_metadata } = {} } = me.currentView() ?? {};
  redrawn.add(id);
  await me.close({ all: true });
  return asText(asObject(parseJson(asText(private_metadata))).formId);
}
