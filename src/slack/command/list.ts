import type { KnownBlock } from '@slack/types';
import type { DesignRequest } from '../../requests/request.ts';
import { asOfIfOld, timeAgo } from '../card/as-of.ts';
import { replyToCommand } from '../listener/replies.ts';
import { buttonsFor, cardUrlOf } from '../request-form/request-messages.ts';
import { clipMrkdwn } from '../text/clip-mrkdwn.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { fitGroups } from '../text/fit-blocks.ts';
import { clip, SECTION_TEXT_MAX } from '../text/limits.ts';
import { CARD } from '../words/card.ts';
import { LIST, SUB_COMMAND_WORDS } from '../words/command.ts';
import { wordsForRequest, wordsForState } from '../words/messages.ts';
import { noteBlock } from './lines.ts';
import { type CommandDeps, noArguments, type SubCommand } from './sub-command.ts';

/** Requests to show. Each that is a card may cost a call to the service. */
const MAX_SHOWN = 10;
const TITLE_SHOWN = 150;

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
    const described = await Promise.all(requests.map((request) => describe(deps, request)));
    const { blocks, left } = fitGroups(described);
    const note = LIST.olderNotShown(left);
    await replyToCommand(args, LIST.heading, [...blocks, ...(left > 0 ? [noteBlock(note)] : [])]);
  },
};

async function describe(deps: CommandDeps, request: DesignRequest): Promise<KnownBlock[]> {
  const { form, reference, problem } = request;
  const title = clip(form.title, TITLE_SHOWN);
  const url = cardUrlOf(deps.cardLinks, request);
  const link = url ? escapedLink(url, title) : escapeMrkdwn(title);
  const words = problem ? wordsForRequest(request) : await wordsFor(deps, request);
  const choices = buttonsFor(request, deps.cardLinks.dashboardUrl);
  const text = clipMrkdwn(`*${link}* · ${reference}\n${words}`, SECTION_TEXT_MAX);
  return [
    { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
    ...(choices.length > 0 ? [{ type: 'actions' as const, elements: choices }] : []),
  ];
}

/** The card's status, possibly from the cache; without one, the status of the request. */
async function wordsFor(deps: CommandDeps, request: DesignRequest): Promise<string> {
  const { cardId, workspaceId } = request;
  const reading =
    cardId === undefined
      ? undefined
      : await deps.cards
          .read(workspaceId, cardId, { class: 'person', allowStale: true })
          .catch(() => undefined);
  const status = reading && 'card' in reading ? reading.card.status?.name : undefined;
  if (!reading || !status) return wordsForState(request);
  const asOf = asOfIfOld(reading.readAt, deps.now());
  return LIST.status(escapeMrkdwn(clip(status, TITLE_SHOWN)), asOf && CARD.asOf(timeAgo(asOf)));
}
