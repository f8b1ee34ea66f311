import { seesCompleteForm } from '../sandbox/complete-form.ts';
import type { FieldValue } from '../stand-ins/slack/people/field-values.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { SubmitResult } from '../stand-ins/slack/people/submit.ts';
import type { OpenView } from '../stand-ins/slack/state/views.ts';
import type { Setting } from './setting.ts';

/** Everything that the form asks for besides its title, as somebody would fill it in. */
const FILLED: Record<string, FieldValue> = {
  Product: 'Graphics',
  Description: 'A banner for the spring sale.',
  Dimensions: 'Post: 1080 × 1080 px',
  Software: 'Figma',
  'File formats': ['PNG', 'JPG'],
};
const REQUEST_TYPE = 'Social media';
/** Long enough for a busy machine; what must be fast is measured elsewhere. */
const PATIENCE_MS = 20_000;

/** One person's form, from its opening until it is a card or its author knows why not. */
export type Order = {
  title: string;
  by: Person;
  /** The modal; it is submitted from, however often, under one identity. */
  view: OpenView;
  /** How often Slack was told of it. */
  submissions: number;
  acknowledged: boolean;
  /** When its first acknowledged submission was pressed, by `performance.now()`. */
  submittedAt: number | undefined;
};

/** Opens the form and fills it in. Rejects where the app does not answer: nothing is open then. */
export async function prepareOrder(setting: Setting, by: Person, title: string): Promise<Order> {
  try {
    const { slack, general } = setting;
    const { error } = await by.command(general);
    if (error) throw new Error(`The form of “${title}” did not open: ${error}`);
    await slack.until(() => seesCompleteForm(by), 'the complete form', PATIENCE_MS);
    await by.fill({ Title: title });
    const before = by.currentView()?.hash;
    await by.fill({ 'Request type': REQUEST_TYPE });
    const changed = () => by.currentView()?.hash !== before;
    await slack.until(changed, 'the form for the type', PATIENCE_MS);
    await by.fill(FILLED);
    const view = by.currentView();
    if (!view) throw new Error(`The form of “${title}” is gone`);
    return { title, by, view, submissions: 0, acknowledged: false, submittedAt: undefined };
  } catch (error) {
    if (by.currentView()) await by.close({ all: true });
    throw error;
  }
}

/** Presses Send. Where the app does not answer, the form stays open and may be pressed again. */
export async function submit(order: Order): Promise<SubmitResult> {
  const pressedAt = performance.now();
  order.submissions += 1;
  const result = await order.by.submit(order.view);
  if (result.outcome === 'errors' || result.outcome === 'incomplete') {
    throw new Error(`“${order.title}” was refused: ${JSON.stringify(result.errors)}`);
  }
  if (result.outcome !== 'trouble') {
    order.acknowledged = true;
    order.submittedAt ??= pressedAt;
  }
  return result;
}

/** Opens, fills and sends one form for each title, each by another of the people, all at once. */
export async function orderAll(setting: Setting, titles: readonly string[]): Promise<Order[]> {
  const orders = await prepareAll(setting, titles);
  await Promise.all(orders.map(submit));
  return orders;
}

/** Opens and fills one form for each title, each before another of the people. */
export function prepareAll(setting: Setting, titles: readonly string[]): Promise<Order[]> {
  const { acme, people } = setting;
  return Promise.all(
    titles.map((title, index) => {
      const user = people[index];
      if (!user) throw new Error(`There are ${people.length} people for ${titles.length} forms`);
      return prepareOrder(setting, acme.as(user), title);
    }),
  );
}

/**
 * Whether its author may press Send (again): nothing was acknowledged, and the form still stands there.
 * A submission that was lost on its way back has become a card meanwhile, and the modal says so.
 */
export const maySubmit = ({ acknowledged, by, view }: Order): boolean =>
  !acknowledged && by.currentView()?.id === view.id && hasField(by, 'Title');

/** Clears the modal away, whatever it shows by now. */
export async function closeForms(by: Person): Promise<void> {
  if (by.currentView()) await by.close({ all: true });
}

export function hasField(by: Person, label: string): boolean {
  try {
    return Boolean(by.field(label));
  } catch {
    return false;
  }
}
