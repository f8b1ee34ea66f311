import type { FormDraft } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import type { Card, CardReference } from '../../service/operations/read-card.ts';
import { authorsText } from '../card/card-parts.ts';
import { htmlToText } from '../text/html-to-text.ts';
import { isBlank } from '../text/limits.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { readTypedList } from './elements.ts';
import { TITLE_MAX } from './fields.ts';

/** A new form with what a card says. The service's own names for things are looked up in its lists. */
export function draftFromCard(card: Card, { requestTypes, brands = [] }: FormOptions): FormDraft {
  const text = (html: string) => {
    const plain = htmlToText(html);
    return isBlank(plain) ? undefined : plainTextToRichText(plain);
  };
  const type = find(requestTypes, card.requestType);
  const brand = find(brands, card.brand);
  return {
    title: card.title.slice(0, TITLE_MAX).toWellFormed(),
    requestType: type && { id: type.id, name: type.name },
    description: text(authorsText(card.descriptionHtml)),
    textCopy: text(card.textCopyHtml),
    product: card.productType,
    dimensions: card.dimensions,
    software: card.software,
    formats: readTypedList(card.fileFormats),
    brand: brand && { id: brand.id, name: brand.name },
  };
}

const find = <Listed extends { id: string; name: string }>(
  list: readonly Listed[],
  of: CardReference | undefined,
): Listed | undefined =>
  list.find(({ id, name }) => id === of?.id || (!of?.id && [id, name].includes(of?.name ?? '')));
