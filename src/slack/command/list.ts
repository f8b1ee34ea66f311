import type { KnownBlock } from '@slack/types';
import { isUnlistedForm } from '../../requests/match-lists.ts';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import { asOfIfOld, timeAgo } from '../card/as-of.ts';
import type { SlackDeps } from '../deps.ts';
import { replyToCommand } from '../listener/replies.ts';
import { requestMenu } from '../request-form/request-menu.ts';
import { buttonsFor, cardUrlOf } from '../request-form/request-messages.ts';
import { context } from '../text/blocks.ts';
import { clipMrkdwn } from '../text/clip-mrkdwn.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { fitGroups } from '../text/fit-blocks.ts';
import { clip, SECTION_TEXT_MAX } from '../text/limits.ts';
import { CARD } from '../words/card.ts';
import { LIST, SUB_COMMAND_WORDS } from '../words/command.ts';
import { wordsForRequest } from '../words/messages.ts';
import { noArguments, type SubCommand } from './sub-command.ts';

/** Requests to show. Each that is a card may cost a call to the service. */
const MAX_SHOWN = 10;
/** Shown of a title and of a fact, in characters. */
const TITLE_SHOWN = 150;
const FACT_SHOWN = 75;

export const list: SubCommand = {
  name: 'list',
  ...SUB_COMMAND_WORDS.list,
  access: 'users',
  accepts: noArguments,
  run: async (deps, args, _rest, { workspaceId, person }) => {
    const requests = await deps.requests.listByAuthor(workspaceId, person.id, MAX_SHOWN);
    if (requests.length === 0) {
      return replyToCommand(args, LIST.none);
    }
    const cardIds = requests.flatMap(({ cardId }) => cardId ?? []);
    const watched = await deps.watches.watchedBy(workspaceId, person.id, cardIds);
    const described = await Promise.all(
      requests.map((request) => describe(deps, request, watched.has(request.cardId ?? ''))),
    );
    const { blocks, left } = fitGroups(described);
    const note = LIST.olderNotShown(left);
    await replyToCommand(args, LIST.heading, [...blocks, ...(left > 0 ? [context(note)] : [])]);
  },
};

/** One line, and below it what its author can decide. */
async function describe(
  deps: SlackDeps,
  request: DesignRequest,
  isWatched: boolean,
): Promise<KnownBlock[]> {
  const { form, reference, createdAt } = request;
  const title = clip(form.title, TITLE_SHOWN);
  const url = cardUrlOf(deps.cardLinks, request);
  const facts = [
    `*${url ? escapedLink(url, title) : escapeMrkdwn(title)}*`,
    await statusOf(deps, request),
    ...(isUnlistedForm(form) ? [] : [escapeMrkdwn(clip(form.requestType.name, FACT_SHOWN))]),
    timeAgo(createdAt),
    reference,
  ];
  const text = clipMrkdwn(facts.join(' · '), SECTION_TEXT_MAX);
  const choices = buttonsFor(request, deps.cardLinks.dashboardUrl);
  return [
    {
      type: 'section',
      text: { type: 'mrkdwn', text, verbatim: true },
      accessory: requestMenu(request, isWatched),
    },
    ...(choices.length > 0 ? [{ type: 'actions' as const, elements: choices }] : []),
  ];
}

/** The card's status, possibly from the cache; without one, the status of the request. */
async function statusOf(deps: SlackDeps, request: DesignRequest): Promise<string> {
  const { cardId, workspaceId, state, form } = request;
  if (isBeingChecked(request)) return wordsForRequest(request);
  const reading =
    cardId === undefined
      ? undefined
      : await deps.cards
          .read(workspaceId, cardId, { class: 'person', allowStale: true })
          .catch(() => undefined);
  const status = reading && 'card' in reading ? reading.card.status?.name : undefined;
  if (!reading || !status) {
    return state === 'created' && form.isDraft ? LIST.draft : LIST.inState[state];
  }
  const asOf = asOfIfOld(reading.readAt, deps.now());
  return [escapeMrkdwn(clip(status, FACT_SHOWN)), asOf && CARD.asOf(timeAgo(asOf))]
    .filter(Boolean)
    .join(' ');
}
