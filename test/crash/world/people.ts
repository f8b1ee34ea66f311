import { cardTitled, FILLED, REQUEST_TYPE } from '../../faults/forms.ts';
import { seesCompleteForm } from '../../sandbox/complete-form.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import type { Message } from '../../stand-ins/slack/state/model.ts';
import type { Decision, Sent } from '../scenario.ts';
import type { StandIns } from './stand-ins.ts';
import type { World } from './world.ts';

/** More than the one or two crashes of a run can cause. */
const MOST_TRIES = 10;

/** Repeats something until it works, as people do when they get no answer. */
async function repeat(what: string, attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) if (await attempt()) return;
  throw new Error(`The app never accepted ${what}.`);
}

export const cardsOf = ({ service }: StandIns, title: string): number =>
  service
    .calls({ operation: 'createCard', executed: true })
    .filter(({ requestBody }) => JSON.stringify(requestBody).includes(title)).length;

/** Connects an API key in the modal, and repeats it until it is connected, even if the modal doesn't say so. */
export async function connectKey(world: World, by: Person, key: string): Promise<void> {
  const before = await keyOf(world);
  await repeat('the API key', async () => {
    const now = await keyOf(world);
    if (now?.state === 'active' && now.changed_at !== before?.changed_at) return true;
    if (by.currentView()) await world.act(() => by.close({ all: true }));
    const { error } = await world.act(() => by.command(world.general, 'connect'));
    if (error || !(await world.soon(() => by.sees().includes('API key')))) return false;
    await by.fill({ 'API key': key });
    await world.act(() => by.submit());
    return world.soon(() => by.sees().includes('Connected'));
  });
}

const keyOf = async ({ database, acme }: World) =>
  (
    await database.query(`select state, changed_at from api_keys where workspace_id = '${acme.id}'`)
  )[0];

export async function sendRequest(world: World, by: Person, title: string): Promise<Sent> {
  await fillForm(world, by, title);
  return sendForm(world, by, title);
}

export async function sendForm(world: World, by: Person, title: string): Promise<Sent> {
  await repeat(`“${title}”`, async () => {
    // If only the answer was lost, the modal shows the outcome by now.
    if (!by.sees().includes('Sizes')) return true;
    const { outcome, errors } = await world.act(() => by.submit());
    if (outcome === 'errors' || outcome === 'incomplete') {
      throw new Error(`“${title}” was refused: ${JSON.stringify(errors)}`);
    }
    return outcome === 'updated';
  });
  return { title, by, decisions: [] };
}

export const fillForm = (world: World, by: Person, title: string): Promise<void> =>
  repeat(`the form of “${title}”`, () => tryToFillForm(world, by, title));

const done = () => true;
const failed = () => false;

/** @returns false if the app did not answer, and the author has to start over */
async function tryToFillForm(world: World, by: Person, title: string): Promise<boolean> {
  if (by.currentView()) await world.act(() => by.close({ all: true }));
  const { error } = await world.act(() => by.command(world.general));
  if (error) return false;
  if (!(await world.soon(() => seesCompleteForm(by)))) return false;
  await by.fill({ Title: title });
  const before = by.currentView()?.hash;
  // The app serves the menu's options, so this may fail.
  const fillType = () => by.fill({ 'Request type': REQUEST_TYPE }).then(done, failed);
  if (!(await world.act(fillType))) return false;
  if (!(await world.soon(() => by.currentView()?.hash !== before))) return false;
  // If the lists could not be read meanwhile, the form only offers to try again.
  return by.fill(FILLED).then(done, failed);
}

/** Answers every time the app asks whether the request arrived. */
export async function answerDoubt(world: World, sent: Sent, decision: Decision): Promise<void> {
  await repeat(`the decision about “${sent.title}”`, async () => {
    await world.idle();
    const revision = await revisionInDoubt(world, sent);
    if (revision === undefined) return true;
    const question = findQuestion(world, sent);
    if (!question) throw new Error(`The author of “${sent.title}” was not asked.`);
    const cards = cardsOf(world, sent.title);
    // Whoever finds no card has it sent again.
    const choice = decision === 'Found it' && cards === 0 ? 'Not there, send again' : decision;
    const press = () => sent.by.click({ message: question, text: choice });
    const { acknowledged } = await world.act(press);
    const isDecided = choice === 'Found it' ? await giveCard(world, sent) : acknowledged;
    const isNew = sent.decisions.at(-1)?.revision !== revision;
    if (isDecided && isNew) sent.decisions.push({ decision: choice, revision, cards });
    // The app may have said that it can't look at the card, and to try again in a minute.
    await world.soon(async () => (await revisionInDoubt(world, sent)) !== revision);
    return false;
  });
}

/** Pastes the card's link in the modal of “Found it”. @returns whether that was acknowledged */
async function giveCard(world: World, { by, title }: Sent): Promise<boolean> {
  if (!(await world.soon(() => by.sees().includes('Card link or ID')))) return false;
  await by.fill({ 'Card link or ID': world.cardUrl(cardTitled(world, title)?.id ?? '') });
  const { outcome } = await world.act(() => by.submit());
  return outcome === 'updated';
}

export async function answerDoubtInModal(
  world: World,
  { title, by, decisions }: Sent,
  decision: Decision,
): Promise<void> {
  if (!(await world.soon(() => by.sees().includes(decision)))) return;
  const revision = await revisionInDoubt(world, { title });
  if (revision === undefined) return;
  const cards = cardsOf(world, title);
  const { acknowledged } = await world.act(() => by.click({ text: decision }));
  if (acknowledged) decisions.push({ decision, revision, cards });
}

async function revisionInDoubt({ database }: World, { title }: Pick<Sent, 'title'>) {
  const rows = await database.query("select revision, form from requests where state = 'in_doubt'");
  const row = rows.find(({ form }) => JSON.parse(String(form)).title === title);
  return row && Number(row.revision);
}

/** The newest message that asks; there may be an older copy. */
const findQuestion = ({ acme }: World, { title, by }: Sent): Message | undefined =>
  acme
    .directMessages(by.user)
    .findLast(
      ({ text }) => text.startsWith('Did your design request arrive?') && text.includes(title),
    );
