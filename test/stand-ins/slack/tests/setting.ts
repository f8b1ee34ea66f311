import { afterEach } from 'vitest';
import { type SlackOptions, startSlack } from '../server.ts';
import { type ManifestChanges, manifest } from './manifest.ts';
import { startScriptedApp } from './scripted-app.ts';

const MORNING = Date.parse('2026-03-02T09:00:00Z');

/** A Slack with one workspace, a person, a channel, and a scripted app. */
export type Setting = Awaited<ReturnType<typeof setUp>>;

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function formOf(args: Record<string, unknown>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
}

/** Starts everything; it is closed after the test. */
export async function setUp(changes: ManifestChanges = {}, options: Partial<SlackOptions> = {}) {
  let now = MORNING;
  const clock = () => new Date(now);
  const slack = await startSlack({
    manifest: manifest(changes),
    clock,
    retryDelaysMs: [0, 5, 5],
    ...options,
  });
  closers.push(() => slack.close());
  const app = await startScriptedApp();
  closers.push(() => app.close());
  slack.connect(app.url);
  const workspace = slack.addWorkspace({ name: 'Acme' });
  const ann = workspace.addUser({ name: 'Ann' });
  const person = workspace.as(ann);
  const marketing = workspace.addChannel({ name: 'marketing', members: [ann] });
  return {
    slack,
    app,
    workspace,
    ann,
    person,
    marketing,
    /** Advances Slack's clock. */
    pass(ms: number) {
      now += ms;
    },
    /** Calls a Web API method with a form, as @slack/web-api does. */
    async call(
      method: string,
      args: Record<string, unknown> = {},
      token: string = workspace.botToken,
    ) {
      const response = await fetch(slack.apiUrl + method, {
        method: 'POST',
        headers: token ? { authorization: `Bearer ${token}` } : {},
        body: formOf(args),
      });
      return Object(await response.json()) as Record<string, unknown>;
    },
    /** A trigger_id from a command. */
    trigger: async () => (await person.command(marketing)).triggerId,
  };
}

/** A valid modal with one input, with the given changes. */
export function modal(changes: Record<string, unknown> = {}): Record<string, unknown> {
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
export function input(blockId: string, label: string, element: Record<string, unknown>) {
  return {
    type: 'input',
    block_id: blockId,
    label: { type: 'plain_text', text: label },
    element: { action_id: 'value', ...element },
  };
}

export function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

/** A row with one button. */
export function button(text: string, actionId: string) {
  const element = { type: 'button', action_id: actionId, text: { type: 'plain_text', text } };
  return { type: 'actions', elements: [element] };
}

export function option(text: string, value = text) {
  return { text: { type: 'plain_text', text }, value };
}
