import type { Page } from 'playwright-core';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import { landscapePng } from '../stand-ins/design-service/png.ts';
import type { Channel } from '../stand-ins/slack/state/model.ts';
import type { BroughtUp } from './bring-up.ts';
import type { Picture } from './pictures.ts';
import {
  changeSettings,
  choose,
  chooseFromMenu,
  chooseInStep,
  command,
  composerOf,
  enter,
  field,
  fillForm,
  homeOf,
  lastMessage,
  leave,
  modalOf,
  openDetails,
  openStep,
  paneOf,
  previewsOf,
  say,
  send,
  showAllFields,
  threadOf,
} from './slack-page.ts';

// Every surface of docs/surfaces.md, for looking at all of them in one sitting: `npm run tool -- screenshots --every <folder>`.

type Act = (page: Page, sandbox: BroughtUp) => unknown;
type Name = 'Ann' | 'Ada Admin' | 'Gil';

/** How to get to a picture, in this order. */
type Steps = {
  before?: Act;
  /** Who looks, after closing the modal in which the last picture ended. */
  as?: Name;
  /** The same with that modal open. */
  still?: Name;
  /** In #general unless told. */
  at?: 'app' | 'home' | 'design' | 'acme-globex';
  /** The command's text. */
  types?: string;
  /** A button of the last message. */
  pressesBelow?: string;
  /** A button of the modal. */
  presses?: string | RegExp;
  fills?: Record<string, string>;
  posts?: string[];
  does?: Act;
  /** What happens to the next new card. */
  nextCard?: Fault;
  sends?: string;
  /** In the modal. */
  sees?: string | RegExp;
  seesButton?: string;
  seesField?: string;
  /** In the last message. */
  reads?: string;
  readsAtHome?: string;
};

/** A picture that isn't in the documentation. */
const picture = (name: string, steps: Steps): Picture => ({
  name,
  async show(page, sandbox) {
    await steps.before?.(page, sandbox);
    await start(page, sandbox, steps);
    await steps.does?.(page, sandbox);
    const { nextCard, sends } = steps;
    const { faults } = sandbox.service;
    if (nextCard) faults.add({ ...nextCard, operation: 'createCard', times: 1 });
    if (sends) await send(page, sends);
    await look(page, steps);
  },
});

async function start(page: Page, sandbox: BroughtUp, steps: Steps): Promise<void> {
  const { types, pressesBelow, presses, fills = {}, posts } = steps;
  const who = steps.as ?? steps.still;
  if (who) await open(page, sandbox, who, steps);
  if (types !== undefined) await command(page, types);
  if (pressesBelow) await lastMessage(page).getByRole('button', { name: pressesBelow }).click();
  if (presses) await modalOf(page).getByRole('button', { name: presses }).click();
  for (const [label, text] of Object.entries(fills)) await field(page, label).fill(text);
  if (posts) await say(page, posts.map(sandbox.cardUrl).join(' '));
}

async function look(page: Page, steps: Steps): Promise<void> {
  const { sees, seesButton, seesField, reads, readsAtHome } = steps;
  const shown = [
    sees && modalOf(page).getByText(sees),
    seesButton && modalOf(page).getByRole('button', { name: seesButton }),
    seesField && field(page, seesField),
    reads && lastMessage(page).getByText(reads),
    readsAtHome && homeOf(page).getByText(readsAtHome),
  ];
  for (const one of shown) if (one) await one.first().waitFor();
}

async function open(page: Page, { slack, acme }: BroughtUp, name: Name, steps: Steps) {
  const { users, channels } = slack.state;
  const user = [...users.values()].find(({ realName }) => realName === name);
  if (!user) throw new Error(`There is no ${name}.`);
  const person = acme.as(user);
  if (steps.as && person.currentView()) await person.close({ all: true });
  const { at = 'general' } = steps;
  const ofApp = ({ kind, members }: Channel) =>
    kind === 'im' && members.has(user.id) && members.has(acme.botUserId);
  const channel = [...channels.values()].find((one) =>
    at === 'app' || at === 'home' ? ofApp(one) : one.name === at,
  );
  const tab = at === 'home' ? '&tab=home' : '';
  await page.goto(`/?as=${user.id}&at=${channel?.id}${tab}`);
  await page.getByRole('main').waitFor();
}

const [ann, ada, gil] = ['Ann', 'Ada Admin', 'Gil'] as const;

const home = (as: Name, readsAtHome: string): Steps => ({ as, at: 'home', readsAtHome });
/** The app's direct message to someone. */
const note = (as: Name, reads: string): Steps => ({ as, at: 'app', reads });
/** The answer to a subcommand. */
const answer = (types: string, reads: string): Steps => ({ as: ann, types, reads });
/** Of a request like the ones before, only the title and description are new. */
const again = (types: string): Steps => ({
  as: ann,
  types,
  fills: { Description: 'The same, for another season.' },
});

const runStep = (page: Page) => modalOf(page).getByRole('button', { name: 'Run workflow' }).click();
const formFromMessage = async (page: Page) => {
  await lastMessage(page).hover();
  await lastMessage(page).getByRole('button', { name: 'More actions' }).click();
  return page.getByRole('menuitem', { name: /^Create design request/ });
};
const repliesOf = (page: Page) => page.getByRole('main').getByRole('button', { name: /^\d repl/ });
const link = 'Card link or ID';

/** In the order in which they are taken. */
export const SURFACE_PICTURES: Picture[] = [
  picture('home-not-connected', home(ann, 'isn’t connected')),
  picture('home-not-connected-admin', home(ada, 'isn’t connected')),
  picture('form-not-connected-admin', {
    as: ada,
    types: 'Spring banner',
    sees: 'Connect it here, or later',
  }),
  picture('form-not-connected', {
    as: ann,
    types: 'Spring banner',
    sees: 'You can already write your request',
  }),
  picture('ask-admin', { still: ann, presses: /^Ask /, sees: 'We asked' }),
  picture('asked', note(ada, 'asks you')),
  picture('request-waits', {
    still: ann,
    async does(page) {
      await leave(page);
      await field(page, 'Description').fill('Fresh and light.');
    },
    sends: 'Send',
    sees: 'Your request is saved',
  }),
  picture('step-not-connected', { as: ann, does: openStep, sees: /isn’t connected/ }),
  picture('settings-not-connected', { as: ada, types: 'settings', seesButton: 'Connect' }),
  picture('connect-refused', {
    as: ada,
    types: 'connect',
    fills: { 'API key': 'dsk_wrong' },
    sends: 'Connect',
    sees: 'doesn’t accept this key',
  }),
  picture('connected', {
    still: ada,
    does: (page, { service }) => field(page, 'API key').fill(service.apiKey),
    fills: { 'Project ID': 'no-such-project' },
    sends: 'Connect',
    sees: 'no such project',
  }),
  picture('finish', note(ann, 'Finish your request')),
  picture('form-finish', {
    still: ann,
    at: 'app',
    pressesBelow: 'Finish your request',
    seesField: 'Title',
  }),
  picture('form-first', { as: ada, types: '', seesField: 'Description' }),
  picture('form-long-menu', {
    still: ada,
    async does(page) {
      await choose(page, 'Request type', 'Social media');
      await field(page, 'Brand').click();
      await field(page, 'Brand').pressSequentially('fjord');
      const option = (name: string) => modalOf(page).getByRole('option', { name, exact: true });
      await option('Fjord Analytics').waitFor();
      await option('Amber Analytics').first().waitFor({ state: 'hidden' });
    },
  }),
  picture('form-missing', {
    still: ada,
    sends: 'Send',
    sees: 'Please complete this required field.',
  }),
  picture('form-more-options', {
    as: ann,
    async does(page) {
      await fillForm(page, 'Spring banner');
      await showAllFields(page);
      const png = { name: 'moodboard.png', mimeType: 'image/png' };
      const buffer = Buffer.from(landscapePng(png.name, 320, 180));
      await field(page, 'Reference files').setInputFiles([{ ...png, buffer }]);
    },
    seesButton: 'Remove moodboard.png',
  }),
  picture('form-refused', {
    still: ann,
    nextCard: {
      kind: 'status',
      status: 400,
      details: { title: 'This title is taken. Choose another one.', dimension: 'Name the unit.' },
    },
    sends: 'Send',
    sees: 'Name the unit.',
  }),
  picture('refused', note(ann, 'Fix and resend')),
  picture('sent', {
    as: ann,
    at: 'app',
    pressesBelow: 'Fix and resend',
    fills: { Title: 'Spring sale banner' },
    sends: 'Send',
    sees: 'Sent',
  }),
  picture('confirmation-menu', {
    as: ann,
    async does(page) {
      await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor();
      await lastMessage(page).getByRole('button', { name: 'More choices' }).click();
    },
  }),
  picture('form-next', {
    as: ann,
    types: 'Summer banner',
    async does(page, { slack, acme, ann: me }) {
      await modalOf(page).getByText('Set for you').waitFor();
      await field(page, 'Description').fill('The same, for summer.');
      // Or the next picture closes the form before what was typed arrives.
      const typed = () => JSON.stringify(acme.as(me).field('Description').value).includes('summer');
      await slack.until(typed, 'what was typed');
    },
  }),
  picture('form-continue', { as: ann, types: '', seesButton: 'Continue your request' }),
  picture('draft', {
    as: ann,
    types: 'Autumn banner',
    fills: { Description: 'Not yet.' },
    async does(page) {
      await showAllFields(page);
      await modalOf(page).getByLabel('Save as draft').check();
    },
    sends: 'Send',
    sees: 'Draft saved',
  }),
  picture('draft-confirmation', note(ann, 'This is a draft')),
  picture('in-doubt', {
    ...again('Holiday banner'),
    nextCard: { kind: 'drop-after-executing' },
    sends: 'Send',
    sees: 'Did this request arrive',
  }),
  picture('in-doubt-message', note(ann, 'Did this request arrive')),
  picture('found-it', { as: ann, at: 'app', pressesBelow: 'Found it', seesField: link }),
  picture('found-another', {
    still: ann,
    does: (page, { cardUrl }) => field(page, link).fill(cardUrl('card-1001')),
    sends: 'Save',
    sees: 'Is it the right one',
  }),
  picture('home-admin', home(ada, 'Connected by')),
  picture('home-guest', home(gil, 'Only full members')),
  picture('form-guest', { as: gil, types: 'Spring banner', sees: 'Only full members' }),
  picture('list', answer('list', 'Needs a fix')),
  picture('status', answer('status card-1001', 'Share in this channel')),
  picture('help', answer('help', 'show this list')),
  picture('types', answer('types', 'Request types')),
  picture('brands', answer('brands', 'Brands')),
  picture('brands-search', answer('brands fjord', 'matching “fjord”')),
  picture('tags', answer('tags', 'Tags')),
  picture('mistyped', answer('hlep', 'Did you mean')),
  picture('misused', answer('list all', 'Did you mean to request')),
  picture('not-admin', { as: ann, types: 'connect', sees: 'Only workspace admins' }),
  picture('no-such-card', answer('status nothing-like-it', 'No card with that ID')),
  picture('message-menu', {
    as: ann,
    at: 'design',
    does: async (page) => (await formFromMessage(page)).waitFor(),
  }),
  picture('form-from-message', {
    as: ann,
    at: 'design',
    async does(page) {
      await (await formFromMessage(page)).click();
      await modalOf(page).getByRole('checkbox', { name: 'autumn-fair-brief.pdf' }).waitFor();
    },
  }),
  picture('shortcuts', {
    as: ann,
    async does(page) {
      await page.getByRole('button', { name: 'Shortcuts' }).click();
      await page.getByRole('menuitem', { name: /^Request a design/ }).waitFor();
    },
  }),
  picture('settings', { as: ada, types: 'settings', seesField: 'Card links' }),
  picture('preset', {
    still: ada,
    presses: 'Preset for this channel',
    async does(page) {
      await field(page, 'Brief template').waitFor();
      await choose(page, 'Request type', 'Social media');
      await field(page, 'Brief template').fill('Who will see it?\nWhat must be on it?');
    },
  }),
  picture('recent-changes', {
    still: ada,
    async does(page) {
      await send(page, 'Save');
      await modalOf(page).getByText('Preset saved').waitFor();
      await leave(page);
      await modalOf(page).getByRole('button', { name: 'Recent changes' }).click();
    },
    sees: 'kept for a year',
  }),
  picture('disconnect', {
    as: ada,
    types: 'disconnect',
    does: (page) => lastMessage(page).getByRole('button', { name: 'Disconnect' }).waitFor(),
  }),
  picture('unfurls', {
    as: ann,
    async does(page, { cardUrl }) {
      await say(page, ['card-1001', 'card-1002'].map(cardUrl).join(' and '));
      await previewsOf(lastMessage(page)).nth(1).waitFor();
    },
  }),
  picture('unfurls-many', {
    as: ann,
    posts: ['card-1001', 'card-1002', 'card-1003', 'card-1004', 'card-1005'],
    reads: 'more',
  }),
  picture('unfurl-menu', {
    as: ann,
    async does(page) {
      await previewsOf(lastMessage(page)).first().getByRole('button', { name: /More/ }).click();
      await page.getByRole('menuitem', { name: 'Show all' }).waitFor();
    },
  }),
  picture('show-all', {
    as: ann,
    does: (page) => chooseFromMenu(previewsOf(lastMessage(page)).first(), 'Show all'),
    sees: 'Request type',
  }),
  picture('unfurl-large', {
    as: ada,
    async does(page, { cardUrl }) {
      await changeSettings(page, async () => {
        await field(page, 'Card links').click();
        const large = modalOf(page).getByRole('option', { name: /^Large preview/ });
        await large.click();
      });
      await say(page, cardUrl('card-1001'));
      await previewsOf(lastMessage(page)).getByRole('img').last().waitFor();
    },
  }),
  picture('link-not-shown', {
    as: ann,
    at: 'acme-globex',
    async does(page, { cardUrl }) {
      // Only in channels with the app can it say something to one person.
      await enter(page, '/invite');
      const added = page.getByText(/was added to #/);
      await added.first().waitFor();
      await say(page, cardUrl('card-1001'));
      await page.getByText('can’t show that card link here').waitFor();
    },
  }),
  picture('composer-preview', {
    as: ann,
    async does(page, { cardUrl }) {
      await composerOf(page).fill(cardUrl('card-1001'));
      await page.locator('.composer').getByText('Spring sale banner').last().waitFor();
    },
  }),
  picture('changes-told', {
    before(_page, { service }) {
      const card = service.cards.all().findLast(({ title }) => title === 'Spring sale banner');
      service.cards.update(card?.id ?? '', { status: STATUSES.done });
      service.cards.addFile(card?.id ?? '', { name: 'spring-sale-banner.png' });
    },
    as: ann,
    async does(page) {
      const refresh = page.getByRole('button', { name: 'Refresh: Spring sale banner' }).first();
      for (let tries = 0; tries < 3 && (await repliesOf(page).count()) === 0; tries += 1) {
        await refresh.click();
        const isShown = repliesOf(page).first().waitFor({ timeout: 11_000 });
        await isShown.catch(() => undefined);
      }
      await repliesOf(page).first().click();
      await threadOf(page).getByText('done').first().waitFor();
    },
  }),
  picture('stopped', {
    still: ann,
    async does(page) {
      await repliesOf(page).first().click();
      const stop = threadOf(page).getByRole('button', { name: /^Stop watching/ });
      await stop.click();
      await threadOf(page).getByText('Stopped.').waitFor();
    },
  }),
  picture('home-watching', {
    async before(page, sandbox) {
      await open(page, sandbox, ada, { as: ada });
      await say(page, sandbox.cardUrl('card-1002'));
      await chooseFromMenu(previewsOf(lastMessage(page)), 'Watch');
      await page.getByText('You’re watching').waitFor();
    },
    ...home(ada, 'Cards you watch'),
  }),
  picture('work-object', {
    as: ada,
    async does(page, { cardUrl }) {
      await changeSettings(page, () => choose(page, 'Cards as Work Objects', 'On'));
      await say(page, cardUrl('card-1001'));
      const shown = lastMessage(page).getByRole('region', { name: /^Work Object/ });
      await shown.waitFor();
    },
  }),
  picture('pane-no-card', {
    as: ada,
    async does(page, { service, slack }) {
      const end = service.faults.add({ operation: 'getCard', kind: 'status', status: 404 });
      slack.state.panes.clear();
      await openDetails(page);
      await paneOf(page).getByRole('alert').getByText('Card not found').waitFor();
      end();
    },
  }),
  picture('step', {
    as: ann,
    async does(page) {
      await openStep(page);
      await runStep(page);
      const empty = modalOf(page).getByText(/failed: “Request type” is empty/);
      await empty.waitFor();
      await chooseInStep(page, 'Request type', 'Social media');
      await chooseInStep(page, 'Product', 'Graphics');
      await runStep(page);
      await modalOf(page).getByRole('link', { name: /card-/ }).waitFor();
    },
  }),
  // With a project, in which the app looks for a request in doubt.
  picture('checking', {
    async before(page, sandbox) {
      await open(page, sandbox, ada, { as: ada });
      await changeSettings(page, () => field(page, 'Project ID').fill('project-1'));
    },
    ...again('Window display'),
    nextCard: { kind: 'reset-before-executing' },
    sends: 'Send',
    sees: 'You can close this',
  }),
  // Last, since the service refuses all other calls, too.
  picture('home-open', {
    async before(page, sandbox) {
      const { service } = sandbox;
      const card = service.cards.all().find(({ title }) => title === 'Spring sale banner');
      service.cards.update(card?.id ?? '', { status: STATUSES.inReview });
      const details = { title: 'This title is taken.' };
      const refused = picture('', {
        ...again('Poster'),
        nextCard: { kind: 'status', status: 400, details },
        sends: 'Send',
        sees: 'Fix the marked fields',
      });
      await refused.show(page, sandbox);
    },
    ...home(ann, 'Needs your answer'),
  }),
  picture('busy', {
    ...again('Winter banner'),
    nextCard: { kind: 'rate-limited', retryAfter: 600 },
    sends: 'Send',
    sees: 'Your design service is busy',
  }),
  picture('waiting', note(ann, 'Your design service is busy')),
  picture('home-busy', home(ann, 'On the way')),
  picture('frozen', {
    as: ann,
    async does(page) {
      await composerOf(page).waitFor();
      await page.getByRole('button', { name: 'Freeze app' }).click();
      await command(page, 'Spring banner');
      await page.getByText('failed with the error “operation_timeout”').waitFor();
      await page.getByRole('button', { name: 'Resume app' }).click();
    },
  }),
];
