import { type Cards, STATUSES } from '../cards.ts';
import { productsOf } from '../resources.ts';
import * as html from './demo-descriptions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ANA = { id: 'user-ana', name: 'Ana Petrović' };
const BEN = { id: 'user-ben', name: 'Ben <Okafor>' };

/**
 * Eight cards with every status, some with null wherever api.md allows it. Those that are hard to show changed long
 * ago, so that a newcomer sees plausible ones first.
 */
export function addDemoCards(cards: Cards, now: Date, partnerName: string): void {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const partnerGraphics = productsOf(partnerName)[3] ?? '';

  const banner = cards.add({
    title: 'Spring sale banner',
    description: html.CAMPAIGN,
    requestTypeId: 'type-social',
    dimensions:
      'Instagram post: 1080 x 1080 px\nInstagram story: 1080 x 1920 px\nBanner: 1200 x 628 px',
    createdBy: ANA,
    labels: ['Priority'],
    tags: ['Spring', 'Launch'],
    textCopy: '<p>Up to <strong>40&nbsp;%</strong> off &mdash; this week only</p>',
    fileFormats: 'PNG, JPG',
    software: 'Photoshop',
    status: STATUSES.inReview,
    dueDate: inDays(3),
    createdAt: daysAgo(6),
    brandId: 'brand-18',
  });
  cards.addFile(banner.id, { name: 'brief.pdf', type: 'reference' });
  cards.addFile(banner.id, { name: 'spring-banner-v1.png' });
  cards.addFile(banner.id, { name: 'spring-banner-v2.png' });
  cards.addFile(banner.id, { name: 'sources.zip' });
  cards.update(banner.id, { updatedAt: new Date(now.getTime() - 2 * HOUR_MS) });

  cards.add({
    title: 'Investor deck, autumn edition',
    description: html.NESTED_LISTS,
    requestTypeId: 'type-presentation',
    productType: partnerGraphics,
    dimensions: 'Slides: 1920 x 1080 px',
    createdBy: BEN,
    fileFormats: 'PPTX',
    software: 'PowerPoint',
    status: STATUSES.inProgress,
    dueDate: inDays(10),
    createdAt: daysAgo(4),
    updatedAt: daysAgo(1),
    brandId: 'brand-19',
  });

  const teaser = cards.add({
    title: 'Product teaser, 15 seconds',
    description: html.TABLE,
    requestTypeId: 'type-video',
    productType: 'Video',
    dimensions: 'Landscape: 1920 x 1080 px\nVertical: 1080 x 1920 px',
    createdBy: ANA,
    tags: ['Event'],
    fileFormats: 'MP4',
    software: 'After Effects',
    status: STATUSES.revision,
    createdAt: daysAgo(9),
    brandId: 'brand-40',
  });
  cards.addFile(teaser.id, { name: 'storyboard.jpg', type: 'reference' });
  cards.addFile(teaser.id, { name: 'teaser-draft.mp4' });
  cards.update(teaser.id, { updatedAt: daysAgo(2) });

  const flyer = cards.add({
    title: 'Flyer for the open day',
    description: html.PICTURES,
    requestTypeId: 'type-print',
    dimensions: 'A5: 148 x 210 mm',
    createdBy: BEN,
    labels: ['Approved', 'Printed'],
    tags: ['Event', 'Internal', 'Q&A'],
    fileFormats: 'PDF/X-4',
    software: 'InDesign',
    status: STATUSES.done,
    dueDate: daysAgo(5),
    createdAt: daysAgo(30),
    brandId: 'brand-33',
  });
  cards.addFile(flyer.id, { name: 'Flyer final (print) ü.pdf' });
  cards.addFile(flyer.id, { name: 'flyer preview.png' });
  cards.update(flyer.id, { updatedAt: daysAgo(5) });

  cards.add({
    title: 'Untyped request without brand, author or date',
    description: '',
    dimensions: '',
    createdAt: daysAgo(40),
    updatedAt: daysAgo(40),
  });

  cards.add({
    title: 'Draft: icons for the <help> centre & docs',
    description: html.HOSTILE,
    requestTypeId: 'type-other',
    productType: 'Graphics Video',
    dimensions: 'Icon: 24 x 24 px',
    createdBy: ANA,
    fileFormats: 'SVG',
    software: 'Figma',
    status: STATUSES.draft,
    createdAt: daysAgo(41),
    updatedAt: daysAgo(41),
    brandId: 'brand-4',
    isDraft: true,
  });

  cards.add({
    title: 'Ünïcode 設計 🎨 מיתוג',
    description: html.LONG,
    requestTypeId: 'type-campaign',
    productType: 'Graphics Video',
    dimensions: 'Any',
    createdBy: ANA,
    tags: ['Übersetzung'],
    fileFormats: 'PNG',
    software: 'Figma',
    status: STATUSES.toDo,
    dueDate: inDays(30),
    createdAt: daysAgo(42),
    updatedAt: daysAgo(42),
    brandId: 'brand-12',
  });

  cards.add({
    title: 'Another company’s secret rebrand',
    description: '<p>Only keys of the other account may see this.</p>',
    account: 'account-2',
    projectId: 'project-2',
    requestTypeId: 'type-social',
    createdAt: daysAgo(43),
    updatedAt: daysAgo(43),
  });
}
