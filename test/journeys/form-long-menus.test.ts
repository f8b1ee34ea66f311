import { describe, expect, it } from 'vitest';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { chooseType, confirmed, openForm, showAllFields, submitUntil } from './form.ts';
import { startWorld, type World } from './world.ts';

const COUNT = 3_000;
/** More than twice as long as what Slack shows of a name, so these names look alike in a menu. */
const SAME_BEGINNING = 'for the large printing house and all its branches '.repeat(4);

/** All kinds of names: short, longer than an option's text, alike once shortened, and repeated. */
const names = (what: string) =>
  Array.from({ length: COUNT }, (_, index) => {
    if (index % 10 === 7) return `${what} ${SAME_BEGINNING}${index}`;
    if (index % 10 === 8) return `${what} ${index} ${'and more '.repeat(10)}`.trim();
    if (index % 10 === 9) return `${what} ${index - 9}`;
    return `${what} ${index}`;
  });

const BIG = {
  id: 'big',
  name: 'Everything',
  products: ['Graphics', ...names('Product')],
  formats: names('Format'),
  softwares: names('Software'),
};
const OTHERS = Array.from({ length: 250 }, (_, index) => {
  return {
    ...BIG,
    id: `t${index}`,
    name: `Type ${index}`,
    products: [],
    formats: [],
    softwares: [],
  };
});

async function withLongMenus(): Promise<World> {
  const { world, service, me } = await startWorld();
  service.referenceLists.requestTypes = [BIG, ...OTHERS];
  await world.restart();
  await openForm(world, me);
  await chooseType(world, me, { search: 'every', choose: 'Everything' });
  return world;
}

/** The result of a search, and the one option that ends as given. */
async function find(me: Person, label: string, query: string, end: string) {
  const found = (await me.suggest(label, query)).filter(({ text, value }) => {
    return text.endsWith(end) || value.endsWith(end);
  });
  expect(found).toHaveLength(1);
  return { search: query, choose: { value: found[0]?.value ?? '' } };
}

const REST = { Title: 'Poster', Description: 'A poster.', Sizes: 'A1' };
const LONG_SOFTWARE = BIG.softwares[1_238] ?? '';
const LONG_FORMAT = BIG.formats[2_008] ?? '';

/** Chooses by searching: a long name and several formats. */
async function fillLongMenus(me: Person, product: string): Promise<void> {
  await me.fill({
    ...REST,
    Product: product,
    Software: await find(me, 'Software', 'software 1238 and', '…'),
    'File formats': [
      await find(me, 'File formats', 'format 2008 and', '…'),
      { search: 'Format 2991', choose: 'Format 2991' },
    ],
  });
}

const chosenValues = (me: Person) => ({
  product: me.field('Product').value?.selected_option?.value,
  software: me.field('Software').value?.selected_option?.value,
  formats: me.field('File formats').value?.selected_options?.map(({ value }) => value),
});

describe('a request type among 251, with 3,000 products, formats, and software', () => {
  it('is searched, keeps what was chosen if there is an error, and reaches the service complete', async () => {
    const { world, me, service } = await withLongMenus();
    await fillLongMenus(me, 'Product 12');
    await me.fill({ Title: ' ' });
    const chosen = chosenValues(me);
    expect(await me.submit()).toMatchObject({ outcome: 'errors' });
    expect(chosenValues(me)).toEqual(chosen);

    // The service accepts only its own products, so the form comes back with its message.
    await me.fill({ Title: 'Poster' });
    await submitUntil(world, me, 'product must be');
    await showAllFields(world, me);
    expect(chosenValues(me)).toEqual(chosen);
    await me.fill({ Product: { search: 'graph', choose: 'Graphics' } });
    await confirmed(world, me);
    expect(service.cards.all().at(-1)).toMatchObject({
      productType: 'Graphics',
      software: LONG_SOFTWARE,
      fileFormats: `${LONG_FORMAT}, Format 2991`,
    });
  });

  it('shows a hundred, tells apart names that look alike, and shows a repeated one once', async () => {
    const { world, me } = await withLongMenus();
    const alike = await me.suggest('Software', SAME_BEGINNING);
    expect(alike).toHaveLength(100);
    expect(new Set(alike.map(({ value }) => value)).size).toBe(100);
    const answer = world.slack.deliveries.at(-1)?.attempts[0]?.body ?? '';
    const { options } = JSON.parse(answer);
    const shown = options.map((option: object) => JSON.stringify({ ...option, value: '' }));
    expect(new Set(shown).size).toBe(100);
    const repeated = (await me.suggest('Software', 'Software 1230')).map(({ text }) => text);
    expect(repeated.filter((text) => text === 'Software 1230')).toHaveLength(1);

    // Before anything is typed, and no more choices than are kept.
    const first = await me.suggest('File formats', '');
    expect(first).toHaveLength(100);
    const choices = first.slice(0, 51).map(({ value }) => ({ search: '', choose: { value } }));
    await expect(me.fill({ 'File formats': choices })).rejects.toThrow('takes 50');
    await me.fill({ 'File formats': choices.slice(0, 50) });
  });
});
