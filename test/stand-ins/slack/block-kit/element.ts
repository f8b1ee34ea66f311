import { byType, type Check, eitherOr, type Surface, typed } from './check.ts';
import {
  button,
  checkboxes,
  datepicker,
  datetimepicker,
  feedbackButtons,
  iconButton,
  overflow,
  radioButtons,
  timepicker,
  workflowButton,
} from './choice-elements.ts';
import { altText, anyText, slackFile } from './composition.ts';
import { TEXT_OBJECT_CHARS } from './limits.ts';
import { MENUS } from './menu-elements.ts';
import { webUrl } from './scalar.ts';
import { TYPED_INPUTS } from './text-inputs.ts';

/** Where in a block an element can be. */
export type Place = 'accessory' | 'actions' | 'input' | 'context' | 'context_actions';

type Kind = { check: Check; places: readonly Place[]; surfaces?: readonly Surface[] };

/** An image in text: as the accessory of a section, in a context, or on a card. */
export const imageElement: Check = typed(
  { required: { alt_text: altText }, optional: { image_url: webUrl, slack_file: slackFile } },
  eitherOr('image_url', 'slack_file'),
);
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
  ['workflow_button', { check: workflowButton, places: CLICKED, surfaces: ['message'] }],
  ['feedback_buttons', { check: feedbackButtons, places: ['context_actions'] }],
  ['icon_button', { check: iconButton, places: ['context_actions'] }],
  ['checkboxes', { check: checkboxes, places: CHOSEN }],
  ['radio_buttons', { check: radioButtons, places: CHOSEN }],
  ['datepicker', { check: datepicker, places: CHOSEN }],
  ['timepicker', { check: timepicker, places: CHOSEN }],
  [
    'datetimepicker',
    { check: datetimepicker, places: ['actions', 'input'], surfaces: ['message', 'modal'] },
  ],
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
