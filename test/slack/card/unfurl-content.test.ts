import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCardMessage } from '../../../src/slack/card/card-blocks.ts';
import { buildUnfurls } from '../../../src/slack/card/card-messages.ts';
import type { CardView } from '../../../src/slack/card/card-view.ts';
import { cardLinksIn } from '../../../src/slack/card/unfurl.ts';
import { linkTarget, unescapeEntities } from '../../../src/slack/text/escape.ts';
import { MESSAGE_BLOCKS_JSON_CHARS } from '../../stand-ins/slack/block-kit/blocks.ts';
import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';
import { validateBlocks, validateUnfurl } from '../../stand-ins/slack/block-kit/validate.ts';
import { anyHtml } from '../text/hostile-text.ts';
import { anyView } from './arbitrary-card.ts';

const RUNS = 200;

/** The only URL that a card's text may link to. */
const ownLink = (url: string) => `link:${linkTarget(url)?.replaceAll('&', '&amp;')}`;
const blocksLengthOf = (attachments: { blocks?: unknown }[]) =>
  attachments.map(({ blocks }) => JSON.stringify(blocks).length).reduce((sum, one) => sum + one, 0);
const targetsIn = (shown: unknown) => mentionsIn(shown).map((mention) => mention.split('|')[0]);

const fileLinksOf = (view: CardView | undefined) =>
  (view?.card.files ?? []).flatMap(({ urls }) => (urls.full ? [ownLink(urls.full)] : []));

describe('for any card', () => {
  it('unfurls are valid, mention nobody, and link only to the card and its files', () => {
    fc.assert(
      fc.property(fc.array(anyView, { minLength: 1, maxLength: 3 }), (views) => {
        const unfurls = buildUnfurls(views);
        expect(blocksLengthOf(Object.values(unfurls))).toBeLessThanOrEqual(
          MESSAGE_BLOCKS_JSON_CHARS,
        );
        for (const [url, attachment] of Object.entries(unfurls)) {
          expect(validateUnfurl(attachment)).toEqual([]);
          const view = views.find(({ postedAs, url: own }) => (postedAs ?? own) === url);
          const links = [ownLink(unescapeEntities(url)), ...fileLinksOf(view)];
          for (const target of targetsIn(attachment)) expect(links).toContain(target);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('messages are valid, mention nobody, and link only to the card and its files', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const { text, blocks } = buildCardMessage(view);
        expect(text).not.toBe('');
        expect(validateBlocks(blocks, 'message')).toEqual([]);
        expect(blocksLengthOf([{ blocks }])).toBeLessThanOrEqual(MESSAGE_BLOCKS_JSON_CHARS);
        // A bare URL in a title may stay, since it shows where it leads.
        expect(mentionsIn(text).filter((mention) => !mention.startsWith('link:'))).toEqual([]);
        const links = [ownLink(view.url), ...fileLinksOf(view)];
        for (const target of targetsIn(blocks)) expect(links).toContain(target);
      }),
      { numRuns: RUNS },
    );
  });

  it('the description’s HTML mentions nobody', () => {
    fc.assert(
      fc.property(anyView, anyHtml, (view, descriptionHtml) => {
        const card = { ...view.card, descriptionHtml };
        const unfurls = Object.values(buildUnfurls([{ ...view, card }]));
        for (const unfurl of unfurls) expect(validateUnfurl(unfurl)).toEqual([]);
        expect(mentionsIn(unfurls).filter((mention) => !mention.startsWith('link:'))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the card links of a message', () => {
  const cardIdOf = (url: string) => /^https:\/\/cards\/(\w+)/.exec(url)?.[1];

  it('are found in their order, each URL once', () => {
    const anyLink = fc.constantFrom(
      'https://cards/1',
      'https://cards/1?x',
      'https://cards/2',
      'https://other/1',
      'x',
    );
    fc.assert(
      fc.property(fc.array(anyLink, { maxLength: 12 }), (urls) => {
        const links = cardLinksIn(
          urls.map((url) => ({ url })),
          cardIdOf,
        );
        const wanted = [...new Set(urls.filter((url) => url.startsWith('https://cards/')))];
        expect(links).toEqual(wanted.map((url) => ({ postedAs: url, cardId: cardIdOf(url) })));
      }),
    );
  });
});
