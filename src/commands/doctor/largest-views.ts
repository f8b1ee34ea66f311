import type { Config } from '../../config/config.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { createCardLinks } from '../../references.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { buildWholeCardModal } from '../../slack/card/buttons.ts';
import { buildUnfurls } from '../../slack/card/send-unfurls.ts';
import { OPEN_MAX, RECENT_MAX, WATCHED_MAX } from '../../slack/home/home-data.ts';
import { buildHome, type HomeProps } from '../../slack/home/home-view.ts';
import { buildConfirmation } from '../../slack/request-form/confirmation.ts';
import { FORM_FIELDS } from '../../slack/request-form/fields.ts';
import { MAX_FILES } from '../../slack/request-form/file-fields.ts';
import { buildFormView, OFFERS_MAX } from '../../slack/request-form/form-view.ts';
import { connectOffer } from '../../slack/surface/connection.ts';
import { SELECT_OPTIONS_MAX } from '../../slack/text/limits.ts';
import { plainTextToRichText } from '../../slack/text/rich-text-to-html.ts';

/** Longer than what is shown of anything, and longer still once it is escaped. */
const LONG = 'Spring & summer < winter, “*up to 50 %*” · '.repeat(99);
const MANY = 300;
/** In characters: Slack's profiles accept no longer names. */
const DISPLAY_NAME_MAX = 80;
/** Menus with more long names are searchable. */
const LISTED = 30;

const named = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${kind}-${index}`,
    name: `${kind} ${index} ${LONG}`,
  }));
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

/**
 * The app's views as large as they get, by name, as arguments of Slack's `blocks.validate`.
 *
 * @param options.canAttach whether Slack lets the app ask for files
 */
export function largestViews(
  config: Config,
  options: { workspaceId: WorkspaceId; canAttach: boolean; now: Date },
): Record<string, { view: object } | { message: object }> {
  const { now, workspaceId, canAttach } = options;
  const cardLinks = createCardLinks(config.cardUrlTemplates);
  const { dashboardUrl } = cardLinks;
  const admin = { userId: 'U012ABCDEF', name: LONG.slice(0, DISPLAY_NAME_MAX) };
  const names = idsOf(named('name', SELECT_OPTIONS_MAX));
  const lists = { products: names, formats: names, softwares: names };
  const requestTypes = named('type', LISTED).map((type) => ({ ...type, ...lists }));
  const brands = named('brand', MANY);
  const unfinished = idsOf(named('form', OFFERS_MAX + 1)).map((formId) => ({
    formId,
    title: LONG,
  }));
  const longText = plainTextToRichText(LONG.repeat(9));
  const form = {
    title: LONG,
    requestType: { id: 'type-0', name: LONG },
    product: 'name-0',
    description: longText,
    brand: brands[0],
    dimensions: LONG,
    software: 'name-0',
    formats: names,
    neededBy: now.toISOString().slice(0, 'YYYY-MM-DD'.length),
    references: LONG,
    textCopy: longText,
    referenceFiles: named('F1', MAX_FILES - 1),
    referenceFilesNote: LONG,
    additionalFiles: named('F2', MAX_FILES - 1),
    additionalFilesNote: LONG,
    textCopyFiles: named('F3', MAX_FILES - 1),
    isDraft: true,
    shareIn: 'C012ABCDEF',
  };
  const card = {
    id: '65f0c0ffee65f0c0ffee0000',
    title: LONG,
    descriptionHtml: `<p>${LONG}</p>`,
    textCopyHtml: `<p>${LONG}</p>`,
    requestType: undefined,
    productType: LONG,
    dimensions: LONG,
    createdBy: undefined,
    labels: names,
    tags: names,
    fileFormats: LONG,
    software: LONG,
    status: { id: undefined, name: LONG, color: '#a259ff' },
    dueDate: { text: LONG },
    createdAt: now,
    updatedAt: now,
    files: named('file', MANY).map(({ id, name }) => ({
      name,
      ext: 'png',
      urls: { full: `${dashboardUrl}/${id}.png` },
    })),
    brand: undefined,
  };
  const request: DesignRequest = {
    id: 'request',
    reference: 'DR-ABC123',
    workspaceId,
    userId: admin.userId,
    form,
    state: 'created',
    cardId: card.id,
    revision: 1,
    announcedRevision: 1,
    attempts: 1,
    createdAt: now,
    updatedAt: now,
  };
  const facts = { brandName: LONG, typeName: LONG, requesterName: LONG, asOf: now, shownAt: now };
  const url = cardLinks.urlOf(card.id);
  const shown = { ...facts, card, url, detail: 'large' as const, moreLinks: MANY };
  const requested = idsOf(named('requested', RECENT_MAX));
  const watchedElsewhere = idsOf(named('watched', WATCHED_MAX + 1));
  const known = [...requested, ...watchedElsewhere].map(
    (id) => [id, { card, readAt: now }] as const,
  );
  const formView = buildFormView({
    options: { requestTypes, brands, withoutKey: 'key_rejected' },
    partnerName: config.designApi.partnerName,
    draft: form,
    files: canAttach ? { maxBytes: config.fileMaxBytes } : undefined,
    ...{ formId: 'form', isExpanded: true, admin },
    problems: Object.fromEntries(FORM_FIELDS.map(({ name }) => [name, LONG])),
    notice: LONG,
    unfinished,
    focus: 'title',
  });
  const home: HomeProps = {
    admin,
    isAdmin: true,
    key: undefined,
    connectOffer: connectOffer(admin),
    unfinished,
    open: named('open', OPEN_MAX).map(({ id }) => ({ ...request, id, state: 'in_doubt' })),
    closed: requested.map((cardId) => ({ ...request, cardId })),
    cards: new Map(known),
    staleCards: [],
    watched: new Set(requested),
    watchedElsewhere,
    now,
    older: MANY,
    cardLinks,
  };
  const confirmed = { request, card, cardUrl: url, dashboardUrl, now, why: LONG };
  return {
    form: { view: formView },
    Home: { view: buildHome(home, config.supportUrl) },
    preview: { message: { attachments: Object.values(buildUnfurls([shown])) } },
    card: { view: buildWholeCardModal(shown) },
    confirmation: { message: { blocks: buildConfirmation(confirmed).blocks } },
  };
}
