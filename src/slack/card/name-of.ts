import type { CardReference } from '../../service/operations/read-card.ts';

/** A number, or a long token with digits: what services use as IDs, and nobody as a name. */
export const ID_NOT_NAME = /^(?:\d+|(?=\S*\d)[\w-]{16,})$/;

/**
 * The name of what a card refers to. The API doesn't document what that contains: a lone text may be
 * a name or an ID. The service's list decides; if it can't be read, the text is shown, unless it is
 * plainly an ID.
 *
 * @param list reads the service's list
 */
export async function nameOf(
  reference: CardReference | undefined,
  list: () => Promise<readonly { id: string; name: string }[]>,
): Promise<string | undefined> {
  if (!reference) return undefined;
  const { id, name } = reference;
  if (id !== undefined && name !== undefined) return name;
  const listed = (await list().catch(() => [])).find((one) => one.id === (id ?? name));
  if (listed) return listed.name;
  return name === undefined || ID_NOT_NAME.test(name) ? undefined : name;
}
