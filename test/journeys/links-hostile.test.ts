import { describe, expect } from 'vitest';
import type { StoredCard } from '../stand-ins/design-service/resources.ts';
import { mentionsIn } from '../stand-ins/slack/block-kit/mentions.ts';
import { answerTo, postShown } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const HOSTILE = [
  '<!channel> <!here|x> <@U0000000001> <#C0000000001|general> <!subteam^S1>',
  '<https://evil.example|https://app.example.com> @here @channel #general',
  '*b* _i_ ~s~ `c` ```f``` :tada: \n> quote\n\u202e\u0000\ud800',
].join(' ');
const HOSTILE_HTML = `<p>&lt;!channel&gt; &lt;https://evil.example|good&gt; <a href="javascript:alert(1)">x</a> ${HOSTILE}</p>`;
const LONG = '<&>'.repeat(4_000);

/** Everything a service could return in a field whose type is undocumented. */
const SHAPES: unknown[] = [
  HOSTILE,
  LONG,
  42,
  1e300,
  true,
  '',
  [],
  {},
  [null, 7, [], { name: HOSTILE }, HOSTILE, { id: {} }],
  { id: HOSTILE, name: HOSTILE, color: HOSTILE, date: HOSTILE },
  { id: { id: 1 }, name: { name: [] }, date: { $date: {} } },
  { __proto__: null, constructor: 'x', toString: 1 },
];

const FIELDS = (
  'title description request_type product_type dimensions created_by labels tags text_copy ' +
  'file_formats software status due_date created_at updated_at files brand'
).split(' ');

/** The visible text mentions nobody and links to nothing but the card. */
function expectHarmless(world: World, shown: unknown, id: string): void {
  const links = mentionsIn(shown).map((mention) => mention.split('|')[0]);
  expect([...new Set(links)]).toEqual([`link:${world.cardUrl(id)}`]);
}

/** The notification text mentions nobody; a bare URL may stay, since it shows where it leads. */
function expectQuiet(text: string): void {
  expect(mentionsIn(text).filter((mention) => !mention.startsWith('link:'))).toEqual([]);
}

/** Shows a card everywhere cards are shown; the stand-in refuses what Slack would refuse. */
async function showEverywhere(world: World, card: Partial<StoredCard>): Promise<void> {
  const { acme, ann, general, service, slack, me } = world;
  const { id } = service.cards.add({ title: 'Autumn poster', ...card });
  const preview = await me.compose(general, world.cardUrl(id));
  await slack.until(() => preview.attachments.length === 1, 'the preview');
  expectHarmless(world, preview.attachments, id);
  const alone = await postShown(world, me, world.cardUrl(id));
  expectHarmless(world, alone.attachments, id);
  const other = world.cardUrl(service.cards.add({ title: 'Another' }).id);
  const small = await postShown(world, me, `${world.cardUrl(id)} ${other}`, { cards: 2 });
  expectHarmless(world, small.attachments[0], id);

  const ephemeral = await answerTo(world, me, `status ${id}`);
  expectHarmless(world, ephemeral.blocks, id);
  expectQuiet(ephemeral.text);
  const before = acme.messages(general).length;
  await me.click({ ephemeral, text: 'Share in this channel' });
  const shared = await slack.until(() => acme.messages(general)[before], 'the shared card');
  const [sharedBy, ...others] = shared.blocks.toReversed();
  expect(mentionsIn(sharedBy)).toEqual([`<@${ann.id}>`]);
  expectHarmless(world, others, id);
  expectQuiet(shared.text);
}

describe('a hostile card', () => {
  it('mentions nobody, forges no link, and breaks no message, wherever it is shown', async () => {
    const { world, service } = await startWorld();
    Object.assign(service.answers, { labelsShape: 'array', tagsShape: 'array' });
    const url = `javascript:alert('${HOSTILE}')`;
    await showEverywhere(world, {
      title: HOSTILE,
      description: HOSTILE_HTML,
      productType: HOSTILE,
      dimensions: HOSTILE,
      labels: [HOSTILE, LONG],
      tags: [HOSTILE, LONG],
      fileFormats: LONG,
      status: { id: HOSTILE, name: HOSTILE, color: `#12345${HOSTILE}` },
      files: [
        {
          id: '1',
          name: HOSTILE,
          ext: 'png',
          type: HOSTILE,
          urls: { full: url, large: url, medium: url, small: url },
        },
      ],
      wire: { brand: { id: HOSTILE, name: HOSTILE } },
    });
  });

  it('of one megabyte is shown like any other', async ({ world }) => {
    await showEverywhere(world, { description: `<p>${HOSTILE_HTML}</p>`.repeat(3_000) });
  });

  // Across all twelve cards, each field has each shape once.
  it('is shown whatever its fields are', { timeout: 60_000 }, async ({ world, service }) => {
    service.limitKey(service.apiKey, 10_000);
    for (const shift of SHAPES.keys()) {
      const wire = FIELDS.map((field, index) => [field, SHAPES[(index + shift) % SHAPES.length]]);
      await showEverywhere(world, { wire: Object.fromEntries(wire) });
    }
  });
});
