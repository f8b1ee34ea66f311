import type { Locator, Page } from 'playwright-core';

/** Types something in the open conversation, and presses Enter. */
export async function enter(page: Page, text: string): Promise<void> {
  const composer = composerOf(page);
  await composer.fill(text);
  await composer.press('Enter');
}

/** Posts a message in the open conversation, and waits until it is shown. */
export async function say(page: Page, text: string): Promise<void> {
  await enter(page, text);
  await messagesOf(page).filter({ hasText: text }).last().waitFor();
}

/** Chooses an entry of the “⋯” menu in a message or preview. */
export async function chooseFromMenu(within: Locator, entry: string): Promise<void> {
  await within.getByRole('button', { name: 'More choices' }).click();
  await within.getByRole('menuitem', { name: entry }).click();
}

export const composerOf = (page: Page): Locator =>
  page.getByRole('main').getByRole('textbox', { name: /^Message / });

/** Types the app's command, and closes the list of commands, which would use the Enter key. */
export async function command(page: Page, text = ''): Promise<void> {
  await enter(page, `/design-request ${text}`.trim());
}

/** The front modal. */
export const modalOf = (page: Page): Locator => page.getByRole('dialog');

/** A menu that is open while the form is redrawn closes, so it has to be opened again. */
const OPENED_AT_MOST = 5;
const CLOSED_AFTER_MS = 4_000;

/** Chooses one option of a menu in the modal. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  const choice = modalOf(page).getByRole('option', { name: option, exact: true }).first();
  for (let opened = 1; ; opened += 1) {
    await field(page, label).click();
    try {
      return await choice.click({ timeout: CLOSED_AFTER_MS });
    } catch (error) {
      if (opened === OPENED_AT_MOST) throw error;
    }
  }
}

export const field = (page: Page, label: string): Locator =>
  modalOf(page)
    .getByLabel(label, { exact: true })
    .or(modalOf(page).getByLabel(`${label} (optional)`, { exact: true }));

/** Opens the form and fills in everything that is required. */
export async function fillForm(page: Page, title: string, format = 'PNG'): Promise<void> {
  await command(page, title);
  await modalOf(page).getByLabel('Title').waitFor();
  await choose(page, 'Request type', 'Social media');
  // Redrawn for the type, which closes open menus.
  await modalOf(page).getByRole('combobox', { name: 'Software' }).waitFor();
  await choose(page, 'Product', 'Graphics');
  await field(page, 'Description').fill('Fresh and light.');
  await field(page, 'Sizes').fill('Post: 1080 × 1080 px');
  await choose(page, 'Software', 'Figma');
  await choose(page, 'File formats', format);
  await field(page, 'File formats').press('Escape');
}

/** Opens the form of the workflow with the app's step. */
export async function openStep(page: Page): Promise<void> {
  await openSidebar(page);
  await page.getByRole('button', { name: 'Create a design request' }).click();
}

/** Chooses in a menu of the workflow's step, which is a plain one, once it has the option. */
export async function chooseInStep(page: Page, label: string, option: string): Promise<void> {
  const menu = modalOf(page).getByLabel(label);
  await menu.getByText(option, { exact: true }).waitFor({ state: 'attached' });
  await menu.selectOption({ label: option });
}

/** Presses More options, and waits for the last field. */
export async function showAllFields(page: Page): Promise<void> {
  await modalOf(page).getByRole('button', { name: 'More options' }).click();
  await field(page, 'Post in').waitFor();
}

/** Presses the button that submits the modal. */
export async function send(page: Page, name = 'Send'): Promise<void> {
  await modalOf(page).getByRole('button', { name, exact: true }).click();
}

/** Sends the request in the form, and waits until that is done. */
export async function sendAndWait(page: Page): Promise<void> {
  await send(page);
  await modalOf(page).getByText('Sent').waitFor();
}

export async function sendAndClose(page: Page): Promise<void> {
  await sendAndWait(page);
  await closeModal(page);
}

/** Changes settings as an admin. */
export async function changeSettings(page: Page, change: () => Promise<void>): Promise<void> {
  await command(page, 'settings');
  await change();
  await send(page, 'Save');
  await modalOf(page).getByText('Settings saved').waitFor();
  await closeModal(page);
}

/** Shows the conversations, which wait behind a button on phones. */
export async function openSidebar(page: Page): Promise<void> {
  await page.getByRole('main').waitFor();
  const drawer = page.getByRole('button', { name: 'Show conversations' });
  if (await drawer.isVisible()) await drawer.click();
}

/** Opens the app's Home tab. */
export async function openHome(page: Page): Promise<Locator> {
  await openSidebar(page);
  await page.getByRole('region', { name: 'Apps' }).getByRole('button').first().click();
  await page.getByRole('navigation', { name: 'App' }).getByRole('button', { name: 'Home' }).click();
  return homeOf(page);
}

export const homeOf = (page: Page): Locator => page.getByRole('region', { name: /home$/ });

/** Opens the thread of a message. */
export async function replyTo(message: Locator): Promise<Locator> {
  await message.hover();
  await message.getByRole('button', { name: 'Reply in thread' }).click();
  return threadOf(message.page());
}

export const threadOf = (page: Page): Locator =>
  page.getByRole('complementary', { name: 'Thread' });

export const paneOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Details' });

/** Opens the details of the Work Object of the demo's first card. */
export const openDetails = (page: Page): Promise<void> =>
  lastMessage(page).getByRole('button', { name: 'Spring sale banner', exact: true }).click();

export const isFocused = (shown: Locator): Promise<boolean> =>
  shown.evaluate((box) => box === document.activeElement);

/** Presses Tab until something has the focus. @returns how often */
export async function tabTo(shown: Locator, atMost: number, key = 'Tab'): Promise<number> {
  for (let tabs = 0; tabs <= atMost; tabs += 1) {
    if (await isFocused(shown)) return tabs;
    await shown.page().keyboard.press(key);
  }
  throw new Error(`${key} doesn’t lead to ${shown}.`);
}

/** Presses the button at the bottom of the modal that isn't the one that submits it. */
export const leave = (page: Page): Promise<void> =>
  modalOf(page).locator('footer').getByRole('button').first().click();

/** Closes the modal, and waits until it is gone. */
export async function closeModal(page: Page): Promise<void> {
  await leave(page);
  await modalOf(page).waitFor({ state: 'hidden' });
}

export async function connectKey(page: Page, key: string): Promise<void> {
  await command(page, 'connect');
  await modalOf(page).getByLabel('API key').fill(key);
  await send(page, 'Connect');
  await modalOf(page).getByText('Connected (key').waitFor();
  await closeModal(page);
}

const messagesOf = (page: Page): Locator => page.getByRole('main').getByRole('article');

/** The last message of the open conversation. */
export const lastMessage = (page: Page): Locator => messagesOf(page).last();

export const previewsOf = (message: Locator): Locator =>
  message.getByRole('group', { name: 'Link preview' });
