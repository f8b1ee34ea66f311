import { fingerprintOf } from '../../src/store/api-keys.ts';
import { asObject, type JsonObject, objectsOf } from '../stand-ins/slack/json.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import { buttonFrom, freshForm, repeatAs, type Stage } from './access-stage.ts';
import { eventsHandled } from './links.ts';
import { STEP, stepInputs } from './workflow-step.ts';

/** A person on the stage, with a request of their own if they may make any. */
export type Actor = { stage: Stage; who: User; requestId: string };

/** One thing that people can do. */
export type Case = {
  /** Who may do it. */
  access: 'users' | 'admins';
  /** Part of what permitted people get and nobody else does. */
  gets: string;
  /** Options and unfurls can't show text, so everyone else gets nothing. */
  isSilent?: true;
  /** @returns the action itself, which resolves to the app's answer to Slack */
  prepare(actor: Actor): Promise<() => Promise<string>>;
};

const command = (typed: string, gets: string, access: Case['access'] = 'users'): Case => ({
  access,
  gets,
  async prepare({ stage: { world, channel, cardUrl }, who }) {
    const text = typed.replace('<card>', cardUrl);
    return async () => (await world.acme.as(who).command(channel, text)).body;
  },
});

/** Which key a button removes. */
const connectedKey = ({ stage }: Actor): string =>
  `/${fingerprintOf(stage.world.service.apiKey).slice(0, 8)}`;

/** A button in a message. */
const press = (
  actionId: string,
  gets: string,
  value: (actor: Actor) => string,
  access: Case['access'] = 'users',
): Case => ({
  access,
  gets,
  async prepare(actor) {
    const { stage, who } = actor;
    const message = await buttonFrom(stage, actionId, value(actor));
    return async () => (await stage.world.acme.as(who).click({ message, text: 'Press' })).body;
  },
});

const inModal = (
  what: string,
  gets: string,
  changes: (stage: Stage) => JsonObject = () => ({}),
  access: Case['access'] = 'users',
): Case => ({
  access,
  gets,
  prepare:
    async ({ stage, who }) =>
    () =>
      repeatAs(stage, who, what, changes(stage)),
});

const options = (action_id: string, gets: string): Case => ({
  ...inModal('block_suggestion', gets, () => ({ action_id, value: '' })),
  isSilent: true,
});

/** A submission of another modal, under the ID of the settings. */
const submission = (
  callback_id: string,
  gets: string,
  view: (actor: Actor) => JsonObject,
  access: Case['access'] = 'users',
): Case => ({
  access,
  gets,
  async prepare(actor) {
    const { stage, who } = actor;
    const open = asObject(stage.genuine.get('settings')?.view);
    const changes = { view: { ...open, callback_id, ...view(actor) } };
    return () => repeatAs(stage, who, 'settings', changes);
  },
});

const typed = (name: string, value: string): JsonObject => ({
  values: { [name]: { [name]: { type: 'plain_text_input', value } } },
});

/** What someone did in the form, with what is different about it. */
function doneInForm({ genuine }: Stage, different: JsonObject) {
  const { actions, view } = asObject(genuine.get('block_actions'));
  const [done] = objectsOf(actions);
  const action_ts = String(Date.now() / 1_000);
  return { actions: [{ ...done, action_ts, ...different }], view: asObject(view) };
}

/** A change or a press in the form. */
const inForm = (action_id: string, gets: string, value?: string): Case =>
  inModal('block_actions', gets, (stage) => doneInForm(stage, { action_id, value }));

/** A conversation is chosen in which the app can't post. */
const postInChanged = inModal('block_actions', 'Social media', (stage) => {
  const { actions, view } = doneInForm(stage, { action_id: 'shareIn' });
  const shown = asObject(asObject(view.state).values);
  const values = { ...shown, shareIn: { shareIn: { selected_conversation: 'C0NOWHERE' } } };
  return { actions, view: { ...view, state: { values } } };
});

/** A press in the Home tab. */
const inHome = (action_id: string, gets: string): Case =>
  inModal('block_actions', gets, (stage) => {
    const { actions, view } = doneInForm(stage, { type: 'button', action_id });
    return { actions, view: { ...view, type: 'home' } };
  });

/** Something to which the app's answer to Slack says nothing. */
const unanswered = (gets: string, act: (actor: Actor) => unknown): Case => ({
  access: 'users',
  gets,
  prepare: async (actor) => async () => {
    await act(actor);
    return '';
  },
});

const linkPosted: Case = {
  ...unanswered('Secret rebrand', async ({ stage: { world, channel, cardUrl }, who }) => {
    await world.acme.as(who).post(channel, cardUrl);
    await eventsHandled(world);
  }),
  isSilent: true,
};

const detailsOpened = unanswered('Secret rebrand', ({ stage: { world, cardUrl }, who }) => {
  world.acme.as(who).openDetails({ foundUrl: cardUrl });
  return eventsHandled(world);
});

const step = unanswered('\\"card_id\\":', ({ stage: { world }, who }) =>
  world.acme.runStep(STEP, stepInputs(world, who)),
);

/** A menu of the step in Workflow Builder. */
const stepOptions = (input: string, gets: string): Case =>
  unanswered(gets, ({ stage: { world }, who }) =>
    world.acme.stepOptions({ builder: who, step: STEP, input }),
  );

/** In the menu of somebody's message, and anywhere. Their payloads are made, because Slack offers them only at home. */
const shortcut = (type: 'message_action' | 'shortcut', callback_id: string): Case =>
  inModal(type, 'Social media', () => ({ callback_id }));

/** Made, because the other company's Slack offers its people only their own apps. */
const homeOpened = unanswered('New request', ({ stage: { world }, who }) => {
  const { acme, slack } = world;
  const event = { type: 'app_home_opened', user: who.id, channel: 'D1', tab: 'home' };
  const body = {
    type: 'event_callback',
    event_id: slack.state.ids.next('Ev'),
    api_app_id: slack.appId,
    team_id: acme.id,
    authorizations: [{ team_id: acme.id, user_id: acme.botUserId, is_bot: true }],
    event: { ...event, event_ts: '1.2' },
  };
  return slack.sendSigned(JSON.stringify(body), 'application/json');
});

const cardId = ({ stage }: Actor) => stage.cardUrl.split('/').at(-1) ?? '';
const theirs = ({ requestId }: Actor) => requestId;

/** Everything people can do, by subcommand or by kind and ID. The case that deletes the key comes last. */
export const CASES: Record<string, Case> = {
  '': command('Spring banner', 'Spring banner'),
  new: command('new list of prices', 'list of prices'),
  status: command('status <card>', 'Secret rebrand'),
  list: command('list', 'requests'),
  types: command('types', 'Social media'),
  brands: command('brands', 'Amber Bakery'),
  tags: command('tags', 'Tags'),
  help: command('help', '/design-request status'),
  connect: command('connect', 'API key', 'admins'),
  settings: command('settings', 'Card links', 'admins'),
  disconnect: command('disconnect', 'Disconnect this workspace', 'admins'),
  'links:link_shared': linkPosted,
  'opened:entity_details_requested': detailsOpened,
  'action:card-refresh': press(
    'card-refresh',
    'Secret rebrand',
    (actor) => `large:${cardId(actor)}`,
  ),
  'action:card-share': press('card-share', 'Secret rebrand', ({ stage }) => stage.cardUrl),
  'action:card-watch': press('card-watch', 'You’re watching', cardId),
  'action:card-stop-watching': press('card-stop-watching', 'Stopped', cardId),
  'shortcut:create-design-request': shortcut('message_action', 'create-design-request'),
  'shortcut:request-a-design': shortcut('shortcut', 'request-a-design'),
  'opened:app_home_opened': homeOpened,
  'modal:home-new-request': press('home-new-request', 'Social media', () => 'new'),
  'modal:home-settings': press('home-settings', 'Card links', () => 'settings', 'admins'),
  'action:home-refresh': inHome('home-refresh', 'New request'),
  'sub-command:command-run': press('command-run', '/design-request status', () => 'help'),
  'stored-submission:request-form': inModal('request-form', 'Sending…', freshForm),
  'action:requestType': inForm('requestType', 'Social media'),
  'action:shareIn': postInChanged,
  'action:request-form-more': inForm('request-form-more', 'Save as draft'),
  'action:request-form-continue-here': inForm(
    'request-form-continue-here',
    'no longer saved',
    'none',
  ),
  'action:request-form-discard': inForm('request-form-discard', 'Social media', 'none'),
  'options:requestType': options('requestType', 'Social media'),
  'options:brand': options('brand', 'Amber Bakery'),
  'options:product': options('product', 'Graphics Video'),
  'options:software': options('software', 'Photoshop'),
  'options:formats': options('formats', 'JPG'),
  'action:request-form-retry': inForm('request-form-retry', 'Loading'),
  'modal:request-form-open': press('request-form-open', 'Request type', () => 'Spring banner'),
  'modal:request-again': press('request-again', 'no longer stored', () => 'none'),
  'modal:card-request-again': press('card-request-again', 'Secret rebrand', cardId),
  'modal:card-show-all': press('card-show-all', 'Secret rebrand', cardId),
  'modal:request-form-continue': press('request-form-continue', 'no longer saved', () => 'none'),
  'modal:request-reopen': press('request-reopen', 'send again. Nothing is lost', theirs),
  'action:request-refresh': press('request-refresh', 'no longer stored', () => 'none'),
  'action:request-send-again': press('request-send-again', 'already decided', theirs),
  'modal:request-found': press('request-found', 'already decided', theirs),
  'submission:request-found': submission('request-found', 'already decided', ({ requestId }) => ({
    private_metadata: JSON.stringify({ requestId }),
    state: typed('card', 'any-card'),
  })),
  'action:request-discard': press('request-discard', 'Discarded', theirs),
  'modal:open-connect': press('open-connect', 'API key', () => 'x', 'admins'),
  'action:ask-to-connect': press('ask-to-connect', 'connected now', () => 'x'),
  'submission:connect': inModal('connect', 'doesn’t accept this key', undefined, 'admins'),
  'modal:preset-workspace': press('preset-workspace', 'Brief template', () => 'x', 'admins'),
  'modal:preset-channel': press('preset-channel', 'Brief template', () => 'C1', 'admins'),
  'submission:preset': inModal('preset', 'Preset saved', undefined, 'admins'),
  'modal:recent-changes': press('recent-changes', 'Preset for', () => 'x', 'admins'),
  'submission:settings': inModal('settings', 'Settings saved', undefined, 'admins'),
  'step:create_design_request': step,
  'step-options:list_request_types': stepOptions('request_type', 'Social media'),
  'step-options:list_brands': stepOptions('brand', 'Amber Bakery'),
  'step-options:list_products': stepOptions('product', 'Graphics Video'),
  'submission:connect-project': submission(
    'connect-project',
    'no such project',
    () => ({ state: typed('project', 'unknown') }),
    'admins',
  ),
  'action:disconnect': press('disconnect', 'Disconnected', connectedKey, 'admins'),
};
