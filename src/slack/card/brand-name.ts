import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { CallClass } from '../../service/budget/call-class.ts';
import type { Catalogue } from '../../service/cache/catalogue.ts';
import type { Card } from '../../service/operations/schemas.ts';

/**
 * The name of a card's brand, if it has one. The API doesn't document what a card's brand contains:
 * a lone text may be its name or its ID. The list of brands decides; if it can't be read, the text
 * is shown.
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
