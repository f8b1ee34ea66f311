import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import {
  type FormOptions,
  partnerIn,
  type ReferenceLists,
  UNLISTED_TYPE,
} from '../../service/cache/reference-lists.ts';
import type { RequestType } from '../../service/operations/read-list.ts';
import { NotConnectedError } from '../../service/service-access.ts';

export type FieldName = keyof FormDraft;

/** What a form is drawn from and parsed with, besides what is stored of it. */
export type FormLists = {
  options: FormOptions;
  /** The first word of the two partner products, if it is set. */
  partnerName: string | undefined;
  /** The largest file that can be attached; undefined if only links can be given. */
  files?: { maxBytes: number } | undefined;
  /** The ID of the brand that somebody last chose in the channel, which is suggested. */
  brandHere?: string | undefined;
};

export type FormContext = FormLists & Partial<UnfinishedForm> & { draft: FormDraft };

export const NO_LISTS: FormOptions = { requestTypes: [], brands: undefined };

export type ListsForForms = ReturnType<typeof createListsForForms>;

/** The service's lists, as forms, presets, and steps need them. */
export const createListsForForms = (
  { formOptions, cachedFormOptions }: ReferenceLists,
  partnerName: string | undefined,
) => ({
  partnerName,
  options: formOptions,
  cachedOptions: cachedFormOptions,

  /**
   * For presets and steps, which need a usable key. A form, which can be sent later, also takes the last known lists.
   *
   * @throws NotConnectedError or DesignApiError
   */
  async connected(workspaceId: WorkspaceId): Promise<FormOptions> {
    const options = await formOptions(workspaceId);
    if (options.withoutKey) throw new NotConnectedError(options.withoutKey);
    return options;
  },

  /** As far as they are cached. */
  async cached(workspaceId: WorkspaceId): Promise<FormLists> {
    const cached = await cachedFormOptions(workspaceId).catch(() => undefined);
    return { options: cached ?? NO_LISTS, partnerName };
  },
});

/** Whether no request types are known, so that the form is completed later. */
export const isUnlisted = ({ requestTypes }: FormOptions): boolean =>
  requestTypes[0]?.id === UNLISTED_TYPE;

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
  const partner = partnerOf(context);
  return partner ? [...OWN_PRODUCTS, `${partner} Graphics`, `${partner} Plus`] : OWN_PRODUCTS;
}

const OWN_PRODUCTS = ['Graphics', 'Video', 'Graphics Video'];

/** As it is set, or as a request type or a card names it. The service would refuse a guess. */
function partnerOf({ partnerName, options, draft }: FormContext): string | undefined {
  const listed = options.requestTypes.flatMap(({ products }) => products);
  return partnerName ?? partnerIn([...listed, draft.product ?? '']) ?? options.partnerName;
}
