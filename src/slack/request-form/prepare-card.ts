import type { Config } from '../../config/config.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import {
  type AttachedFile,
  type DesignRequest,
  FILE_ROLES,
  type FileRole,
  type FormattedText,
  filesOf,
  type RequestProblem,
} from '../../requests/request.ts';
import type { SendContext } from '../../requests/send-request.ts';
import type { NewCard } from '../../service/operations/card.ts';
import type { Conversations } from '../client/conversations.ts';
import type { People } from '../client/people.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { accessDenial } from '../interaction/access.ts';
import { mentionsIn, richTextToHtml, typedHtml } from '../text/rich-text-to-html.ts';
import { FILE_FIELDS, FILES, wordsForFile } from '../words/files.ts';
import { NEW_CARD } from '../words/messages.ts';
import { nonBlankLines, webLinkOf } from './fields.ts';
import { asRichText } from './form-field.ts';
import type { FileDownloads } from './slack-files.ts';

/** How long a request waits for files that Slack is still processing, since it was sent or changed, in ms. */
const UPLOAD_MAX_MS = 2 * 60_000;
const ASK_AGAIN_MS = 3_000;
/** Names to look up in Slack per request; further mentions are shown as IDs. */
const MAX_NAMES = 20;

/** Asks Slack right before a request is sent. It throws Slack's error if Slack doesn't answer; then nothing is sent. */
export function createPreparation(deps: {
  clients: SlackClients;
  people: People;
  conversations: Conversations;
  settings: Pick<WorkspaceSettingsStore, 'get'>;
  files: FileDownloads | undefined;
  config: Pick<Config, 'fileMaxBytes' | 'designApi'>;
  now: () => Date;
}): Pick<SendContext, 'checkAuthor' | 'checkFiles' | 'toNewCard'> {
  const { clients, people, conversations, settings, files, config, now } = deps;

  /** They may have left or become a guest since submitting it, or guests may have lost access. */
  async function checkAuthor({ workspaceId, userId }: DesignRequest) {
    const client = await clients.of(workspaceId);
    const author = await people.lookUp(client, workspaceId, userId, { fresh: true });
    return accessDenial(author, () => settings.get(workspaceId));
  }

  /** Files may be deleted by now, still uploading, or unreadable: the form says so at each field. */
  async function checkFiles(request: DesignRequest): Promise<RequestProblem | undefined> {
    if (filesOf(request.form).length === 0) return undefined;
    if (!files) return { code: 'files_unusable', message: FILES.noLongerPassedOn };
    const details: Record<string, string> = {};
    for (const role of FILE_ROLES) {
      const words = await problemsWith(files, request, role);
      if (words.length > 0) details[FILE_FIELDS[role].label] = words.join(' ');
    }
    return Object.keys(details).length > 0 ? { code: 'files_unusable', details } : undefined;
  }

  async function problemsWith({ source }: FileDownloads, request: DesignRequest, role: FileRole) {
    const { workspaceId, form, updatedAt } = request;
    const attached = form[role] ?? [];
    const described = await Promise.all(attached.map(({ id }) => source.describe(workspaceId, id)));
    const isWorthWaiting = now().getTime() < updatedAt.getTime() + UPLOAD_MAX_MS;
    if (described.includes('uploading') && isWorthWaiting) {
      throw new RetryLaterError(new Date(now().getTime() + ASK_AGAIN_MS));
    }
    return described.flatMap((file, index) =>
      typeof file === 'string'
        ? [wordsForFile(file, attached[index]?.name ?? '', config.fileMaxBytes)]
        : [],
    );
  }

  async function namesIn({ workspaceId, userId, form }: DesignRequest) {
    const client = await clients.of(workspaceId);
    const texts = [form.description, form.textCopy].filter((text) => text !== undefined);
    const mentions = texts.map((text) => mentionsIn(asRichText(text)));
    const userIds = [userId, ...mentions.flatMap((mentioned) => mentioned.users)];
    const channelIds = mentions.flatMap((mentioned) => mentioned.channels);
    return {
      user: await namesOf(userIds, (id) => people.lookUp(client, workspaceId, id)),
      channel: await namesOf(channelIds, (id) => conversations.describe(client, workspaceId, id)),
    };
  }

  /** Links are made anew each time that a request is sent, so they last from then on. */
  function elementsOf({ id: requestId, workspaceId }: DesignRequest, attached?: AttachedFile[]) {
    if (!files || !attached?.length) return undefined;
    return attached.map(({ id: fileId, name }) => {
      const url = files.links.urlOf({ workspaceId, requestId, fileId }, name);
      return config.designApi.fileFormat === 'url' ? url : { name, url };
    });
  }

  /** The description ends with the request's reference, by which the request can be found again. */
  async function toNewCard(request: DesignRequest): Promise<NewCard> {
    const { form, reference, userId } = request;
    const { textCopy, brand, neededBy, references } = form;
    const { referenceFilesNote, additionalFilesNote } = form;
    const names = await namesIn(request);
    const html = (text: FormattedText) => richTextToHtml(asRichText(text), names);
    const description = [
      html(form.description),
      neededBy && paragraph(NEW_CARD.neededBy(neededBy)),
      references && linkList(references),
      paragraph(NEW_CARD.lastLine(names.user(userId), reference)),
    ];
    return {
      title: form.title,
      description: description.filter(Boolean).join(''),
      typeId: form.requestType.id,
      isDraft: form.isDraft,
      product: form.product,
      dimension: form.dimensions,
      software: form.software,
      fileFormats: form.formats.join(', '),
      ...(textCopy ? { textCopy: html(textCopy) } : {}),
      ...(brand ? { brandId: brand.id } : {}),
      ...(referenceFilesNote ? { referenceFilesNote } : {}),
      ...(additionalFilesNote ? { additionalFilesNote } : {}),
      referenceFiles: elementsOf(request, form.referenceFiles),
      additionalFiles: elementsOf(request, form.additionalFiles),
      textCopyFiles: elementsOf(request, form.textCopyFiles),
    };
  }

  return { checkAuthor, checkFiles, toNewCard };
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
) {
  const asked = [...new Set(ids)].slice(0, MAX_NAMES).map(async (id) => {
    const named = await ask(id).catch(() => undefined);
    return [id, named?.name || undefined] as const;
  });
  const names = new Map(await Promise.all(asked));
  return (id: string) => names.get(id);
}
