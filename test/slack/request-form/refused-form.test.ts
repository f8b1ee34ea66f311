import { describe, expect, it } from 'vitest';
import type { DesignRequest } from '../../../src/requests/request.ts';
import { drawForm } from '../../../src/slack/request-form/form-view.ts';
import { buildProblemNote } from '../../../src/slack/request-form/outcome.ts';
import { problemsFromService } from '../../../src/slack/request-form/parse.ts';
import { plainTextToRichText } from '../../../src/slack/text/rich-text-to-html.ts';
import { T1 } from '../../installations/ids.ts';
import { validateView } from '../../stand-ins/slack/block-kit/validate.ts';
import { FORM } from '../../store/request-suite.ts';

const type = { id: 't1', name: 'Social', products: ['Graphics'], formats: [], softwares: [] };

function requestWith(details: Record<string, string>): DesignRequest {
  const now = new Date('2026-05-01T12:00:00Z');
  return {
    id: 'form-1',
    reference: 'DR-1',
    workspaceId: T1,
    userId: 'U1',
    state: 'rejected',
    form: { ...FORM, requestType: type, description: plainTextToRichText('A banner') },
    problem: { code: 'invalid_request', details },
    revision: 2,
    attempts: 1,
    announcedRevision: 0,
    createdAt: now,
    updatedAt: now,
  };
}

describe('the service’s message about a field', () => {
  it.each([
    ['type_id', 'requestType'],
    ['data.typeId', 'requestType'],
    ['/data/typeId', 'requestType'],
    ['data[title]', 'title'],
    ['file-formats[0]', 'formats'],
  ])('named %s belongs to %s', (key, field) => {
    expect(problemsFromService({ [key]: 'is wrong' })).toEqual({
      problems: { [field]: 'is wrong' },
      others: [],
    });
  });

  it('is combined with others for the same field, and kept if there is no such field', () => {
    const details = { 'formats.0': 'no PNG', 'formats.1': 'no PDF', budget: 'is used up', 0: 'no' };
    expect(problemsFromService(details)).toEqual({
      problems: { formats: 'no PNG; no PDF' },
      others: ['0: no', 'budget: is used up'],
    });
  });
});

describe('the message about a rejected request', () => {
  it('names fields as the form does, and what isn’t in the form as the service does', () => {
    const request = requestWith({ dimension: 'too *small*', 'formats.0': 'no PNG', budget: 'no' });
    const { blocks } = buildProblemNote(request, 'https://app.example.com');
    expect(JSON.stringify(blocks)).toContain(
      String.raw`• Sizes: too ∗small∗\n• File formats: no PNG\n• budget: no`,
    );
  });
});

describe('a rejected form', () => {
  it.each([
    ['names a field that it doesn’t have', { brandId: 'is required' }, 'Brand: is required', true],
    ['mentions no marked fields if there are none', {}, 'Change your request and send', false],
  ])('%s', (_what, details: Record<string, string>, words, isMarked) => {
    const request = requestWith(details);
    const options = { requestTypes: [type], brands: [] };
    const { id: formId, form: draft } = request;
    const { view } = drawForm({ formId, draft }, { options, returned: request });
    expect(validateView(view)).toEqual([]);
    expect(JSON.stringify(view)).toContain(isMarked ? `:warning: ${words}` : words);
    expect(JSON.stringify(view).includes('Fix the marked fields')).toBe(isMarked);
  });
});
