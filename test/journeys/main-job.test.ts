import { describe, expect, it } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { fillForm, openForm } from './form.ts';
import { startWorld, type Transport } from './world.ts';

describe.each<Transport>(['http', 'socket'])('the main job over %s', (transport) => {
  it('goes from the command to a card, a confirmation, and an unfurled link', async () => {
    const { world, acme, ann, general, service, slack, me } = await startWorld({ transport });

    await openForm(world, me, 'Spring banner');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
    const brand = service.referenceLists.brands[0];
    await fillForm(world, me, { Brand: brand?.name ?? '', Wording: 'Spring is here' });
    expect(await me.submit()).toMatchObject({ outcome: 'updated', errors: {} });

    const confirmation = await slack.until(() => acme.messages(general)[0], 'the confirmation');
    const [call] = service.calls({ operation: 'createCard' });
    const cardId = call?.createdCardId ?? '';
    expect(service.cards.get(cardId)).toMatchObject({
      title: 'Spring banner',
      textCopy: '<p>Spring is here</p>',
      productType: 'Graphics',
      dimensions: 'Post: 1080 × 1080 px\nStory: 1080 × 1920 px',
      software: 'Figma',
      fileFormats: 'PNG, JPG',
      brandId: brand?.id,
      isDraft: false,
      requestTypeId: 'type-social',
    });
    const shown = textOfMessage(confirmation);
    for (const fact of ['Spring banner', 'Social media', brand?.name ?? '', 'To do', ann.id]) {
      expect(shown).toContain(fact);
    }
    const reference = /DR-[0-9A-Z]{8}/.exec(shown)?.[0] ?? 'no reference';
    const lastLine = service.cards.get(cardId)?.description.split('<p>').at(-1);
    expect(lastLine).toContain(reference);
    await slack.until(() => me.sees().includes('Sent'), 'the result in the modal');

    const message = await me.post(general, `Look: ${world.cardUrl(cardId)}`);
    const [unfurl] = await slack.until(() => message.attachments.length > 0 && message.attachments);
    expect(unfurl).toMatchObject({ color: service.cards.get(cardId)?.status.color });
    expect(textOfMessage(message)).toContain('A banner for the spring sale.');
  });
});
