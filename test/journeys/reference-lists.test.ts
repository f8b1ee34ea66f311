import { describe, expect } from 'vitest';
import { SUB_COMMANDS } from '../slack/all-routes.ts';
import { mentionsIn } from '../stand-ins/slack/block-kit/mentions.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { openFormFrom } from './form.ts';
import { answerTo } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const ask = (world: World, typed: string, who = world.ann) =>
  answerTo(world, world.acme.as(who), typed);

const LISTS = ['types', 'brands', 'tags'] as const;

describe('the reference lists', () => {
  it('lists request types with their products, brands with their ids, and tags', async () => {
    const { world, acme, general, service } = await startWorld();
    const [type] = service.referenceLists.requestTypes;
    const types = textOfMessage(await ask(world, 'types'));
    expect(types).toContain(`*Request types (${service.referenceLists.requestTypes.length})*`);
    expect(types).toContain(`• ${type?.name}: ${type?.products.join(', ')}`);
    expect(textOfMessage(await ask(world, 'brands'))).toContain('• Amber Bakery `brand-');
    const tags = textOfMessage(await ask(world, 'tags'));
    for (const { name } of service.referenceLists.tags.filter((tag) => /^\w+$/.test(tag.name))) {
      expect(tags).toMatch(new RegExp(`^• :\\w+_circle: ${name}$`, 'm'));
    }
    expect(acme.messages(general)).toEqual([]);
  });

  it('show the first of 300 brands, how many are left out, and how to find them; and mention nobody', async () => {
    const { world } = await startWorld();
    const answer = await ask(world, 'brands');
    const text = textOfMessage(answer);
    const shown = text.match(/^• /gm)?.length ?? 0;
    const left = Number(/(\d+) more aren’t shown/.exec(text)?.[1] ?? 0);
    expect(text).toContain('Brands (300)');
    expect(shown + left).toBe(300);
    expect(shown).toBe(30);
    expect(text).toContain('type part of a name after `/design-request brands`');
    expect(mentionsIn(answer)).toEqual([]);
    const found = await ask(world, 'brands northwind');
    expect(mentionsIn(found)).toEqual([]);
    expect(textOfMessage(found)).toContain('Northwind &lt;!channel&gt; Traders');
  });

  it('can show any name', async () => {
    const { world, service } = await startWorld({ seed: 'empty' });
    const names = [
      '<!channel> @here #general',
      '<https://evil.example|Acme>',
      '*b* _i_ `c` ~s~ :tada:',
      '> quote\n• Not a brand `brand-1`',
      'x'.repeat(5_000),
      '&'.repeat(5_000),
      '🦓'.repeat(2_000),
      'lone \ud800 surrogate',
    ];
    const { referenceLists } = service;
    for (let times = 0; times < 10; times += 1) {
      for (const [index, name] of names.entries()) {
        const id = `${times}-${index}-${'`<!here>'.repeat(30)}`;
        referenceLists.brands.push({ id, name });
        referenceLists.tags.push({ id, name, bg_color: name, text_color: '' });
        referenceLists.requestTypes.push({ id, name, products: [], formats: [], softwares: [] });
      }
    }
    await world.restart();
    for (const list of LISTS) {
      const answer = await ask(world, list);
      expect(mentionsIn(answer), list).toEqual([]);
      const lines = textOfMessage(answer).split('\n');
      expect(lines.filter((line) => line.startsWith('• Not a brand'))).toEqual([]);
      const left = Number(/(\d+) more aren’t shown/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
      expect(lines.filter((line) => line.startsWith('• ')).length + left).toBe(80);
    }
  });

  it('say when there are none', async () => {
    const world = await startWorld({ seed: 'empty' });
    const words = /^Your design service has no (request )?\w+ yet\.$/;
    for (const list of LISTS) expect((await ask(world, list)).text).toMatch(words);
  });

  it('explain that the key may not read them', async ({ world, service }) => {
    service.faults.add({ operation: 'listTags', kind: 'status', status: 403 });
    const { text } = await ask(world, 'tags');
    expect(text).toContain('This workspace’s API key can’t read that');
  });
});

describe('brands <id>', () => {
  it('shows one brand', async ({ world }) => {
    const text = textOfMessage(await ask(world, 'brands brand-4'));
    expect(text).toMatch(/\(1\)\*\n• Northwind &lt;!channel&gt; Traders `brand-4`$/);
  });

  it('says that there is no such brand', async ({ world }) => {
    for (const id of ['unknown', '../brands', '..', 'a/b', '🦛', 'x'.repeat(2_000)])
      expect((await ask(world, `brands ${id}`)).text).toContain('No brand with that name or ID');
  });
});

describe('a mistyped subcommand', () => {
  it('is asked about, and runs once confirmed', async ({ world, me }) => {
    const asked = await ask(world, 'hlep');
    expect(asked.text).toBe('Did you mean `help`? Or would you like to request “hlep”?');
    expect(me.currentView()).toBeUndefined();
    const answer = await answerTo(world, me, { ephemeral: asked, text: 'Yes, help' });
    expect(textOfMessage(answer)).toContain('/design-request status');
  });

  it('opens its modal before Slack is asked anything', async ({ world, slack, ada }) => {
    const asked = await answerTo(world, ada, 'conect');
    // Nothing is known about anybody then.
    await world.restart();
    const before = slack.apiCalls.length;
    await openFormFrom(world, ada, { ephemeral: asked, text: 'Yes, connect' }, 'API key');
    const open = slack.apiCalls.slice(before).find(({ method }) => method !== 'auth.test');
    expect(open?.method).toBe('views.open');
  });

  it('of an admin is refused to others like the subcommand itself', async ({ world, me }) => {
    const asked = await ask(world, 'disconect');
    const answer = await answerTo(world, me, { ephemeral: asked, text: 'Yes, disconnect' });
    expect(answer.text).toContain('Only workspace admins can do this');
  });
});

describe('a search', () => {
  it('shows only what matches', async ({ world }) => {
    for (const [typed = '', shown] of [
      ['brands NORTHWIND', '*Brands matching “NORTHWIND” (1)*\n• Northwind'],
      ['brands amber bakery', '(2)*\n• Amber Bakery '],
      ['types social', '*Request types matching “social” (1)*\n• Social media'],
    ])
      expect(textOfMessage(await ask(world, typed))).toContain(shown);
  });
});

describe('help', () => {
  it('lists every subcommand with its usage', async ({ world }) => {
    const { text } = await ask(world, 'help');
    expect(SUB_COMMANDS.length).toBeGreaterThan(9);
    for (const { name, usage, summary, access } of SUB_COMMANDS) {
      const typed = ['/design-request', name, usage].filter(Boolean).join(' ');
      expect(text).toContain(
        `\`${typed.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\` — ${access === 'admins' ? '(admins) ' : ''}${summary}`,
      );
    }
    expect(mentionsIn(text)).toEqual([]);
  });

  it('followed by more words opens the form with them as the title', async () => {
    const { world, service, ada } = await startWorld();
    for (const typed of [
      'list of icons for the website',
      'types of packaging',
      'help me with a banner',
      'settings screen mock-up',
      'disconnect campaign',
      'STATUS of everything',
      // It may be an ID, so the service is asked.
      'status page',
      'Brands Q&A <2027>',
    ]) {
      const ephemeral = await answerTo(world, ada, typed);
      expect(textOfMessage(ephemeral), typed).toContain('Did you mean to request');
      expect(ada.currentView()).toBeUndefined();
      await openFormFrom(world, ada, { ephemeral, text: 'Request it' });
      expect(ada.field('Title').value).toMatchObject({ value: typed });
      await ada.close({ all: true });
    }
    expect(service.calls()).toHaveLength(3);
  });

  it('never repeats a key that was typed after connect', async () => {
    const { world, service, ada } = await startWorld({ connected: false });
    // After each test, `secretsFound` looks for keys in all that was sent, shown, logged, or stored.
    await openFormFrom(world, ada, `connect ${service.apiKey}`, 'API key');
  });
});
