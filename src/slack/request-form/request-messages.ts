import type { Button, KnownBlock } from '@slack/types';
import type { DesignRequest } from '../../requests/request.ts';
import { clipMrkdwn } from '../text/clip-mrkdwn.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { fitBlocks } from '../text/fit-blocks.ts';
import { clip, SECTION_TEXT_MAX } from '../text/limits.ts';
import { wordsForProblem } from '../words/errors.ts';
import { FORM_ACTIONS } from './ids.ts';

/** A message's blocks, and the same in one sentence for notifications. */
export type RequestMessage = { text: string; blocks: KnownBlock[] };

const TITLE_SHOWN = 200;
const FACT_SHOWN = 200;

const shownTitle = ({ form }: DesignRequest) => escapeMrkdwn(clip(form.title, TITLE_SHOWN));

/** Says that a request became a card: what it is, who wants it, how far it is, where it is. */
export function buildConfirmation(props: {
  request: DesignRequest;
  /** The card's address; undefined where the service named none. */
  cardUrl: string | undefined;
  status: string | undefined;
  /** Where cards are looked at, for a card without an address. */
  dashboardUrl: string;
  /** Why it stands here and not where it was to be shared. */
  why?: string | undefined;
}): RequestMessage {
  const { request, cardUrl, status, dashboardUrl, why } = props;
  const { form, reference, userId } = request;
  const title = cardUrl ? escapedLink(cardUrl, clip(form.title, TITLE_SHOWN)) : shownTitle(request);
  const facts: [string, string | undefined][] = [
    ['Type', escapeMrkdwn(clip(form.requestType.name, FACT_SHOWN))],
    ['Brand', form.brand && escapeMrkdwn(clip(form.brand.name, FACT_SHOWN))],
    ['Status', status ? escapeMrkdwn(clip(status, FACT_SHOWN)) : form.isDraft ? 'Draft' : 'Sent'],
    ['Requested by', `<@${userId}>`],
    ['Reference', reference],
  ];
  const blocks: KnownBlock[] = [
    section(`:art: *${title}*`),
    {
      type: 'section',
      fields: facts
        .filter((fact): fact is [string, string] => fact[1] !== undefined)
        .map(([label, value]) => mrkdwn(`*${label}*\n${value}`)),
    },
    ...(cardUrl ? [buttons([openButton(cardUrl, 'Open card')])] : noAddress(dashboardUrl)),
    ...(why ? [note(why)] : []),
  ];
  const what = form.isDraft ? 'Draft saved' : 'Design request sent';
  return { text: `${what}: ${shownTitle(request)} (${reference})`, blocks: fitBlocks(blocks) };
}

function noAddress(dashboardUrl: string): KnownBlock[] {
  return [
    note('The card’s address isn’t known here. You find it in the dashboard.'),
    buttons([openButton(dashboardUrl, 'Open dashboard')]),
  ];
}

/** Tells the author of a request that is not a card yet how it stands and what can be done. */
export function buildProblemNote(request: DesignRequest, dashboardUrl: string): RequestMessage {
  const { reference, state, problem } = request;
  const words = problem ? wordsForProblem(problem) : wordsForState(request);
  const heading = `*${shownTitle(request)}* · ${reference}`;
  const choices = choicesFor(request, dashboardUrl);
  const headline = problem?.denied ? 'Your design request wasn’t sent' : HEADLINES[state];
  return {
    text: `${headline ?? 'Your design request'}: ${shownTitle(request)} (${reference})`,
    blocks: fitBlocks([
      section(`${heading}\n${words}`),
      ...detailsOf(request),
      ...(choices.length > 0 ? [buttons(choices)] : []),
    ]),
  };
}

/** How a request stands, without anything that its author typed. */
export function buildPlainNote(request: DesignRequest): RequestMessage {
  const { reference, problem } = request;
  const words = problem ? wordsForProblem(problem) : wordsForState(request);
  const text = `Your design request ${reference}: ${words} It can’t be shown here in full; \`/design-request list\` lists it.`;
  return { text, blocks: [section(text)] };
}

const HEADLINES: Partial<Record<DesignRequest['state'], string>> = {
  queued: 'Your design request waits',
  waiting_for_key: 'Your design request waits',
  rejected: 'Your design request needs a correction',
  in_doubt: 'Please look: your design request may not have arrived',
  discarded: 'Your design request was discarded',
  created: 'Your design request was sent',
};

/** How a request stands that has no problem. */
export function wordsForState({ state }: DesignRequest): string {
  switch (state) {
    case 'queued':
    case 'sending':
      return 'On its way to your design service.';
    case 'created':
      return ':white_check_mark: It is a card at your design service.';
    case 'discarded':
      return 'Discarded. Nothing is sent.';
    case 'waiting_for_key':
      return 'It waits until a workspace admin connects an API key.';
    case 'rejected':
      return 'Your design service didn’t accept it.';
    case 'in_doubt':
      return 'It may or may not have arrived.';
  }
}

/** Of the service's words for each field, in characters. */
const DETAIL_SHOWN = 200;
const MOST_DETAILS = 10;

function detailsOf({ state, problem }: DesignRequest): KnownBlock[] {
  const details = state === 'rejected' ? Object.entries(problem?.details ?? {}) : [];
  if (details.length === 0) return [];
  const lines = details
    .slice(0, MOST_DETAILS)
    .map(([field, words]) => `• ${shortly(field)}: ${shortly(words)}`);
  return [section(lines.join('\n'))];
}

const shortly = (text: string) => escapeMrkdwn(clip(text, DETAIL_SHOWN));

/** The buttons with which the author decides, and looks first where that is needed. */
export function choicesFor({ state, id, problem }: DesignRequest, dashboardUrl: string): Button[] {
  // A guest may be allowed again; nobody else comes back.
  if (problem?.denied && problem.denied !== 'guest') return [];
  switch (state) {
    case 'in_doubt':
      return [
        choice(FORM_ACTIONS.sendAgain, 'Send again', id),
        choice(FORM_ACTIONS.itIsThere, 'It is there', id),
        discard(id),
        openButton(dashboardUrl, 'Open dashboard'),
      ];
    case 'rejected':
      return [{ ...choice(FORM_ACTIONS.reopen, 'Correct it', id), style: 'primary' }, discard(id)];
    default:
      return [];
  }
}

const choice = (action_id: string, text: string, value: string): Button => ({
  type: 'button',
  action_id,
  value,
  text: { type: 'plain_text', text },
});

/** What was typed can't be had back by a button, so it is asked once more. */
const discard = (id: string): Button => ({
  ...choice(FORM_ACTIONS.discard, 'Discard', id),
  confirm: {
    title: { type: 'plain_text', text: 'Discard this request?' },
    text: { type: 'plain_text', text: 'It isn’t sent again, and what you typed is given up.' },
    confirm: { type: 'plain_text', text: 'Discard' },
    deny: { type: 'plain_text', text: 'Keep it' },
    style: 'danger',
  },
});

const openButton = (url: string, text: string): Button => ({
  type: 'button',
  action_id: FORM_ACTIONS.openCard,
  url,
  text: { type: 'plain_text', text },
});

const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text, verbatim: true });
const section = (text: string): KnownBlock => ({
  type: 'section',
  text: mrkdwn(clipMrkdwn(text, SECTION_TEXT_MAX)),
});
const note = (text: string): KnownBlock => ({ type: 'context', elements: [mrkdwn(text)] });
const buttons = (elements: Button[]): KnownBlock => ({ type: 'actions', elements });
