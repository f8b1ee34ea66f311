import type { Config } from '../../config/config.ts';
import type { FileLinks } from '../../files/file-links.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import {
  type AttachedFile,
  type DesignRequest,
  FILE_ROLES,
  type FormattedText,
  filesOf,
} from '../../requests/request.ts';
import type { SendContext } from '../../requests/send-request.ts';
import type { Conversations } from '../client/conversations.ts';
import { slackRetryAt } from '../client/errors.ts';
import type { People } from '../client/people.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import { accessDenial } from '../surface/access.ts';
import { mentionsIn, richTextToHtml, typedHtml } from '../text/rich-text-to-html.ts';
import { FILE_FIELDS, FILES, wordsForFile } from '../words/files.ts';
import { NEW_CARD, requestedInSlack } from '../words/messages.ts';
import { asRichText, nonBlankLines, webLinkOf } from './elements.ts';
import type { SlackFiles } from './slack-files.ts';

// What Slack is asked right before a request is sent.

/** Turns an error with which Slack says when to ask again into RetryLaterError. */
async function orLater<Result>(asking: Promise<Result>, now: () => Date): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    const retryAt = slackRetryAt(error, now());
    throw retryAt ? new RetryLaterError(retryAt, { cause: error }) : error;
  }
}

/**
 * Creates the check of a request's author: they may have left or become a guest since submitting it, or guests may have
 * lost access. It throws RetryLaterError or Slack's error if Slack doesn't answer; the request is not sent then.
 */
export function createAuthorCheck(deps: {
  clients: SlackClients;
  people: People;
  settings: Pick<WorkspaceSettingsStore, 'get'>;
  now: () => Date;
}): SendContext['checkAuthor'] {
  const { clients, people, settings, now } = deps;

  async function check({ workspaceId, userId }: DesignRequest) {
    const client = await clients.of(workspaceId);
    const author = await people.lookUp(client, workspaceId, userId, { fresh: true });
    return accessDenial(author, () => settings.get(workspaceId));
  }
  return (request) => orLater(check(request), now);
}

/** How long a request waits for files that Slack is still processing, since it was sent or changed, in ms. */
const UPLOAD_MAX_MS = 2 * 60_000;
const ASK_AGAIN_MS = 3_000;

/**
 * Creates the check that runs right before a request is sent: a file may have been deleted since it was attached, may
 * still be uploading, or may be one that the app can't read or pass on. The author gets the form back, with a message
 * for each such file at its field.
 *
 * @param deps.source undefined if files can't be passed on
 * @param deps.maxBytes of a file
 */
export function createFilesCheck(deps: {
  source: SlackFiles | undefined;
  maxBytes: number;
  now: () => Date;
}): SendContext['checkFiles'] {
  const { source, maxBytes, now } = deps;

  return async (request) => {
    if (filesOf(request.form).length === 0) return undefined;
    if (!source) return { code: 'files_unusable', message: FILES.noLongerPassedOn };
    const details = await orLater(describeAll(source, request), now);
    return Object.keys(details).length > 0 ? { code: 'files_unusable', details } : undefined;
  };

  /** @returns a message for each field with files that can't be used, by its label */
  async function describeAll(
    { describe }: SlackFiles,
    { workspaceId, form, updatedAt }: DesignRequest,
  ): Promise<Record<string, string>> {
    const details: Record<string, string> = {};
    for (const role of FILE_ROLES) {
      const files = form[role] ?? [];
      const described = await Promise.all(files.map(({ id }) => describe(workspaceId, id)));
      const words = described.flatMap((file, index) =>
        typeof file === 'string' ? [wordsForFile(file, files[index]?.name ?? '', maxBytes)] : [],
      );
      if (words.length > 0) details[FILE_FIELDS[role].label] = words.join(' ');
      const isWorthWaiting = now().getTime() < updatedAt.getTime() + UPLOAD_MAX_MS;
      if (described.includes('uploading') && isWorthWaiting) {
        throw new RetryLaterError(new Date(now().getTime() + ASK_AGAIN_MS));
      }
    }
    return details;
  }
}

/** Names to look up in Slack per request; further mentions are shown as IDs. */
const MAX_NAMES = 20;

/**
 * Creates the service's card from a request. Mentioned people and channels are named; without a
 * name from Slack, a mention stays readable. The description ends with the request's reference, by
 * which the request can be found again.
 */
export function createNewCardWriter(deps: {
  clients: SlackClients;
  people: People;
  conversations: Conversations;
  /** Undefined if files can't be passed on. */
  fileLinks: FileLinks | undefined;
  fileFormat: Config['designApi']['fileFormat'];
}): SendContext['toNewCard'] {
  const { clients, people, conversations, fileLinks, fileFormat } = deps;

  async function namesIn(client: SlackClient, request: DesignRequest) {
    const { workspaceId, userId, form } = request;
    const texts = [form.description, form.textCopy].filter((text) => text !== undefined);
    const references = texts.map((text) => mentionsIn(asRichText(text)));
    const userIds = [userId, ...references.flatMap(({ users }) => users)];
    const channelIds = references.flatMap(({ channels }) => channels);
    const users = await namesOf(userIds, (id) => people.lookUp(client, workspaceId, id));
    const channels = await namesOf(channelIds, (id) =>
      conversations.describe(client, workspaceId, id),
    );
    return {
      user: (id: string) => users.get(id),
      channel: (id: string) => channels.get(id),
    };
  }

  /** Links are made anew each time that a request is sent, so they last from then on. */
  function elementsOf({ id: requestId, workspaceId }: DesignRequest, files: AttachedFile[] = []) {
    if (!fileLinks) return undefined;
    const elements = files.map(({ id: fileId, name }) => {
      const url = fileLinks.urlOf({ workspaceId, requestId, fileId }, name);
      return fileFormat === 'url' ? url : { name, url };
    });
    return elements.length > 0 ? elements : undefined;
  }

  return async (request) => {
    const { reference, userId, workspaceId } = request;
    const { shareIn: _onlyInSlack, ...form } = request.form;
    const { title, requestType, product, description, brand, dimensions, ...more } = form;
    const { software, formats, textCopy, isDraft, neededBy, references, ...files } = more;
    const { referenceFilesNote, additionalFilesNote, ...attached } = files;
    const { referenceFiles, additionalFiles, textCopyFiles, ...unmapped } = attached;
    // A new field doesn't compile until it is mapped here.
    unmapped satisfies Record<string, never>;
    const names = await namesIn(await clients.of(workspaceId), request);
    const html = (text: FormattedText) => richTextToHtml(asRichText(text), names);
    const author = names.user(userId);
    return {
      title,
      description: [
        html(description),
        neededBy && paragraph(NEW_CARD.neededBy(neededBy)),
        references && linkList(references),
        paragraph(requestedInSlack(author, reference)),
      ]
        .filter(Boolean)
        .join(''),
      typeId: requestType.id,
      isDraft,
      product,
      dimension: dimensions,
      software,
      fileFormats: formats.join(', '),
      ...(textCopy ? { textCopy: html(textCopy) } : {}),
      ...(brand ? { brandId: brand.id } : {}),
      ...(referenceFilesNote ? { referenceFilesNote } : {}),
      ...(additionalFilesNote ? { additionalFilesNote } : {}),
      referenceFiles: elementsOf(request, referenceFiles),
      additionalFiles: elementsOf(request, additionalFiles),
      textCopyFiles: elementsOf(request, textCopyFiles),
    };
  };
}

const paragraph = (text: string) => `<p>${typedHtml(text)}</p>`;

function linkList(references: string): string {
  const link = (line: string) =>
    `<li><a href="${typedHtml(webLinkOf(line) ?? line)}">${typedHtml(line)}</a></li>`;
  return `${paragraph(NEW_CARD.references)}<ul>${nonBlankLines(references).map(link).join('')}</ul>`;
}

async function namesOf(
  ids: readonly string[],
  ask: (id: string) => Promise<{ name: string | undefined }>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const wanted = [...new Set(ids)].slice(0, MAX_NAMES);
  await Promise.all(
    wanted.map(async (id) => {
      const name = (await ask(id).catch(() => undefined))?.name;
      if (name) names.set(id, name);
    }),
  );
  return names;
}
