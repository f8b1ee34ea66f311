import { describe, expect, it } from 'vitest';
import { textOfMessage } from '../../src/sandbox/slack/views/shown-text.ts';
import { fillForm, openForm } from './form.ts';
import { startWorld } from './world.ts';

const LISTS = { products: ['Graphics'], formats: ['PNG'], softwares: ['Figma'] };

describe('of several request types or brands with one id', () => {
  it('the first is shown, decides what goes with it, and is named in the confirmation', async () => {
    const world = await startWorld();
    const { acme, ann, general, service, slack } = world;
    service.catalogue.requestTypes = [
      { id: 't1', name: 'Poster', ...LISTS },
      { id: 't2', name: 'Video', ...LISTS },
      { id: 't1', name: 'Banner', ...LISTS, softwares: ['Photoshop'] },
    ];
    service.catalogue.brands = [
      { id: 'b1', name: 'Acme' },
      { id: 'b1', name: 'Acme, the old one' },
    ];
    await world.restart();
    const me = acme.as(ann);
    await openForm(world, me);
    expect(me.field('Request type').options).toEqual(['Poster', 'Video']);
    expect(me.field('Brand').options).toEqual(['Acme']);
    await fillForm(world, me, {
      'Request type': 'Poster',
      Software: 'Figma',
      'File formats': ['PNG'],
      Brand: 'Acme',
    });
    await me.submit();
    const message = await slack.until(() => acme.messages(general)[0], 'the confirmation');
    expect(textOfMessage(message)).toContain('Poster');
    expect(textOfMessage(message)).toContain('Acme');
    expect(JSON.stringify(message)).not.toMatch(/Banner|old one/);
  });
});
