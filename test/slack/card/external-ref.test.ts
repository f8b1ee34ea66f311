import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardIdIn, referenceTo } from '../../../src/slack/card/entity.ts';

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
