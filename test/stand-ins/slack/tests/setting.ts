import { afterEach, expect } from 'vitest';
import { type SlackOptions, startSlack } from '../server.ts';
import { type ManifestChanges, manifest } from './manifest.ts';
import { startScriptedApp } from './scripted-app.ts';

type Json = Record<string, unknown>;

const MORNING = Date.parse('2026-03-02T09:00:00Z');

export type Setting = Awaited<ReturnType<typeof setUp>>;

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts everything; it is closed after the test. */
export async function setUp(changes: ManifestChanges = {}, options: Partial<SlackOptions> = {}) {
  let now = MORNING;
  const clock = () => new Date(now);
  const slack = await startSlack({ manifest: manifest(changes), clock, ...options });
  closers.push(() => slack.close());
  const app = await startScriptedApp();
  closers.push(() => app.close());
  slack.connect(app.url);
  const workspace = slack.addWorkspace({ name: 'Acme' });
  const ann = workspace.addUser({ name: 'Ann' });
  const person = workspace.as(ann);
  const marketing = workspace.addChannel({ name: 'marketing', members: [ann] });
  async function call(method: string, args: Json = {}, token: string = workspace.botToken) {
    const headers = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const options = { method: 'POST', headers, body: JSON.stringify(args) };
    const response = await fetch(slack.apiUrl + method, options);
    return Object(await response.json()) as Json;
  }
  const trigger = async () => (await person.command(marketing)).triggerId;
  return {
    slack,
    app,
    workspace,
    ann,
    person,
    marketing,
    call,
    trigger,
    pass(ms: number) {
      now += ms;
    },
    async open(changes: Json = {}) {
      const args = { trigger_id: await trigger(), view: modal(changes) };
      expect(await call('views.open', args)).toMatchObject({ ok: true });
      return person.currentView();
    },
    /** Makes each call in turn: its method, its arguments, and Slack's error or answer. */
    async expectAnswers(rows: [method: string, args: Json, answer: string | Json][]) {
      for (const [method, args, answer] of rows) {
        const expected = typeof answer === 'string' ? { ok: false, error: answer } : answer;
        const sent = `${method} ${JSON.stringify(args).slice(0, 200)}`;
        expect.soft(await call(method, args), sent).toMatchObject(expected);
      }
    },
  };
}

/** A valid modal with one input, with the given changes. */
export function modal(changes: Json = {}): Json {
  return {
    type: 'modal',
    callback_id: 'form',
    title: { type: 'plain_text', text: 'New request' },
    submit: { type: 'plain_text', text: 'Send' },
    blocks: [input('title', 'Title', { type: 'plain_text_input', max_length: 20 })],
    ...changes,
  };
}

/** An input block whose action_id is `value`. */
export function input(blockId: string, label: string, element: Json) {
  return {
    type: 'input',
    block_id: blockId,
    label: { type: 'plain_text', text: label },
    element: { action_id: 'value', ...element },
  };
}

export const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

export const option = (text: string, value = text) => ({
  text: { type: 'plain_text', text },
  value,
});
