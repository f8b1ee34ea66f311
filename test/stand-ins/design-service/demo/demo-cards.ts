import { type Cards, STATUSES } from '../cards.ts';

/** Rich text as dashboard editors produce it, one for each thing that is hard to show. */

const CAMPAIGN =
  '<h2>Spring sale</h2><p>Three banners for our <strong>spring sale</strong>, in the ' +
  '<em>fresh</em> look of <a href="https://brand.example.com/guide?page=2&amp;v=3">the guide</a>.' +
  '</p><ul><li>Headline: “Spring is here”</li><li>Price tag in <u>brand green</u></li>' +
  '<li>No <s>flowers</s> bees</li></ul><p>Thanks!<br>Ana</p>';

const NESTED_LISTS =
  '<p><b>Please restyle <i>all <u>forty</u> slides</i></b>:</p>' +
  '<ol><li>Cover<ul><li>Logo</li><li>Date<ol><li>Long</li><li>Short</li></ol></li></ul></li>' +
  '<li>Charts &amp; tables</li><li>Appendix</li></ol>' +
  '<blockquote><p>Keep it calm.</p></blockquote><pre><code>primary = #5b6cff</code></pre>';

const TABLE =
  '<p>Scenes:</p><table><thead><tr><th>Second</th><th>Shows</th></tr></thead><tbody>' +
  '<tr><td>0&ndash;5</td><td>Logo</td></tr><tr><td>5&ndash;12</td><td>Product</td></tr>' +
  '<tr><td>12&ndash;15</td><td><a href="https://example.com/shop">Shop</a></td></tr>' +
  '</tbody></table>';

const PICTURES =
  '<p>Like last year’s:</p><p><img src="https://example.com/last-year.png" alt="Last year’s flyer">' +
  '</p><figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><figcaption>Map</figcaption>' +
  '</figure><hr><div><span style="color:#f00">Print run: 2,000</span></div>';

/** What the service's text must never do to a reader, and markup that never ends. */
const HOSTILE =
  '<p>&lt;!channel&gt; &lt;@U012AB3CD&gt; <!channel> *not bold* `not code`</p>' +
  '<p><a href="javascript:alert(1)">press</a> <a href="https://evil.example/">https://good.example/</a>' +
  '</p><script>alert(1)</script><style>p{color:red}</style><p>unclosed <b>bold <i>both';

const PARAGRAPH =
  '<p>Every market gets its own adaptation: headline, price, legal line and picture differ. ' +
  'Start from the <strong>master file</strong>, keep layers named, and hand over sources.</p>';

/** More than any Slack text can hold. */
const LONG = PARAGRAPH.repeat(40);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ANA = { id: 'user-ana', name: 'Ana Petrović' };
const BEN = { id: 'user-ben', name: 'Ben <Okafor>' };

/** Every status, and null wherever api.md allows it. Hard ones changed long ago: a newcomer sees others first. */
export function addDemoCards(cards: Cards, now: Date): void {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

  const banner = cards.add({
    title: 'Spring sale banner',
    description: CAMPAIGN,
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
    description: NESTED_LISTS,
    requestTypeId: 'type-presentation',
    productType: 'Partner Graphics',
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
    description: TABLE,
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
    description: PICTURES,
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
    description: HOSTILE,
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
    description: LONG,
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
