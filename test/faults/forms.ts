import { setTimeout as sleep } from 'node:timers/promises';
import { drawnType, hasField, seesCompleteForm } from '../sandbox/complete-form.ts';
import type { DesignService } from '../stand-ins/design-service/server.ts';
import type { FieldValue } from '../stand-ins/slack/people/field-values.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { SubmitResult } from '../stand-ins/slack/people/submit.ts';
import type { OpenView } from '../stand-ins/slack/state/model.ts';
import type { Chance } from './random.ts';
import type { Setting } from './setting.ts';

/** Everything the form asks for besides its title and type, as a person would fill it in. */
export const FILLED: Record<string, FieldValue> = {
  Product: 'Graphics',
  Description: 'A banner for the spring sale.',
  Sizes: 'Post: 1080 × 1080 px',
  Software: 'Figma',
  'File formats': ['PNG', 'JPG'],
};
export const REQUEST_TYPE = 'Social media';
/** Long enough for a busy machine; speed is measured elsewhere. */
const PATIENCE_MS = 20_000;

/** One person's form, from opening it until it is a card or its author knows why not. */
export type SentForm = {
  title: string;
  by: Person;
  /** The modal; all its submissions have one identity. */
  view: OpenView;
  /** How often Slack was told that it was submitted. */
  submissions: number;
  acknowledged: boolean;
  /** When its first acknowledged submission was pressed, by `performance.now()`. */
  submittedAt: number | undefined;
};

/** Opens the form, whatever was open, and fills it in. Rejects if the app doesn't answer, since nothing is open then. */
export async function prepareForm(
  setting: Pick<Setting, 'slack' | 'general'>,
  by: Person,
  title: string,
): Promise<SentForm> {
  try {
    const { slack, general } = setting;
    await closeForms(by);
    const { error } = await by.command(general);
    if (error) throw new Error(`The form of “${title}” did not open: ${error}`);
    await fillForm(slack, by, title);
    const view = by.currentView();
    if (!view) throw new Error(`The form of “${title}” is closed`);
    return { title, by, view, submissions: 0, acknowledged: false, submittedAt: undefined };
  } catch (error) {
    await closeForms(by);
    throw error;
  }
}

/** Fills in a form that was just opened. What this person sent before is filled in already, and hidden. */
export async function fillForm(
  slack: Setting['slack'],
  by: Person,
  title: string,
  { type = REQUEST_TYPE, filled = FILLED } = {},
): Promise<void> {
  await slack.until(() => seesCompleteForm(by), 'the complete form', PATIENCE_MS);
  await by.fill({ Title: title });
  const before = by.currentView()?.hash;
  await by.fill({ 'Request type': type });
  // Brands that arrive later redraw the form too, perhaps before it has the fields of the type.
  const isRedrawn = () => by.currentView()?.hash !== before && drawnType(by) !== undefined;
  await slack.until(isRedrawn, 'the form for the type', PATIENCE_MS);
  const shown = Object.entries(filled).filter(([label]) => hasField(by, label));
  await by.fill(Object.fromEntries(shown));
}

export const cardTitled = ({ service }: { service: DesignService }, title: string) =>
  service.cards.all().find((card) => card.title === title);

export function memberOf({ acme, people }: Pick<Setting, 'acme' | 'people'>, index = 0): Person {
  const user = people[index];
  if (!user) throw new Error(`There are only ${people.length} people`);
  return acme.as(user);
}

/** Presses Send. If the app doesn't answer, the form stays open and can be submitted again. */
export async function submit(form: SentForm): Promise<SubmitResult> {
  const pressedAt = performance.now();
  form.submissions += 1;
  const result = await form.by.submit(form.view);
  if (result.outcome === 'errors' || result.outcome === 'incomplete') {
    throw new Error(`“${form.title}” was refused: ${JSON.stringify(result.errors)}`);
  }
  if (result.outcome !== 'trouble') {
    form.acknowledged = true;
    form.submittedAt ??= pressedAt;
  }
  return result;
}

/** Prepares a form for what follows. Like a person, types the command again if a busy machine was slower than Slack waits. */
export async function prepareAtLast(setting: Setting, by: Person, title: string) {
  for (let typed = 1; ; typed += 1) {
    try {
      return await prepareForm(setting, by, title);
    } catch (error) {
      if (typed === TYPED_AT_MOST || !String(error).includes('operation_timeout')) throw error;
    }
  }
}
const TYPED_AT_MOST = 5;

/** One new form for each person, or for so many, whatever they had open. */
export const newWave = (setting: Setting, name: string, people = setting.people.length) =>
  Promise.all(
    Array.from({ length: people }, (_, index) =>
      prepareAtLast(setting, memberOf(setting, index), `${name}, form ${index + 1}`),
    ),
  );

/** The same, sent at once. */
export async function sendWave(setting: Setting, name: string, people?: number) {
  const forms = await newWave(setting, name, people);
  await Promise.all(forms.map(submit));
  return forms;
}

export async function pressSometime(forms: readonly SentForm[], chance: Chance, withinMs: number) {
  await Promise.all(
    forms.map(async (form) => {
      await sleep(chance.below(withinMs));
      await submit(form);
    }),
  );
}

/**
 * Whether its author may press Send (again): nothing was acknowledged, and the form is still open. If only the
 * answer to a submission was lost, it has become a card meanwhile, and the modal says so.
 */
export const maySubmit = ({ acknowledged, by, view }: SentForm): boolean =>
  !acknowledged && by.currentView()?.id === view.id && hasField(by, 'Title');

export async function closeForms(by: Person): Promise<void> {
  if (by.currentView()) await by.close({ all: true });
}
