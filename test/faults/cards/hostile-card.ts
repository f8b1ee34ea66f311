import fc from 'fast-check';
import { anyHtml, hostileText } from '../../slack/text/hostile-text.ts';
import type { CardFile } from '../../stand-ins/design-service/resources.ts';
import { strangeValue } from '../fuzz/strange-values.ts';
import type { Chance } from '../random.ts';

const SAMPLES = 3_000;
const HUGE = 0.01;
/** More than the app reads of it. */
const HUGE_CHARACTERS = 150_000;
/** Of a card as JSON; answers of more than 1 MiB are not read. */
const LARGEST_BYTES = 1_000_000;
/** The share of fields that get a value of any shape. */
const STRANGE = 0.25;

/** Every field of a card in the API (api.md 2.2). */
const FIELDS = [
  ...['id', 'title', 'description', 'request_type', 'product_type', 'dimensions', 'created_by'],
  ...['labels', 'tags', 'text_copy', 'file_formats', 'software', 'status', 'due_date'],
  ...['created_at', 'updated_at', 'files', 'brand'],
];
const MOMENTS: readonly [unknown, ...unknown[]] = [
  ...[0, -1, 1e300, 253_402_300_800, 1e18, true, null],
  ...['0000-00-00', '9999-99-99', '2026-13-45T99:99:99Z', '31-Feb-2026 13:60 PM', 'tomorrow'],
  ...[
    { $date: { $numberLong: '1e9' } },
    { date: [] },
    [1, 2],
    '<!date^0^{date}^https://x.example|y>',
  ],
] as const;
const COLORS = ['#ffffff', '#FFF', 'red', '#12345g', 'javascript:1', '', '#5b6cff '] as const;
const LONG_URL = `https://files.example/${'x'.repeat(3_100)}`;
const URLS = [
  ...['javascript:alert(1)', 'data:image/png;base64,AAAA', '//evil.example/x.png', 'https://', ''],
  ...['https://user:pass@evil.example/x.png', 'http://[::1', LONG_URL, 'ftp://x.example/a.png'],
  ...['https://files.example/a b|c<d>.png', 'https://files.example/ok.png'],
] as const;
const EXTENSIONS = ['png', '.PNG', 'jpg', 'svg', 'exe', '', '<!here>'] as const;

/** Cards that are hostile or malformed. @param seed the same seed gives the same cards */
export function hostileCards(seed: number, chance: Chance) {
  const texts = fc.sample(hostileText, { seed, numRuns: SAMPLES });
  const pages = fc.sample(anyHtml, { seed, numRuns: SAMPLES });
  const text = () => texts[chance.below(texts.length)] ?? '';
  const html = () => (chance.is(HUGE) ? huge(page()) : page());
  const page = () => pages[chance.below(pages.length)] ?? '';

  const file = (): CardFile => ({
    id: text(),
    name: text(),
    ext: chance.pick(EXTENSIONS),
    urls: Object.fromEntries(
      ['full', 'large', 'medium', 'small'].map((size) => [size, chance.pick(URLS)]),
    ) as CardFile['urls'],
    type: text(),
  });

  /** Any of the shapes in which a service could give a name. */
  const named = () =>
    chance.pick<() => unknown>([
      text,
      () => ({ id: text(), name: text(), color: chance.pick(COLORS) }),
      () => [text(), { name: text() }, null, 7, [text()]],
      () => ({ name: { name: text() }, title: text(), id: { id: 1 } }),
      () => chance.next() * 1e20,
      () => html(),
    ])();

  const wireField = (field: string): unknown => {
    if (chance.is(STRANGE)) return strangeValue(chance);
    if (/date|_at$/.test(field)) return chance.is(0.5) ? chance.pick(MOMENTS) : text();
    return field === 'files' ? [file(), strangeValue(chance), file()] : named();
  };

  const anyCard = () => {
    const changed = FIELDS.filter(() => chance.is(STRANGE));
    return {
      title: text(),
      description: html(),
      textCopy: html(),
      productType: text(),
      dimensions: text(),
      fileFormats: text(),
      software: text(),
      labels: [text(), text()],
      tags: [text()],
      status: { id: text(), name: text(), color: chance.pick(COLORS) },
      files: chance.is(0.5) ? [file(), file()] : [],
      createdBy: { id: text(), name: text() },
      wire: Object.fromEntries(changed.map((field) => [field, wireField(field)])),
    };
  };

  return {
    card() {
      for (;;) {
        const card = anyCard();
        if (Buffer.byteLength(JSON.stringify(card)) < LARGEST_BYTES) return card;
      }
    },
    /** Shapes of the fields that api.md doesn't document, for all cards read at this moment. */
    answers: () => ({
      brandShape: chance.pick(['null', 'string-id', 'string-name', 'object', 'number']),
      createdByShape: chance.pick(['null', 'string', 'object']),
      requestTypeShape: chance.pick(['null', 'string', 'object']),
      dueDateShape: chance.pick(['timestamp', 'iso', 'unix-seconds', 'object', 'nonsense']),
      labelsShape: chance.pick(['string', 'comma-list', 'array', 'array-of-objects', 'null']),
      tagsShape: chance.pick(['string', 'comma-list', 'array', 'array-of-objects', 'null']),
      filesShape: chance.pick(['array', 'null', 'missing']),
      statusShape: chance.pick(['object', 'null', 'string']),
      unknownFields: chance.is(0.5),
    }),
  };
}

/** Very much of it, well formed or not. */
const huge = (page: string) =>
  (page || '<b>').repeat(Math.ceil(HUGE_CHARACTERS / Math.max(page.length, 3)));
