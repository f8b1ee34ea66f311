import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/service/operations/card.ts';
import { readDueDate } from '../../../src/service/operations/loose-values.ts';
import {
  buildDetails,
  buildEntity,
  cardIdIn,
  referenceTo,
} from '../../../src/slack/card/entity.ts';
import { autumnPoster as card } from '../../service/blank-card.ts';
import { METADATA_BYTES, validateEntity } from '../../stand-ins/slack/work-objects/entity.ts';
import { anyView } from './arbitrary-card.ts';

const RUNS = 200;
const NOW = new Date('2026-03-02T09:00:00Z');
const URL = 'https://app.example.com/card/1';
const GALLERY = 'https://requests.example.com/gallery/x.y';

const detailsOf = (fields: Partial<Card>, galleryUrl?: string) =>
  buildDetails({ card: card(fields), url: URL, detail: 'small', shownAt: NOW }, galleryUrl);
const customIn = (entity: ReturnType<typeof buildDetails>) =>
  entity.entity_payload.custom_fields ?? [];
const fieldsIn = (entity: ReturnType<typeof buildDetails>) =>
  new Map(Object.entries(entity.entity_payload.fields ?? {}));

/** What Slack could read as a mention or as a link with a label. */
const SEQUENCE = /<[!@#\w/]/;

describe('for any card', () => {
  it('the small form is valid, and has no fields beyond the room that it has, under a link and in a message', () => {
    fc.assert(
      fc.property(anyView, fc.boolean(), (view, hasGallery) => {
        for (const postedAs of [view.url, undefined]) {
          const entity = buildEntity({ ...view, postedAs, shownAt: NOW }, hasGallery, 5_000);
          expect(validateEntity(entity, postedAs ? 'unfurl' : 'message', '')).toEqual([]);
          expect(textsIn(entity.entity_payload)).not.toMatch(SEQUENCE);
          const isSmall = Buffer.byteLength(JSON.stringify(entity)) <= 5_000;
          expect(isSmall || customIn(entity).length === 0).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('the details are valid, and not too large for Slack', () => {
    fc.assert(
      fc.property(anyView, fc.option(fc.constant(GALLERY), { nil: undefined }), (view, gallery) => {
        const entity = buildDetails({ ...view, asOf: NOW, shownAt: NOW }, gallery);
        expect(validateEntity(entity, 'details', '')).toEqual([]);
        expect(Buffer.byteLength(JSON.stringify(entity))).toBeLessThanOrEqual(METADATA_BYTES);
        expect(textsIn(entity.entity_payload)).not.toMatch(SEQUENCE);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Everything shown, without addresses and what only the app reads. */
const textsIn = ({ actions: _actions, custom_fields: custom = [], ...payload }: Payload): string =>
  JSON.stringify([
    payload,
    custom.map(({ image_url: _image, ...field }) =>
      field.type === 'slack#/types/link' ? field.label : field,
    ),
  ]);

type Payload = ReturnType<typeof buildDetails>['entity_payload'];

describe('the details', () => {
  const file = (name: string) => {
    const urls = { full: `https://f.example.com/${name}` };
    return { name, ext: name.split('.')[1], urls };
  };

  it('leave images to the page that shows them', () => {
    const files = ['old.png', 'source.zip', 'new.jpg'].map((name) => file(name));
    expect(customIn(detailsOf({ files }, GALLERY))).toMatchObject([{ label: 'source.zip' }]);
  });

  it('say how many files there is no room for', () => {
    const files = Array.from({ length: 15 }, (_, index) => file(`${index}.png`));
    expect(customIn(detailsOf({ files })).at(-1)).toMatchObject({
      value: '3 more in the dashboard',
    });
  });

  it('have a due date that isn’t one as text', () => {
    const text = 'when it is ready';
    const entity = detailsOf({ dueDate: readDueDate(text, 'UTC') });
    expect(fieldsIn(entity).has('due_date')).toBe(false);
    expect(customIn(entity)).toMatchObject([{ key: 'due', label: 'Due', value: text }]);
  });

  it('name who requested them by mail address, too', () => {
    const user = { text: 'ann@example.com', email: 'ann@example.com' };
    const entity = detailsOf({ createdBy: 'ann@example.com' });
    expect(fieldsIn(entity).get('created_by')).toMatchObject({ user });
  });
});

describe('the reference to a card', () => {
  it('is its ID, if Slack accepts that', () => {
    expect(referenceTo('card-1001')).toEqual({ id: 'card-1001', type: 'card' });
    expect(cardIdIn({ id: 'card-1001', type: 'card' })).toBe('card-1001');
  });

  it('contains only what Slack accepts, and leads back to the card if it is its ID', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constant('=x')),
        (id) => {
          const reference = referenceTo(id);
          expect(reference.id).toMatch(/^[0-9a-zA-Z\-_:!/=]{1,255}$/);
          expect([id, undefined]).toContain(cardIdIn(reference));
        },
      ),
    );
  });

  it('is different for different cards', () => {
    const ids = ['a b', 'a+b', '=YSBi', 'YSBi', 'ü'.repeat(200), `${'ü'.repeat(200)}x`];
    expect(new Set(ids.map((id) => referenceTo(id).id)).size).toBe(ids.length);
  });

  it('of something else leads nowhere', () => {
    expect(cardIdIn({ id: '1', type: 'ticket' })).toBeUndefined();
    expect(cardIdIn(undefined)).toBeUndefined();
  });
});
