import type { DesignRequest } from '../../requests/request.ts';
import type { CardLinks } from '../../service/card-links.ts';

/**
 * The address of a request's card; undefined where the service named none, or an id that no link can
 * carry: the dashboard has the card all the same.
 */
export function cardUrlOf({ urlOf }: CardLinks, { cardId }: DesignRequest): string | undefined {
  try {
    return cardId === undefined ? undefined : urlOf(cardId);
  } catch {
    return undefined;
  }
}
