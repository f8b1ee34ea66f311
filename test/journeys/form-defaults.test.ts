import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import {
  chooseType,
  confirmed,
  fillForm,
  openFilledForm,
  openForm,
  openFormFrom,
  reopenForm,
  sendRequest,
  sentRequest,
  showAllFields,
} from './form.ts';
import { answerTo } from './links.ts';
import { it, startWorld, type World, worldAhead } from './world.ts';

const BRAND = 'Amber Bakery';

async function sendOne(world: World, me: Person, changes = {}): Promise<void> {
  const { acme, general, slack } = world;
  const known = acme.messages(general).length;
  await sendRequest(world, me, { Brand: BRAND, 'Needed by': '2099-12-31', ...changes });
  await slack.until(() => acme.messages(general).length > known, 'the confirmation');
  await me.close({ all: true });
}

const labels = (me: Person) =>
  ['Title', 'Request type', 'Description', 'Brand', 'Sizes', 'File formats', 'Product']
    .concat(['Software', 'Needed by', 'References', 'Wording', 'Post in'])
    .filter((label) => hasField(me, label));
const FEW = ['Title', 'Request type', 'Description', 'Needed by', 'References'];

describe('the first form', () => {
  it('asks few questions until a type is chosen', async ({ world, me }) => {
    await openForm(world, me);
    expect(labels(me)).toEqual(FEW);
    await chooseType(world, me, 'Social media');
    const ofType = ['Brand', 'Sizes', 'File formats', 'Product', 'Software'];
    expect(labels(me)).toEqual([...FEW.slice(0, 3), ...ofType, ...FEW.slice(3)]);
    await showAllFields(world, me);
    expect(hasField(me, 'Wording') && hasField(me, 'Post in')).toBe(true);
  });

  it('writes the day, and the addresses as people write them, below the description', async () => {
    const { world, service, me } = await startWorld();
    const written = [
      'https://a.example/?b=1&c="2"',
      'example.com/foo',
      'www.example.com',
      'münchen.example/a?b=1#c',
      'sub.example.co.uk:8080/x',
      'HTTPS://Example.com/A',
      'http://localhost:3000',
      'example.xn--p1ai/x',
      ' https://b.example/x ',
    ];
    const References = written.join('\n\n');
    await sentRequest(world, me, { 'Needed by': '2099-12-31', References });
    const { description = '' } = service.cards.all().at(-1) ?? {};
    expect(description).toContain('<p>Needed by Thu, 31 Dec 2099</p>');
    expect(description).toContain('<li><a href="https://a.example/?b=1&amp;c=&quot;2&quot;">');
    expect(description).toContain('<a href="https://example.com/foo">example.com/foo</a>');
    expect(description).toContain('<a href="http://localhost:3000">');
    expect(description).toContain('https://b.example/x</a></li></ul><p>Requested in Slack');
    expect(description.match(/<li><a href="https?:/gi)).toHaveLength(written.length);
  });

  it('marks a day that has passed, and names the line of the references that is no link', async () => {
    const { world, me } = await startWorld();
    await openFilledForm(world, me, { 'Needed by': '2020-01-01' });
    for (const wrong of [
      'the old poster',
      'see example.com',
      'mailto:ann@example.com',
      'ann@example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      '3.14',
      'https://',
      'example',
      'a..b',
    ]) {
      await me.fill({ References: `example.com/1\n${wrong}\nexample.com/2` });
      const { errors } = await me.submit();
      expect(Object.keys(errors)).toEqual(['Needed by', 'References']);
      expect(errors.References).toContain(`“${wrong}” isn’t a link`);
    }
  });
});

describe('the next form', () => {
  it('needs only a description after the title was typed with the command', async () => {
    const { world, acme, general, service, slack, me } = await startWorld();
    await sendOne(world, me);
    await openForm(world, me, 'Summer banner');
    expect(labels(me)).toEqual(FEW);
    expect(me.sees()).toMatch(
      /Set for you: Amber Bakery .*1080 × 1080 px.*PNG, JPG.*Graphics.*Figma/,
    );
    const form = JSON.stringify(me.currentView()?.view.blocks);
    const order = ['"Request type"', `Set for you: ${BRAND}`, '"Description"'];
    const places = order.map((what) => form.indexOf(what));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    await me.fill({ Description: 'The same, for summer.' });
    await me.submit();
    const message = await slack.until(() => acme.messages(general)[1], 'the confirmation');
    expect(textOfMessage(message)).toContain('Summer banner');
    const [first, second] = service.cards.all().slice(-2);
    const { requestTypeId, dimensions, fileFormats, software, brandId } = first ?? {};
    expect(second).toMatchObject({ requestTypeId, dimensions, fileFormats, software, brandId });
    expect(second?.description).not.toContain('Needed by');
  });

  it('follows the type in fields that are shown, too, unless somebody typed there', async () => {
    const { world, me } = await startWorld();
    const slides = { 'Request type': 'Presentation', Software: 'Keynote', 'File formats': ['KEY'] };
    await sendOne(world, me, { ...slides, Sizes: 'Deck: 16:9' });
    await sendOne(world, me, { Sizes: 'Post: 1 × 1 px' });
    await openForm(world, me, 'Third');
    await showAllFields(world, me);
    expect(me.field('Sizes').value).toMatchObject({ value: 'Post: 1 × 1 px' });
    await chooseType(world, me, 'Presentation');
    expect(me.field('Sizes').value).toMatchObject({ value: 'Deck: 16:9' });
    await chooseType(world, me, 'Social media');
    expect(me.field('Sizes').value).toMatchObject({ value: 'Post: 1 × 1 px' });
    await me.fill({ Sizes: 'Poster: A1' });
    await chooseType(world, me, 'Presentation');
    expect(me.field('Sizes').value).toMatchObject({ value: 'Poster: A1' });
  });

  it('has another channel’s brand and nobody else’s choices', async () => {
    const { world, acme, admin, ann, general, ada, me } = await startWorld();
    await sendOne(world, me);
    const other = acme.addChannel({ name: 'other', members: [ann, admin] });
    await openForm(world, me, '', other);
    expect(me.sees()).not.toContain(BRAND);
    expect(me.sees()).toContain('Figma');
    await openForm(world, ada, '', general);
    // The channel's type, but not how Ann works; her brand is only suggested.
    expect(ada.sees()).not.toContain(`Set for you: ${BRAND}`);
    expect(ada.field('Brand').value).toMatchObject({ selected_option: null });
    expect(ada.sees()).toContain(`Last used in this channel: ${BRAND}`);
    expect(ada.field('Software').value).toMatchObject({ selected_option: null });
    await reopenForm(world, ada, '', other);
    expect(labels(ada)).toEqual(FEW);
  });

  it('asks for what the service no longer offers', async ({ world, service, me }) => {
    await sendOne(world, me);
    const [type] = service.referenceLists.requestTypes.filter(
      ({ name }) => name === 'Social media',
    );
    if (type) type.softwares = ['Sketch', 'Canva'];
    await world.restart();
    await openForm(world, me);
    expect(labels(me)).toContain('Software');
    expect(me.field('Software').value).toMatchObject({ selected_option: null });
  });
});

describe('a request', () => {
  it('can be made again from its confirmation, without its day', async () => {
    const { world, acme, general, service, slack, me } = await startWorld();
    await sendOne(world, me);
    const [message] = acme.messages(general);
    if (!message) throw new Error('no confirmation');
    await openFormFrom(world, me, { message, text: 'Request again' });
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
    await me.submit();
    await slack.until(() => service.cards.all().at(-1)?.title === 'Spring banner', 'the card');
    await slack.until(() => acme.messages(general)[1], 'the second confirmation');
    expect(service.cards.all().at(-1)?.description).not.toContain('Needed by');
  });

  it('can be made again from a card that someone else requested', async () => {
    const { world, service, ada, me } = await startWorld();
    await sendOne(world, me);
    const { id } = service.cards.all().at(-1) ?? { id: '' };
    const ephemeral = await answerTo(world, ada, `status ${id}`);
    await openFormFrom(world, ada, { ephemeral, text: 'Request again' });
    expect(ada.field('Title').value).toMatchObject({ value: 'Spring banner' });
    const description = JSON.stringify(ada.field('Description').value);
    expect(description).toContain('spring sale');
    expect(description).not.toMatch(/Requested in Slack|Needed by/);
    expect(ada.sees()).toMatch(/Set for you: .*1080 × 1080 px.*PNG, JPG/);
  });
});

describe('a form that was closed', () => {
  it('can be continued, even if Slack doesn’t say what was in it', async () => {
    const { world, slack, me } = await startWorld();
    slack.state.closedViewsHaveState = false;
    await openForm(world, me, 'Spring banner');
    await me.fill({ Description: 'For the spring sale.' });
    await chooseType(world, me, 'Social media');
    await me.fill({ Sizes: '1 × 1', Software: 'Figma' });
    await reopenForm(world, me);
    expect(me.sees()).toContain('unfinished request: *Spring banner*');
    const before = me.currentView()?.hash;
    await me.click({ text: 'Continue your request' });
    await slack.until(() => me.currentView()?.hash !== before, 'the form');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    expect(JSON.stringify(me.field('Description').value)).toContain('spring sale');
    expect(me.field('Request type').value).toMatchObject({
      selected_option: { value: 'type-social' },
    });
    await showAllFields(world, me);
    // Without its state, what was typed after the last redraw is lost.
    expect(me.field('Sizes').value).toMatchObject({ value: null });
    await fillForm(world, me, { 'Request type': 'Social media' });
    await confirmed(world, me);
    await reopenForm(world, me);
    expect(me.sees()).not.toContain('unfinished request');
  });

  it('is offered to nobody else, and only for a day', async () => {
    const { world, pass, me, ada } = await worldAhead();
    await openForm(world, me, 'Spring banner');
    await chooseType(world, me, 'Social media');
    await me.close({ all: true });
    await openForm(world, ada);
    expect(ada.sees()).not.toContain('unfinished request');
    pass(25 * 60 * 60_000);
    await world.restart();
    await openForm(world, me);
    expect(me.sees()).not.toContain('unfinished request');
  });
});
