import { asOffered } from '../../requests/match-lists.ts';
import { chosenType, type FormContext } from './draft.ts';
import { type FormField, isEmpty } from './form-field.ts';
import { asChoices } from './options.ts';

export const softwaresOf = (context: FormContext) => chosenType(context)?.softwares ?? [];
export const formatsOf = (context: FormContext) => chosenType(context)?.formats ?? [];

/**
 * The names that any type offers, the chosen type's first: right after a type change, the form
 * still shows the menus of the previous type.
 */
export function* namesOfAllTypes(
  context: FormContext,
  namesOf: (context: FormContext) => readonly string[],
): Iterable<readonly string[]> {
  yield namesOf(context);
  for (const requestType of context.options.requestTypes) {
    // As the only type, which saves searching for it among thousands.
    yield namesOf({
      ...context,
      options: { ...context.options, requestTypes: [requestType] },
      draft: {},
    });
  }
}

/** The first value that fits. */
export function firstFit<Suggested, Value>(
  suggested: readonly Suggested[],
  convert: (one: Suggested) => Value | undefined,
): Value | undefined {
  for (const one of suggested) {
    const value = convert(one);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The first suggestion that the type offers completely, or else its only name. */
export const fittingOrOnly = (offered: readonly string[], suggested: readonly string[][]) =>
  firstFit(suggested, (names) => (isOffered(offered, names) ? names : undefined)) ??
  (offered.length === 1 ? [...offered] : undefined);

const isOffered = (offered: readonly string[], names: readonly string[]) =>
  names.length > 0 && asOffered(offered, names).length === names.length;

export const asList = (name: string) => [name];

/** Whether a field has a value that goes with the request type. */
export function hasGoodValue({ name, offeredByType }: FormField, context: FormContext): boolean {
  const value = context.draft[name];
  if (isEmpty(value)) return false;
  return (
    offeredByType === undefined || isOffered(offeredByType(context), [value].flat().map(String))
  );
}

/** A menu of names that depends on the request type. */
export const menuOfNames = (offeredByType: (context: FormContext) => readonly string[]) => ({
  offeredByType,
  choices: (context: FormContext) => asChoices(offeredByType(context)),
});
