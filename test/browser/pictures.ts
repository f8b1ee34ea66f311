import type { Locator, Page } from 'playwright-core';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import type { BroughtUp } from './bring-up.ts';
import {
  changeSettings,
  choose,
  chooseFromMenu,
  closeModal,
  command,
  field,
  fillForm,
  homeOf,
  lastMessage,
  modalOf,
  openDetails,
  openHome,
  paneOf,
  previewsOf,
  say,
  send,
  sendAndClose,
} from './slack-page.ts';

/** A picture: its file's name, and how to get there. Each continues from the previous one. */
export type Picture = {
  name: string;
  /** What the documentation shows of it; undefined if it isn't in the documentation. */
  crop?: (page: Page) => Promise<Box>;
  show: (page: Page, sandbox: BroughtUp) => Promise<void>;
};

type Box = { x: number; y: number; width: number; height: number };

/** GitHub shows pictures this wide, in pixels; wider ones are made smaller, and their text unreadable. */
const SHOWN_WIDTH = 830;
const MARGIN = 12;

async function boxOf(shown: Locator): Promise<Box> {
  const box = await shown.boundingBox();
  if (!box) throw new Error('There is nothing to show.');
  return box;
}

/** The modal, and a little of what is behind it. */
async function cropToModal(page: Page): Promise<Box> {
  const { x, y, width, height } = await boxOf(modalOf(page));
  return {
    x: x - MARGIN,
    y: y - MARGIN,
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
  };
}

async function cropToLastMessage(page: Page): Promise<Box> {
  const { y, height } = await boxOf(lastMessage(page));
  const { x, width } = await boxOf(page.getByRole('main'));
  return { x, y, width: Math.min(width, SHOWN_WIDTH), height };
}

async function cropToCard(page: Page): Promise<Box> {
  const { x, y, height } = await boxOf(page.getByRole('article'));
  return { x, y, width: SHOWN_WIDTH, height };
}

/** As far as it is filled. */
async function cropAfter(shown: Locator, last: Locator): Promise<Box> {
  const { x, y, width } = await boxOf(shown);
  const end = await boxOf(last);
  const height = end.y + end.height + MARGIN - y;
  return { x, y, width: Math.min(width, SHOWN_WIDTH), height };
}

const TITLE = 'Spring banner';
/** Shown instead of the stand-in's own key, which differs in every run. */
export const SHOWN_KEY = 'dsk_3kq9sV0dXw2mJ7uTb5ZpYc8L';

/** Renames the demo's most difficult card so that every machine has the letters. */
export function tidy({ service }: BroughtUp): void {
  service.cards.update('card-1007', { title: 'Autumn brochure', brandId: 'brand-33' });
}

async function openAs(page: Page, { id }: User): Promise<void> {
  await page.goto(`/?as=${id}`);
}

/** In the order in which they are taken. */
export const PICTURES: Picture[] = [
  {
    name: 'connect',
    crop: cropToModal,
    async show(page, { ada }) {
      await openAs(page, ada);
      await say(
        page,
        'Good morning! I connect our design service, then you can request designs right here.',
      );
      await command(page, 'connect');
      await field(page, 'API key').fill(SHOWN_KEY);
    },
  },
  {
    name: 'form',
    crop: cropToModal,
    async show(page, { service, ada, ann }) {
      await openAs(page, ada);
      await field(page, 'API key').fill(service.apiKey);
      await send(page, 'Connect');
      await modalOf(page).getByText('Connected (key').waitFor();
      await closeModal(page);
      await openAs(page, ann);
      await say(page, 'Lovely. The spring sale needs a banner. I’ll request it now.');
      await fillForm(page, TITLE);
      await field(page, 'Description').fill(
        'A banner for the spring sale: fresh, light, no flowers.',
      );
      await choose(page, 'Brand', 'Amber Bakery');
      await field(page, 'Title').focus();
      await modalOf(page)
        .locator('.modal-body')
        .evaluate((body) => body.scrollTo(0, 0));
    },
  },
  {
    name: 'confirmation',
    crop: cropToLastMessage,
    async show(page, { ann }) {
      await openAs(page, ann);
      await sendAndClose(page);
      await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor();
    },
  },
  {
    name: 'unfurl',
    crop: cropToLastMessage,
    async show(page, { service, ada, cardUrl }) {
      const card = service.cards.all().find(({ title }) => title === TITLE);
      const id = card?.id ?? '';
      service.cards.addFile(id, { name: 'spring-banner-v1.png' });
      service.cards.update(id, { status: STATUSES.inReview, tags: ['Spring'] });
      await openAs(page, ada);
      await say(page, `Here is the first version: ${cardUrl(id)}`);
      // The app read the card for the confirmation and caches it for a minute, unless someone asks.
      await chooseFromMenu(previewsOf(lastMessage(page)), 'Refresh');
      await lastMessage(page)
        .getByRole('img', { name: /the newest image of/ })
        .waitFor();
      await page
        .getByRole('article')
        .filter({ hasText: '@Ann requested' })
        .getByText('In review')
        .waitFor();
      // Otherwise the message's tools are shown.
      await page.getByRole('textbox', { name: /^Message/ }).focus();
    },
  },
  {
    name: 'dashboard',
    crop: cropToCard,
    async show(page, { service }) {
      const card = service.cards.all().find(({ title }) => title === TITLE);
      await page.goto(`/dashboard?card=${card?.id}`);
      const picture = page.getByRole('article').locator('img').first();
      await picture.evaluate((img) => (img as HTMLImageElement).decode());
    },
  },
  {
    name: 'home',
    crop: (page) => cropAfter(homeOf(page), page.getByText('in any channel to see everything')),
    async show(page, { ann }) {
      await openAs(page, ann);
      await (await openHome(page)).getByText(TITLE).waitFor();
    },
  },
  {
    name: 'pane',
    crop: (page) => cropAfter(paneOf(page), paneOf(page).getByRole('button').last()),
    async show(page, { ada, cardUrl }) {
      await openAs(page, ada);
      await changeSettings(page, () => choose(page, 'Cards as Work Objects', 'On'));
      // One of the demo's cards, with several files.
      await say(page, cardUrl('card-1001'));
      await openDetails(page);
      await paneOf(page).getByRole('list', { name: 'Files' }).getByRole('img').last().waitFor();
      await page.getByRole('textbox', { name: /^Message/ }).focus();
    },
  },
  {
    name: 'log',
    async show(page) {
      await page.goto('/log');
      await page.getByRole('listitem').first().waitFor();
    },
  },
];
