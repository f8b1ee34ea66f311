import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CallClass } from '../../service/budget/call-class.ts';
import type { Catalogue } from '../../service/cache/catalogue.ts';
import type { Card } from '../../service/operations/schemas.ts';

/**
 * The name of a card's brand, undefined where it has none or none can be found. What the service
 * gives of a brand on a card is not documented: a lone text may be its name or its id, so the list
 * of brands decides; where that can't be read, the text stands.
 *
 * @param callClass who waits for it
 */
export async function brandNameOf(
  catalogue: Pick<Catalogue, 'brands'>,
  workspaceId: WorkspaceId,
  { brand }: Card,
  callClass: CallClass,
): Promise<string | undefined> {
  if (!brand || (brand.id !== undefined && brand.name !== undefined)) return brand?.name;
  const brands = await catalogue.brands(workspaceId, callClass).catch(() => []);
  const listed = brands.find(({ id }) => id === (brand.id ?? brand.name));
  return listed?.name ?? brand.name;
}
