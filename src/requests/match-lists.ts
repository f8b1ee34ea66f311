import { type FormOptions, UNLISTED_TYPE } from '../service/cache/reference-lists.ts';
import type { FormDraft, RequestForm } from './request.ts';

type Named = { id: string; name: string };

/** Whether a form was filled in while no request types were known. */
export const isUnlistedForm = ({ requestType }: Pick<RequestForm, 'requestType'>): boolean =>
  requestType.id === UNLISTED_TYPE;

/** The form to fill in again: without a request type if none was known when it was sent. */
export const draftOf = (form: RequestForm): FormDraft => ({
  ...form,
  requestType: isUnlistedForm(form) ? undefined : form.requestType,
});

/**
 * For a form that was filled in with another key or without any. An ID alone proves nothing, because
 * another account may use the same.
 *
 * @returns the form with the IDs of these lists; undefined if its author has to choose
 */
export function matchLists(form: RequestForm, { requestTypes, brands = [] }: FormOptions) {
  if (isUnlistedForm(form)) return undefined;
  const type = findNamed(requestTypes, form.requestType);
  const brand = form.brand && findNamed(brands, form.brand);
  if (!type || (form.brand && !brand)) return undefined;
  const [product] = asOffered(type.products, [form.product]);
  const [software] = asOffered(type.softwares, [form.software]);
  const formats = asOffered(type.formats, form.formats);
  if (!product || !software || !form.dimensions) return undefined;
  if (formats.length === 0 || formats.length < form.formats.length) return undefined;
  const requestType = { id: type.id, name: type.name };
  const matched = { ...form, requestType, product, software, formats };
  return brand ? { ...matched, brand: { id: brand.id, name: brand.name } } : matched;
}

/** By ID and name, or a name that only one has. A workflow step without lists names it by its ID. */
function findNamed<Item extends Named>(items: readonly Item[], wanted: Named): Item | undefined {
  const byId = items.find(({ id }) => id === wanted.id);
  if (byId && wanted.name === wanted.id) return byId;
  const named = items.filter(({ name }) => fold(name) === fold(wanted.name));
  return named.find(({ id }) => id === wanted.id) ?? (named.length === 1 ? named[0] : undefined);
}

/** Those names that the service offers, as it spells them. Without a list, any name can be typed. */
export function asOffered(names: readonly string[], wanted: readonly string[]): string[] {
  if (names.length === 0) return [...wanted];
  return wanted.flatMap((one) => names.find((name) => fold(name) === fold(one)) ?? []);
}

const fold = (text: string) => text.trim().toLowerCase();
