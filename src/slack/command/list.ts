import type { KnownBlock } from '@slack/types';
import type { DesignRequest } from '../../requests/request.ts';
import { asOfIfOld, asOfInWords } from '../card/as-of.ts';
import { workspaceOf } from '../listeners.ts';
import { refuseOutsider } from '../permissions.ts';
import { cardUrlOf } from '../request-form/card-url.ts';
import { choicesFor, wordsForState } from '../request-form/request-messages.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { wordsForProblem } from '../wording.ts';
import { type CommandDeps, reply, type SubCommand } from './sub-command.ts';

/** Requests that a reply shows; each that is a card may cost a call of the service. */
const MOST_SHOWN = 10;
const TITLE_SHOWN = 150;

export const list: SubCommand = {
  name: 'list',
  summary: 'your recent requests and how they stand',
  run: async (deps, args) => {
    const workspaceId = workspaceOf(args.context);
    const { user_id: userId } = args.command;
    const refusal = refuseOutsider(await deps.people.whoIs(args.client, workspaceId, userId));
    if (refusal) return reply(args, refusal);
    const requests = await deps.requests.listByAuthor(workspaceId, userId, MOST_SHOWN);
    if (requests.length === 0) {
      return reply(args, 'You have no requests yet. `/design-request` opens the form.');
    }
    const shown = await Promise.all(requests.map((request) => describe(deps, request)));
    await reply(args, 'Your recent requests', shown.flat());
  },
};

async function describe(deps: CommandDeps, request: DesignRequest): Promise<KnownBlock[]> {
  const { form, reference, problem } = request;
  const title = clip(form.title, TITLE_SHOWN);
  const url = cardUrlOf(deps.cardLinks, request);
  const link = url ? escapedLink(url, title) : escapeMrkdwn(title);
  const words = problem ? wordsForProblem(problem) : await wordsFor(deps, request);
  const choices = choicesFor(request, deps.cardLinks.dashboardUrl);
  return [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: `*${link}* · ${reference}\n${words}`, verbatim: true },
    },
    ...(choices.length > 0 ? [{ type: 'actions' as const, elements: choices }] : []),
  ];
}

/** A card's status, if it can be read, also as it was some time ago; else how the request stands. */
async function wordsFor(deps: CommandDeps, request: DesignRequest): Promise<string> {
  const { cardId, workspaceId } = request;
  const reading =
    cardId === undefined
      ? undefined
      : await deps.cards
          .read(workspaceId, cardId, { class: 'person', olderAtOnce: true })
          .catch(() => undefined);
  const status = reading && 'card' in reading ? reading.card.status?.name : undefined;
  if (!reading || !status) return wordsForState(request);
  const asOf = asOfIfOld(reading.readAt, deps.now());
  return `Status: ${escapeMrkdwn(clip(status, TITLE_SHOWN))}${asOf ? `, ${asOfInWords(asOf)}` : ''}`;
}
