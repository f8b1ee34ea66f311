import { expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { chooseType, confirmed, fillForm, openForm } from './form.ts';
import { it, startWorld } from './world.ts';

const LISTS = { products: ['Graphics'], formats: ['PNG'], softwares: ['Figma'] };

it('several request types or brands with one ID are shown as the first of them, which decides its fields and is named in the confirmation', async () => {
  const { world, service, me } = await startWorld();
  service.referenceLists.requestTypes = [
    { id: 't1', name: 'Poster', ...LISTS },
    { id: 't2', name: 'Video', ...LISTS },
    { id: 't1', name: 'Banner', ...LISTS, softwares: ['Photoshop'] },
  ];
  service.referenceLists.brands = [
    { id: 'b1', name: 'Acme' },
    { id: 'b1', name: 'Acme, the old one' },
  ];
  await world.restart();
  await openForm(world, me);
  expect(me.field('Request type').options).toEqual(['Poster', 'Video']);
  await chooseType(world, me, 'Poster');
  expect(me.field('Brand').options).toEqual(['Acme']);
  await fillForm(world, me, {
    'Request type': 'Poster',
    Software: 'Figma',
    'File formats': ['PNG'],
    Brand: 'Acme',
  });
  const message = await confirmed(world, me);
  expect(textOfMessage(message)).toContain('Poster');
  expect(textOfMessage(message)).toContain('Acme');
  expect(JSON.stringify(message)).not.toMatch(/Banner|old one/);
});

/** Longer than an option's text may be (75), and alike up to there. */
const long = (what: string, end: string) =>
  `${what} ${'for the large printing house '.repeat(4)}${end}`;

it('an ID or a name that is longer than Slack allows is told apart in a menu, and reaches the service complete', async () => {
  const { world, service, me } = await startWorld();
  const id = `type-${'x'.repeat(120)}`;
  const names = (what: string) => [long(what, 'in Hamburg'), long(what, 'in Berlin')];
  service.referenceLists.requestTypes = [
    {
      id,
      name: long('Poster', 'and more'),
      products: [...names('Graphics'), 'Video'],
      softwares: names('Quark'),
      formats: names('PDF'),
    },
    { id: 't2', name: 'Video', ...LISTS },
    { id: 't3', name: 'Something else', products: [], formats: [], softwares: [] },
  ];
  await world.restart();
  await openForm(world, me);
  /** The option whose second line ends with the text. */
  const ending = (label: string, end: string) => {
    const options = me.field(label).element.options as {
      value: string;
      description?: { text: string };
    }[];
    const found = options.filter(({ description }) => description?.text.endsWith(end));
    expect(found).toHaveLength(1);
    return { value: found[0]?.value ?? '' };
  };
  await chooseType(world, me, ending('Request type', 'and more'));
  for (const label of ['Product', 'Software', 'File formats']) {
    expect(ending(label, 'in Berlin')).not.toEqual(ending(label, 'in Hamburg'));
  }
  const chosen = {
    Product: ending('Product', 'in Berlin'),
    Software: ending('Software', 'in Berlin'),
    'File formats': [ending('File formats', 'in Berlin'), ending('File formats', 'in Hamburg')],
  };
  await me.fill(chosen);
  expect(me.field('Product').value).toMatchObject({ selected_option: chosen.Product });
  expect(me.field('Software').value).toMatchObject({ selected_option: chosen.Software });
  expect(me.field('File formats').value?.selected_options).toHaveLength(2);
  // The stand-in accepts only the products listed in api.md.
  await me.fill({ Product: 'Video' });
  await me.fill({ Title: 'Poster', Description: 'A poster.', Sizes: 'A1' });
  const message = await confirmed(world, me);
  expect(service.cards.all().at(-1)).toMatchObject({
    requestTypeId: id,
    software: long('Quark', 'in Berlin'),
    fileFormats: `${long('PDF', 'in Berlin')}, ${long('PDF', 'in Hamburg')}`,
  });
  expect(textOfMessage(message)).toContain(long('Poster', 'and more').slice(0, 70));
});

it('characters that Slack or a database rejects are removed from what is typed, and returned unchanged to the service if they are its own', async () => {
  const { world, service, me } = await startWorld();
  const odd = (text: string) => `${text}\u0000 \ud800!`;
  service.referenceLists.requestTypes = [
    { id: odd('t'), name: odd('Poster'), ...LISTS, softwares: [odd('Figma'), 'Quark'] },
    { id: 't', name: 'Another', ...LISTS },
  ];
  service.referenceLists.brands = [{ id: odd('b'), name: odd('Acme') }];
  await world.restart();
  await openForm(world, me, 'Spring\u0000 banner');
  expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  await chooseType(world, me, 'Poster �!');
  await me.fill({
    Software: 'Figma �!',
    Brand: 'Acme �!',
    Description: 'A poster.',
    Sizes: 'A1\u0000: 594 × 841 mm',
  });
  await confirmed(world, me);
  expect(service.cards.all().at(-1)).toMatchObject({
    title: 'Spring banner',
    requestTypeId: odd('t'),
    software: odd('Figma'),
    brandId: odd('b'),
    dimensions: 'A1: 594 × 841 mm',
  });
});
