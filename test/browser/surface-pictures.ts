import type { Page } from 'playwright-core';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import { landscapePng } from '../stand-ins/design-service/png.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import type { BroughtUp } from './bring-up.ts';
import { type Picture, paneOf } from './pictures.ts';
import {
  choose,
  chooseFromMenu,
  closeModal,
  command,
  composerOf,
  enter,
  field,
  fillForm,
  lastMessage,
  modalOf,
  previewsOf,
  say,
  send,
  showAllFields,
} from './slack-page.ts';

// Every surface of docs/surfaces.md, for looking at all of them in one sitting: `npm run tool -- screenshots --every <folder>`.

type Show = Picture['show'];

/** A picture that isn't in the documentation. */
const picture = (name: string, show: Show): Picture => ({ name, inDocs: false, show });

type Where = { at?: string; tab?: 'home' };

/** Opens the workspace as someone, in #general or elsewhere. */
async function openAs(page: Page, { place }: BroughtUp, { id }: User, where: Where = {}) {
  await page.goto(`${place.pages.url}/?${new URLSearchParams({ as: id, ...where })}`);
}

/** The same, after closing the modal in which the last picture ended. */
async function openFresh(page: Page, sandbox: BroughtUp, user: User, where: Where = {}) {
  const person = sandbox.stage.acme.as(user);
  if (person.currentView()) await person.close({ all: true });
  await openAs(page, sandbox, user, where);
  await page.getByRole('main').waitFor();
}

const channelNamed = ({ stage }: BroughtUp, name: string): string =>
  [...stage.slack.state.channels.values()].find((one) => one.name === name)?.id ?? '';

/** The conversation between someone and the app. */
function appChannel({ stage: { slack, ann, ada } }: BroughtUp, user: User): string {
  const other = user === ann ? ada : ann;
  const direct = [...slack.state.channels.values()].find(
    ({ kind, members }) => kind === 'im' && members.has(user.id) && !members.has(other.id),
  );
  return direct?.id ?? '';
}

async function openHome(page: Page, sandbox: BroughtUp, user: User, text: string) {
  await openFresh(page, sandbox, user, { at: appChannel(sandbox, user), tab: 'home' });
  await page.getByRole('region', { name: /home$/ }).getByText(text).first().waitFor();
}

async function openNotes(page: Page, sandbox: BroughtUp, user: User, text: string | RegExp) {
  await openFresh(page, sandbox, user, { at: appChannel(sandbox, user) });
  await lastMessage(page).getByText(text).first().waitFor();
}

/** Types the command as Ann and waits for its answer. */
const answer = (name: string, typed: string, text: string | RegExp): Picture =>
  picture(name, async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await composerOf(page).waitFor();
    await command(page, typed);
    await lastMessage(page).getByText(text).first().waitFor();
  });

/** What happens to the next new card. */
const nextCard = ({ stage: { service } }: BroughtUp, fault: Fault): void => {
  service.faults.add({ ...fault, operation: 'createCard', times: 1 });
};

/** Of a request like the ones before, only the title and description are new. */
async function requestAgain(page: Page, sandbox: BroughtUp, title: string) {
  await openFresh(page, sandbox, sandbox.stage.ann);
  await composerOf(page).waitFor();
  await command(page, title);
  await field(page, 'Description').fill('The same, for another season.');
}

const notConnected: Picture[] = [
  picture('home-not-connected', (page, sandbox) =>
    openHome(page, sandbox, sandbox.stage.ann, 'isn’t connected'),
  ),
  picture('home-not-connected-admin', (page, sandbox) =>
    openHome(page, sandbox, sandbox.stage.ada, 'isn’t connected'),
  ),
  picture('form-not-connected-admin', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ada);
    await command(page, 'Spring banner');
    await modalOf(page).getByText('Connect it here, or later').waitFor();
  }),
  picture('form-not-connected', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await command(page, 'Spring banner');
    await modalOf(page).getByText('You can already write your request').waitFor();
  }),
  picture('ask-admin', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ann);
    await modalOf(page).getByRole('button', { name: /^Ask / }).click();
    await modalOf(page).getByText('We asked').waitFor();
  }),
  picture('asked', (page, sandbox) => openNotes(page, sandbox, sandbox.stage.ada, 'asks you')),
  picture('request-waits', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ann);
    await modalOf(page).locator('footer').getByRole('button').first().click();
    await field(page, 'Description').fill('Fresh and light.');
    await send(page);
    await modalOf(page).getByText('Your request is saved').waitFor();
  }),
  picture('step-not-connected', async (page, sandbox) => {
    await openStep(page, sandbox);
    await modalOf(page)
      .getByText(/isn’t connected/)
      .first()
      .waitFor();
  }),
  picture('settings-not-connected', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ada);
    await command(page, 'settings');
    await modalOf(page).getByRole('button', { name: 'Connect' }).waitFor();
  }),
];

const connecting: Picture[] = [
  picture('connect-refused', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ada);
    await composerOf(page).waitFor();
    await command(page, 'connect');
    await field(page, 'API key').fill('dsk_wrong');
    await send(page, 'Connect');
    await modalOf(page).getByText('doesn’t accept this key').waitFor();
  }),
  picture('connected', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ada);
    await field(page, 'API key').fill(sandbox.stage.service.apiKey);
    await field(page, 'Project ID').fill('no-such-project');
    await send(page, 'Connect');
    await modalOf(page).getByText('no such project').waitFor();
  }),
  picture('finish', (page, sandbox) =>
    openNotes(page, sandbox, sandbox.stage.ann, 'Finish your request'),
  ),
  picture('form-finish', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ann, { at: appChannel(sandbox, sandbox.stage.ann) });
    await lastMessage(page).getByRole('button', { name: 'Finish your request' }).click();
    await field(page, 'Title').waitFor();
  }),
];

const png = { name: 'moodboard.png', mimeType: 'image/png' };

const form: Picture[] = [
  picture('form-first', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ada);
    await command(page);
    await field(page, 'Description').waitFor();
  }),
  picture('form-long-menu', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ada);
    await choose(page, 'Request type', 'Social media');
    await field(page, 'Brand').click();
    await field(page, 'Brand').pressSequentially('fjord');
    await modalOf(page).getByRole('option', { name: 'Fjord Analytics', exact: true }).waitFor();
    await modalOf(page)
      .getByRole('option', { name: 'Amber Analytics' })
      .first()
      .waitFor({ state: 'hidden' });
  }),
  picture('form-missing', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ada);
    await send(page);
    await modalOf(page).getByRole('alert').first().waitFor();
  }),
  picture('form-more-options', async (page, sandbox) => {
    const { ann } = sandbox.stage;
    await openFresh(page, sandbox, ann);
    await fillForm(page, 'Spring banner');
    await showAllFields(page);
    const buffer = Buffer.from(landscapePng(png.name, 320, 180));
    await field(page, 'Reference files').setInputFiles([{ ...png, buffer }]);
    await modalOf(page).getByRole('button', { name: 'Remove moodboard.png' }).waitFor();
  }),
  picture('form-refused', async (page, sandbox) => {
    nextCard(sandbox, {
      ...{ kind: 'status', status: 400 },
      details: { title: 'This title is taken. Choose another one.', dimension: 'Name the unit.' },
    });
    await openAs(page, sandbox, sandbox.stage.ann);
    await send(page);
    await modalOf(page).getByText('Name the unit.').waitFor();
  }),
  picture('refused', (page, sandbox) =>
    openNotes(page, sandbox, sandbox.stage.ann, 'Fix and resend'),
  ),
  picture('sent', async (page, sandbox) => {
    const { ann } = sandbox.stage;
    await openFresh(page, sandbox, ann, { at: appChannel(sandbox, ann) });
    await lastMessage(page).getByRole('button', { name: 'Fix and resend' }).click();
    await field(page, 'Title').fill('Spring sale banner');
    await send(page);
    await modalOf(page).getByText('Sent').waitFor();
  }),
  picture('confirmation-menu', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor();
    await lastMessage(page).getByRole('button', { name: 'More choices' }).click();
  }),
  picture('form-next', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await composerOf(page).waitFor();
    await command(page, 'Summer banner');
    await modalOf(page).getByText('Set for you').waitFor();
    await field(page, 'Description').fill('The same, for summer.');
    // Or the next picture closes the form before what was typed arrives.
    const { slack, acme, ann } = sandbox.stage;
    const typed = () => JSON.stringify(acme.as(ann).field('Description').value).includes('summer');
    await slack.until(typed, 'what was typed');
  }),
  picture('form-continue', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await command(page);
    await modalOf(page).getByRole('button', { name: 'Continue your request' }).waitFor();
  }),
  picture('draft', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await command(page, 'Autumn banner');
    await field(page, 'Description').fill('Not yet.');
    await showAllFields(page);
    await modalOf(page).getByLabel('Save as draft').check();
    await send(page);
    await modalOf(page).getByText('Draft saved').waitFor();
  }),
  picture('draft-confirmation', (page, sandbox) =>
    openNotes(page, sandbox, sandbox.stage.ann, 'This is a draft'),
  ),
];

const inDoubt: Picture[] = [
  picture('in-doubt', async (page, sandbox) => {
    await requestAgain(page, sandbox, 'Holiday banner');
    nextCard(sandbox, { kind: 'drop-after-executing' });
    await send(page);
    await modalOf(page).getByText('Did this request arrive').waitFor();
  }),
  picture('in-doubt-message', (page, sandbox) =>
    openNotes(page, sandbox, sandbox.stage.ann, 'Did this request arrive'),
  ),
  picture('found-it', async (page, sandbox) => {
    await openNotes(page, sandbox, sandbox.stage.ann, 'Did this request arrive');
    await lastMessage(page).getByRole('button', { name: 'Found it' }).click();
    await field(page, 'Card link or ID').waitFor();
  }),
  picture('found-another', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ann);
    await field(page, 'Card link or ID').fill(sandbox.stage.cardUrl('card-1001'));
    await send(page, 'Save');
    await modalOf(page).getByText('Is it the right one').waitFor();
  }),
];

const homes: Picture[] = [
  picture('home-admin', (page, sandbox) =>
    openHome(page, sandbox, sandbox.stage.ada, 'Connected by'),
  ),
  picture('home-guest', (page, sandbox) =>
    openHome(page, sandbox, guestOf(sandbox), 'Only full members'),
  ),
  picture('form-guest', async (page, sandbox) => {
    await openFresh(page, sandbox, guestOf(sandbox));
    await command(page, 'Spring banner');
    await modalOf(page).getByText('Only full members').waitFor();
  }),
];

const guestOf = ({ stage }: BroughtUp): User => {
  const gil = [...stage.slack.state.users.values()].find(({ realName }) => realName === 'Gil');
  if (!gil) throw new Error('There is no guest.');
  return gil;
};

const answers: Picture[] = [
  answer('list', 'list', 'Needs a fix'),
  answer('status', 'status card-1001', 'Share in this channel'),
  answer('help', 'help', 'show this list'),
  answer('types', 'types', 'Request types'),
  answer('brands', 'brands', 'Brands'),
  answer('brands-search', 'brands fjord', 'matching “fjord”'),
  answer('tags', 'tags', 'Tags'),
  answer('mistyped', 'hlep', 'Did you mean'),
  answer('misused', 'list all', 'Did you mean to request'),
  picture('not-admin', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await composerOf(page).waitFor();
    await command(page, 'connect');
    await modalOf(page).getByText('Only workspace admins').waitFor();
  }),
  answer('no-such-card', 'status nothing-like-it', 'No card with that ID'),
];

const shortcuts: Picture[] = [
  picture('message-menu', async (page, sandbox) => {
    const at = channelNamed(sandbox, 'design');
    await openFresh(page, sandbox, sandbox.stage.ann, { at });
    await lastMessage(page).hover();
    await lastMessage(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Create design request/ }).waitFor();
  }),
  picture('form-from-message', async (page, sandbox) => {
    const at = channelNamed(sandbox, 'design');
    await openFresh(page, sandbox, sandbox.stage.ann, { at });
    await lastMessage(page).hover();
    await lastMessage(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Create design request/ }).click();
    await modalOf(page).getByRole('checkbox', { name: 'autumn-fair-brief.pdf' }).waitFor();
  }),
  picture('shortcuts', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /^Request a design/ }).waitFor();
  }),
];

const settings: Picture[] = [
  picture('settings', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ada);
    await command(page, 'settings');
    await field(page, 'Card links').waitFor();
  }),
  picture('preset', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ada);
    await modalOf(page).getByRole('button', { name: 'Preset for this channel' }).click();
    await field(page, 'Brief template').waitFor();
    await choose(page, 'Request type', 'Social media');
    await field(page, 'Brief template').fill('Who will see it?\nWhat must be on it?');
  }),
  picture('recent-changes', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ada);
    await send(page, 'Save');
    await modalOf(page).getByText('Preset saved').waitFor();
    await modalOf(page).locator('footer').getByRole('button').first().click();
    await modalOf(page).getByRole('button', { name: 'Recent changes' }).click();
    await modalOf(page).getByText('kept for a year').waitFor();
  }),
  picture('disconnect', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ada);
    await command(page, 'disconnect');
    await lastMessage(page).getByRole('button', { name: 'Disconnect' }).waitFor();
  }),
];

const links: Picture[] = [
  picture('unfurls', async (page, sandbox) => {
    const { ann, cardUrl } = sandbox.stage;
    await openFresh(page, sandbox, ann);
    await say(page, ['card-1001', 'card-1002'].map(cardUrl).join(' and '));
    await previewsOf(lastMessage(page)).nth(1).waitFor();
  }),
  picture('unfurls-many', async (page, sandbox) => {
    const { ann, cardUrl } = sandbox.stage;
    await openFresh(page, sandbox, ann);
    const ids = ['card-1001', 'card-1002', 'card-1003', 'card-1004', 'card-1005'];
    await say(page, ids.map(cardUrl).join(' '));
    await lastMessage(page).getByText('more').first().waitFor();
  }),
  picture('unfurl-menu', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await previewsOf(lastMessage(page)).first().getByRole('button', { name: /More/ }).click();
    await page.getByRole('menuitem', { name: 'Show all' }).waitFor();
  }),
  picture('show-all', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await chooseFromMenu(previewsOf(lastMessage(page)).first(), 'Show all');
    await modalOf(page).getByText('Request type').first().waitFor();
  }),
  picture('unfurl-large', async (page, sandbox) => {
    const { ada, cardUrl } = sandbox.stage;
    await openFresh(page, sandbox, ada);
    await command(page, 'settings');
    await field(page, 'Card links').click();
    await modalOf(page)
      .getByRole('option', { name: /^Large preview/ })
      .click();
    await send(page, 'Save');
    await modalOf(page).getByText('Settings saved').waitFor();
    await closeModal(page);
    await say(page, cardUrl('card-1001'));
    await previewsOf(lastMessage(page)).getByRole('img').last().waitFor();
  }),
  picture('link-not-shown', async (page, sandbox) => {
    const at = channelNamed(sandbox, 'acme-globex');
    const { ann, cardUrl } = sandbox.stage;
    await openFresh(page, sandbox, ann, { at });
    // Only in channels with the app can it say something to one person.
    await enter(page, '/invite');
    await page
      .getByText(/was added to #/)
      .first()
      .waitFor();
    await say(page, cardUrl('card-1001'));
    await page.getByText('can’t show that card link here').waitFor();
  }),
  picture('composer-preview', async (page, sandbox) => {
    const { ann, cardUrl } = sandbox.stage;
    await openFresh(page, sandbox, ann);
    await composerOf(page).fill(cardUrl('card-1001'));
    await page.locator('.composer, form').getByText('Spring sale banner').last().waitFor();
  }),
];

const watching: Picture[] = [
  picture('changes-told', async (page, sandbox) => {
    const { ann, service } = sandbox.stage;
    const card = service.cards.all().find(({ title }) => title === 'Spring sale banner');
    const id = service.cards.all().findLast(({ title }) => title === card?.title)?.id ?? '';
    service.cards.update(id, { status: STATUSES.done });
    service.cards.addFile(id, { name: 'spring-sale-banner.png' });
    await openFresh(page, sandbox, ann);
    const replies = page.getByRole('main').getByRole('button', { name: /^\d repl/ });
    const refresh = page.getByRole('button', { name: 'Refresh: Spring sale banner' }).first();
    for (let tries = 0; tries < 3 && (await replies.count()) === 0; tries += 1) {
      await refresh.click();
      await replies
        .first()
        .waitFor({ timeout: 11_000 })
        .catch(() => undefined);
    }
    await replies.first().click();
    await page.getByRole('complementary', { name: 'Thread' }).getByText('done').first().waitFor();
  }),
  picture('stopped', async (page, sandbox) => {
    await openAs(page, sandbox, sandbox.stage.ann);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^\d repl/ })
      .first()
      .click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByRole('button', { name: /^Stop watching/ }).click();
    await thread.getByText('Stopped.').waitFor();
  }),
  picture('home-watching', async (page, sandbox) => {
    const { ada, cardUrl } = sandbox.stage;
    await openFresh(page, sandbox, ada);
    await say(page, cardUrl('card-1002'));
    await previewsOf(lastMessage(page)).waitFor();
    await chooseFromMenu(previewsOf(lastMessage(page)), 'Watch');
    await page.getByText('You’re watching').waitFor();
    await openHome(page, sandbox, ada, 'Cards you watch');
  }),
];

const workObjects: Picture[] = [
  picture('work-object', async (page, sandbox) => {
    const { ada, cardUrl } = sandbox.stage;
    await openFresh(page, sandbox, ada);
    await command(page, 'settings');
    await choose(page, 'Cards as Work Objects', 'On');
    await send(page, 'Save');
    await modalOf(page).getByText('Settings saved').waitFor();
    await closeModal(page);
    await say(page, cardUrl('card-1001'));
    await lastMessage(page)
      .getByRole('region', { name: /^Work Object/ })
      .waitFor();
  }),
  picture('pane-no-card', async (page, sandbox) => {
    const { ada, service, slack } = sandbox.stage;
    await openFresh(page, sandbox, ada);
    const end = service.faults.add({ operation: 'getCard', kind: 'status', status: 404 });
    slack.state.panes.clear();
    await lastMessage(page)
      .getByRole('button', { name: 'Spring sale banner', exact: true })
      .click();
    await paneOf(page).getByRole('alert').getByText('Card not found').waitFor();
    end();
  }),
];

async function openStep(page: Page, sandbox: BroughtUp) {
  await openFresh(page, sandbox, sandbox.stage.ann);
  await composerOf(page).waitFor();
  const drawer = page.getByRole('button', { name: 'Show conversations' });
  if (await drawer.isVisible()) await drawer.click();
  await page.getByRole('button', { name: 'Create a design request' }).click();
}

const step: Picture[] = [
  picture('step', async (page, sandbox) => {
    await openStep(page, sandbox);
    const pick = async (label: string, option: string) => {
      const menu = modalOf(page).getByLabel(label);
      await menu.getByText(option, { exact: true }).waitFor({ state: 'attached' });
      await menu.selectOption({ label: option });
    };
    await modalOf(page).getByRole('button', { name: 'Run workflow' }).click();
    await modalOf(page)
      .getByText(/failed: “Request type” is empty/)
      .waitFor();
    await pick('Request type', 'Social media');
    await pick('Product', 'Graphics');
    await modalOf(page).getByRole('button', { name: 'Run workflow' }).click();
    await modalOf(page).getByRole('link', { name: /card-/ }).waitFor();
  }),
];

/** With a project, in which the app looks for a request in doubt. */
const searching: Picture[] = [
  picture('checking', async (page, sandbox) => {
    const { ada } = sandbox.stage;
    await openFresh(page, sandbox, ada);
    await command(page, 'settings');
    await field(page, 'Project ID').fill('project-1');
    await send(page, 'Save');
    await modalOf(page).getByText('Settings saved').waitFor();
    await requestAgain(page, sandbox, 'Window display');
    nextCard(sandbox, { kind: 'reset-before-executing' });
    await send(page);
    await modalOf(page).getByText('You can close this').waitFor();
  }),
];

/** Last, since the service refuses all other calls, too. */
const busy: Picture[] = [
  picture('home-open', async (page, sandbox) => {
    const { ann, service } = sandbox.stage;
    const newest = service.cards.all().find(({ title }) => title === 'Spring sale banner');
    service.cards.update(newest?.id ?? '', { status: STATUSES.inReview });
    await requestAgain(page, sandbox, 'Poster');
    nextCard(sandbox, { kind: 'status', status: 400, details: { title: 'This title is taken.' } });
    await send(page);
    await modalOf(page).getByText('Fix the marked fields').waitFor();
    await openHome(page, sandbox, ann, 'Needs your answer');
  }),
  picture('busy', async (page, sandbox) => {
    await requestAgain(page, sandbox, 'Winter banner');
    nextCard(sandbox, { kind: 'rate-limited', retryAfter: 600 });
    await send(page);
    await modalOf(page).getByText('Your design service is busy').waitFor();
  }),
  picture('waiting', (page, sandbox) =>
    openNotes(page, sandbox, sandbox.stage.ann, 'Your design service is busy'),
  ),
  picture('home-busy', (page, sandbox) => openHome(page, sandbox, sandbox.stage.ann, 'On the way')),
];

const frozen: Picture[] = [
  picture('frozen', async (page, sandbox) => {
    await openFresh(page, sandbox, sandbox.stage.ann);
    await composerOf(page).waitFor();
    await page.getByRole('button', { name: 'Freeze app' }).click();
    await command(page, 'Spring banner');
    await page.getByText('failed with the error “operation_timeout”').waitFor();
    await page.getByRole('button', { name: 'Resume app' }).click();
  }),
];

/** In the order in which they are taken. */
export const SURFACE_PICTURES: Picture[] = [
  ...notConnected,
  ...connecting,
  ...form,
  ...inDoubt,
  ...homes,
  ...answers,
  ...shortcuts,
  ...settings,
  ...links,
  ...watching,
  ...workObjects,
  ...step,
  ...searching,
  ...busy,
  ...frozen,
];
