import type { Suggestions } from '../../requests/form-defaults.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { type FormOptions, partnerIn } from '../../service/cache/reference-lists.ts';
import type { RequestType } from '../../service/operations/read-list.ts';

export type FieldName = keyof FormDraft;

/** What a form is drawn from and parsed with, besides what is stored of it. */
export type FormLists = {
  options: FormOptions;
  /** The largest file that can be attached; undefined if only links can be given. */
  files?: { maxBytes: number } | undefined;
};

/** The same, with what to fill it with, for the ID of a request type or without one. */
export type ListsWithDefaults = FormLists & { suggestionsFor: (typeId?: string) => Suggestions };

export type FormContext = FormLists &
  Partial<ListsWithDefaults & UnfinishedForm> & { draft: FormDraft };

/** The chosen type, as the service lists it now; without a choice, the only one. */
export function chosenType({ options, draft }: FormContext): RequestType | undefined {
  const { requestTypes } = options;
  if (!draft.requestType) return requestTypes.length === 1 ? requestTypes[0] : undefined;
  return requestTypes.find(({ id }) => id === draft.requestType?.id);
}

/** The products of the chosen type, or all products if it lists none. */
export function productsOf(context: FormContext): readonly string[] {
  const listed = chosenType(context)?.products ?? [];
  if (listed.length > 0) return listed;
  const { options, draft } = context;
  const partner = options.partnerName ?? partnerIn([draft.product ?? '']);
  return partner ? [...OWN_PRODUCTS, `${partner} Graphics`, `${partner} Plus`] : OWN_PRODUCTS;
}

const OWN_PRODUCTS = ['Graphics', 'Video', 'Graphics Video'];
