import type { Button, KnownBlock } from '@slack/types';
import { accessibilityLabel, context } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { BUTTONS, CONFIRM_DISCARD } from '../words/messages.ts';
import { CONFIRM_DISCARD_FORM, FORM } from '../words/request-form.ts';
import { FORM_ACTIONS } from './ids.ts';
import { OFFERS_MAX, type Offer } from './unfinished.ts';

/** Shown of a title, in characters. */
const TITLE_SHOWN = 100;

/** The forms that a person closed before, each with a button to continue it and one to discard it. */
export function offerBlocks(offers: readonly Offer[], continueAction: string): KnownBlock[] {
  const left = offers.length - OFFERS_MAX;
  return [
    ...offers.slice(0, OFFERS_MAX).flatMap((offer) => offerBlock(offer, continueAction)),
    ...(left > 0 ? [context(FORM.moreUnfinished(left))] : []),
  ];
}

function offerBlock({ formId, title }: Offer, continueAction: string): KnownBlock[] {
  const shown = clip(title ?? FORM.untitled, TITLE_SHOWN);
  const button = (action_id: string, text: string): Button => ({
    type: 'button',
    action_id,
    value: formId,
    text: { type: 'plain_text', text },
    accessibility_label: accessibilityLabel(text, shown),
  });
  const discard: Button = {
    ...button(FORM_ACTIONS.discardForm, BUTTONS.discard),
    confirm: {
      title: { type: 'plain_text', text: CONFIRM_DISCARD.title },
      text: { type: 'plain_text', text: CONFIRM_DISCARD_FORM },
      confirm: { type: 'plain_text', text: CONFIRM_DISCARD.confirm },
      deny: { type: 'plain_text', text: CONFIRM_DISCARD.deny },
      style: 'danger',
    },
  };
  return [
    context(FORM.continueOffer(escapeMrkdwn(shown))),
    { type: 'actions', elements: [button(continueAction, FORM.continueButton), discard] },
  ];
}
