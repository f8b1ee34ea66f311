import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardIdIn, referenceTo } from '../../../src/slack/card/entity.ts';

describe('the reference to a card', () => {
  it('is its ID, if Slack accepts that', () => {
    expect(referenceTo('card-1001')).toEqual({ id: 'card-1001', type: 'card' });
  });

  it('contains only what Slack accepts, and leads back to the card, whatever its ID is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constant('=x')),
        (id) => {
          const reference = referenceTo(id);
          expect(reference.id).toMatch(/^[0-9a-zA-Z\-_:!/=]+$/);
          expect(cardIdIn(reference)).toBe(id);
        },
      ),
    );
  });

  it('is different for different cards', () => {
    const ids = ['a b', 'a+b', '=YSBi', 'YSBi'];
    expect(new Set(ids.map((id) => referenceTo(id).id)).size).toBe(ids.length);
  });

  it('is a digest for an ID that is too long for Slack', () => {
    const long = 'ü'.repeat(200);
    expect(referenceTo(long).id.length).toBeLessThanOrEqual(255);
    expect(referenceTo(long).id).not.toBe(referenceTo(`${long}x`).id);
    expect(cardIdIn(referenceTo(long))).toBeUndefined();
  });

  it('of something else leads nowhere', () => {
    expect(cardIdIn({ id: '1', type: 'ticket' })).toBeUndefined();
    expect(cardIdIn(undefined)).toBeUndefined();
  });
});
