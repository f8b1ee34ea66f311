import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DesignRequest } from '../../../src/requests/request.ts';
import { buildConfirmation } from '../../../src/slack/request-form/confirmation.ts';
import { T1 } from '../../installations/ids.ts';
import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';
import { validateBlocks } from '../../stand-ins/slack/block-kit/validate.ts';
import { FORM } from '../../store/request-suite.ts';
import { anyText, anyView } from '../card/arbitrary-card.ts';

const AT = new Date('2026-11-22T12:00:00Z');
const anyRequest: fc.Arbitrary<DesignRequest> = fc
  .record({ title: anyText, type: anyText, brand: fc.option(anyText), isDraft: fc.boolean() })
  .map(({ title, type, brand, isDraft }) => ({
    id: crypto.randomUUID(),
    reference: 'DR-2DPXX9VK',
    workspaceId: T1,
    userId: 'U1',
    form: {
      ...FORM,
      title,
      requestType: { id: 't1', name: type },
      isDraft,
      ...(brand === null ? {} : { brand: { id: 'b1', name: brand } }),
    },
    state: 'created',
    revision: 3,
    attempts: 1,
    announcedRevision: 2,
    createdAt: AT,
    updatedAt: AT,
  }));

it('is valid and mentions nobody but who requested it, whatever was typed and the service says', () => {
  fc.assert(
    fc.property(anyRequest, anyView, fc.boolean(), (request, { card, url }, isRead) => {
      const { text, blocks } = buildConfirmation({
        request: { ...request, cardId: card.id },
        card: isRead ? card : undefined,
        cardUrl: url,
        dashboardUrl: 'https://app.example.com',
        now: AT,
      });
      expect(validateBlocks(blocks, 'message')).toEqual([]);
      const [first, ...others] = mentionsIn(blocks);
      expect(first).toBe('<@U1>');
      expect(others.filter((mention) => !mention.startsWith('link:'))).toEqual([]);
      expect(mentionsIn(text).filter((mention) => !mention.startsWith('link:'))).toEqual(['<@U1>']);
    }),
    { numRuns: 300 },
  );
});
