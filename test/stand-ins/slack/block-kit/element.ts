import { byType, type Check, type Surface, typed } from './check.ts';
import { button, checkboxes, datepicker, overflow } from './choice-elements.ts';
import { altText, anyText } from './composition.ts';
import { TEXT_OBJECT_CHARS } from './limits.ts';
import { MENUS } from './menu-elements.ts';
import { webUrl } from './scalar.ts';
import { TYPED_INPUTS } from './text-inputs.ts';

/** Where in a block an element can be. */
type Place = 'accessory' | 'actions' | 'input' | 'context';

type Kind = { check: Check; places: readonly Place[]; surfaces?: readonly Surface[] };

/** An image in text: as the accessory of a section, or in a context. */
const imageElement = typed({ required: { alt_text: altText, image_url: webUrl } });
const textElement = anyText(TEXT_OBJECT_CHARS);

const CLICKED: readonly Place[] = ['accessory', 'actions'];
const CHOSEN: readonly Place[] = ['accessory', 'actions', 'input'];
const MODAL: readonly Surface[] = ['modal'];

// Places from the unions of @slack/types (SectionBlockAccessory, ActionsBlockElement,
// InputBlockElement), surfaces from docs.slack.dev/reference/block-kit/block-elements. The types
// put rich_text_input in actions too; the documentation does not, so it is refused there.
const KINDS = new Map<string, Kind>([
  ['image', { check: imageElement, places: ['accessory', 'context'] }],
  ['plain_text', { check: textElement, places: ['context'] }],
  ['mrkdwn', { check: textElement, places: ['context'] }],
  ['button', { check: button, places: CLICKED }],
  ['overflow', { check: overflow, places: CLICKED }],
  ['checkboxes', { check: checkboxes, places: CHOSEN }],
  ['datepicker', { check: datepicker, places: CHOSEN }],
  ...Object.entries(MENUS).map(([type, check]): [string, Kind] => [
    type,
    { check, places: CHOSEN },
  ]),
  ...Object.entries(TYPED_INPUTS).map(([type, check]): [string, Kind] => [
    type,
    type === 'plain_text_input'
      ? { check, places: ['input'] }
      : { check, places: ['input'], surfaces: MODAL },
  ]),
]);

/** An element of one of the kinds that Slack accepts at this place, on the current surface. */
export function elementAt(place: Place): Check {
  return byType((type, { surface }) => {
    const kind = KINDS.get(type);
    if (!kind?.places.includes(place)) return undefined;
    return kind.surfaces && !kind.surfaces.includes(surface) ? undefined : kind.check;
  });
}
