import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  EMPTY_FORMS,
  type EmptyForm,
  emptyEntry,
} from '../stand-ins/slack/block-kit/view-state.ts';
import { interactionHead } from '../stand-ins/slack/people/actor.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { OpenView } from '../stand-ins/slack/state/model.ts';
import { workspaceOf } from '../stand-ins/slack/state/state.ts';
import { viewOutput } from '../stand-ins/slack/views/output.ts';
import { openFilledForm, openFormFrom, untilSees } from './form.ts';
import { ALLOW_GUESTS, changeSettings, SHARE_EXTERNALLY } from './links.ts';
import { it, startWorld, type World } from './world.ts';

/** What a payload contains for each field, by action ID: what was entered, or one form of nothing. */
type Payload = Record<string, 'entered' | EmptyForm>;

/** The view that is open now, unaffected by what the app draws later. */
function openViewOf(me: Person): OpenView {
  const open = me.currentView();
  if (!open) throw new Error('no view is open');
  return structuredClone(open);
}

/** All combinations in which the fields of a view can arrive. */
function payloadsOf({ values }: OpenView): fc.Arbitrary<Payload> {
  const actionIds = Object.values(values).flatMap(Object.keys);
  const form = fc.constantFrom('entered' as const, ...EMPTY_FORMS);
  return fc.record(Object.fromEntries(actionIds.map((id) => [id, form])));
}

let submissions = 0;

/** Submits a view with a valid signature, skipping the required-field check of Slack's own client. */
async function submitAs({ slack, acme }: World, me: Person, open: OpenView, payload: Payload) {
  const view = viewOutput(slack.state, open);
  const values = Object.entries(open.values).map(([blockId, actions]) => {
    const entries = Object.entries(actions).flatMap(([actionId, value]) => {
      const form = payload[actionId] ?? 'entered';
      const entry = form === 'entered' ? value : emptyEntry(value, form);
      return entry ? [[actionId, entry]] : [];
    });
    return [blockId, Object.fromEntries(entries)];
  });
  submissions += 1;
  const body = {
    type: 'view_submission',
    ...interactionHead({
      state: slack.state,
      workspace: workspaceOf(slack.state, acme.id),
      user: me.user,
    }),
    trigger_id: `trigger-${submissions}`,
    view: { ...view, state: { values: Object.fromEntries(values) } },
    response_urls: [],
  };
  const form = new URLSearchParams({ payload: JSON.stringify(body) }).toString();
  const { status, body: answer } = await slack.sendSigned(form);
  expect(status).toBe(200);
  return JSON.parse(answer);
}

const REQUIRED = {
  title: 'Give your request a title.',
  requestType: 'Choose a request type.',
  product: 'Choose a product.',
  description: 'Describe what you need.',
  dimensions: 'Add at least one size.',
  software: 'Choose the software you’ll edit in.',
  formats: 'Add at least one file format.',
};

const OF_THE_TYPE = new Set(['product', 'dimensions', 'software', 'formats']);

describe('a field with no value, whether it is missing, absent, null, or empty', () => {
  it('is marked in the request form if it is required, and accepted if optional', async () => {
    const { world, service, me } = await startWorld();
    await openFilledForm(world, me, {
      Brand: service.referenceLists.brands[0]?.name ?? '',
      Wording: 'Spring!',
      Draft: ['Save as draft, don’t start work yet'],
    });
    const open = openViewOf(me);
    await fc.assert(
      fc.asyncProperty(payloadsOf(open), async (payload) => {
        // Without a type, its fields aren't asked for.
        const isTyped = payload.requestType === 'entered';
        const isMissed = (name: string) =>
          payload[name] !== 'entered' && (isTyped || !OF_THE_TYPE.has(name));
        const empty = Object.entries(REQUIRED).filter(([name]) => isMissed(name));
        const answer = await submitAs(world, me, open, payload);
        const isMissing = empty.some(([name]) => payload[name] === 'missing');
        if (empty.length === 0 || isMissing) {
          // A missing entry has no place for an error, so the form is redrawn with the message.
          expect(answer.response_action).toBe('update');
          for (const [, words] of empty) expect(JSON.stringify(answer.view)).toContain(words);
        } else {
          expect(answer.response_action).toBe('errors');
          const marked = Object.entries<string>(answer.errors).map(([blockId, words]) => [
            blockId.split('@')[0],
            words,
          ]);
          expect(Object.fromEntries(marked)).toEqual(Object.fromEntries(empty));
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each(EMPTY_FORMS)('is left out of the card if it is optional and %s', async (form) => {
    const { world, acme, ann, service, slack, me } = await startWorld();
    await openFilledForm(world, me, { 'Post in': null });
    slack.state.emptyForm = () => form;
    expect(await me.submit()).toMatchObject({ outcome: 'updated' });
    await slack.until(() => acme.directMessages(ann)[0], 'the confirmation');
    const { title, textCopy, brandId, isDraft } = service.cards.all().at(-1) ?? {};
    expect({ title, textCopy, brandId, isDraft }).toEqual({
      title: 'Spring banner',
      textCopy: '',
      brandId: null,
      isDraft: false,
    });
  });

  it.each(EMPTY_FORMS)('turns settings off when %s', async (form) => {
    const { world, ada } = await startWorld();
    await changeSettings(world, {
      'Card links': 'Large preview',
      'Guests and other companies': [ALLOW_GUESTS, SHARE_EXTERNALLY],
    });
    const openSettings = () => openFormFrom(world, ada, 'settings', 'Card links');
    await openSettings();
    expect(ada.field('Guests and other companies').value?.selected_options).toHaveLength(2);
    await submitAs(world, ada, openViewOf(ada), { unfurls: form, sharing: form, project: form });
    await untilSees(world, ada, 'Settings saved');
    await ada.close({ all: true });
    await openSettings();
    expect(ada.field('Card links').value).toMatchObject({ selected_option: { value: 'off' } });
    expect(ada.field('Guests and other companies').value?.selected_options).toEqual([]);
  });
});
