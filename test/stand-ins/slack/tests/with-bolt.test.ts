import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { afterEach, expect, test } from 'vitest';
import { type Slack, startSlack } from '../server.ts';
import { manifest } from './manifest.ts';

const CARD = 'https://app.example.com/card/7';
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function addHandlers(app: App): void {
  app.command('/design-request', async ({ ack, client, body }) => {
    await ack('Opening…');
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'form',
        title: { type: 'plain_text', text: 'New request' },
        submit: { type: 'plain_text', text: 'Send' },
        blocks: [
          {
            type: 'input',
            block_id: 'title',
            label: { type: 'plain_text', text: 'Title' },
            element: { type: 'plain_text_input', action_id: 'title', initial_value: body.text },
          },
          {
            type: 'input',
            block_id: 'type',
            dispatch_action: true,
            label: { type: 'plain_text', text: 'Request type' },
            element: { type: 'external_select', action_id: 'type', min_query_length: 0 },
          },
        ],
      },
    });
  });
  app.options('type', ({ ack }) =>
    ack({ options: [{ text: { type: 'plain_text', text: 'Banner' }, value: '1' }] }),
  );
  app.action('type', ({ ack }) => ack());
  app.view('form', async ({ ack, client, view, body }) => {
    await ack({
      response_action: 'update',
      view: { type: 'modal', title: { type: 'plain_text', text: 'Sent' }, blocks: [] },
    });
    const title = view.state.values.title?.title?.value;
    await client.chat.postMessage({ channel: body.user.id, text: `Asked for ${title}` });
  });
  app.event('link_shared', async ({ event, client }) => {
    const [link] = event.links;
    if (!link) return;
    const text = { type: 'mrkdwn' as const, text: 'Card 7' };
    const elements = [
      {
        type: 'button' as const,
        action_id: 'refresh',
        text: { type: 'plain_text' as const, text: 'Refresh' },
      },
    ];
    await client.chat.unfurl({
      channel: event.channel,
      ts: event.message_ts,
      unfurls: {
        [link.url]: {
          blocks: [
            { type: 'section', text },
            { type: 'actions', elements },
          ],
        },
      },
    });
  });
  app.action('refresh', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'Up to date', replace_original: false });
  });
}

async function overHttp(slack: Slack, token: string): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, port: 0 });
  const app = new App({
    token,
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
  const server = await app.start(0);
  const address = 'address' in server ? server.address() : null;
  if (address === null || typeof address === 'string') throw new Error('No port');
  slack.connect(`http://127.0.0.1:${address.port}/slack/events`);
  stops.push(() => app.stop());
  return app;
}

async function overSocket(slack: Slack, token: string): Promise<App> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
  });
  const app = new App({
    token,
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
  await app.start();
  stops.push(() => app.stop());
  return app;
}

test.each([
  ['HTTP', overHttp],
  ['Socket Mode', overSocket],
] as const)('a Bolt app over %s takes commands, forms, links and buttons', async (_name, start) => {
  const slack = await startSlack({ manifest: manifest() });
  stops.push(() => slack.close());
  const workspace = slack.addWorkspace({ name: 'Acme' });
  addHandlers(await start(slack, workspace.botToken));
  const ann = workspace.addUser({ name: 'Ann' });
  const marketing = workspace.addChannel({ name: 'marketing' });
  const person = workspace.as(ann);

  const command = await person.command(marketing, 'Spring banner');
  expect(command).toMatchObject({ acknowledged: true, error: undefined });
  expect(workspace.ephemerals(ann)).toMatchObject([{ text: 'Opening…' }]);
  await slack.until(() => person.currentView(), 'the form');

  expect(await person.suggest('Request type', 'Ban')).toEqual([{ text: 'Banner', value: '1' }]);
  await person.fill({ Title: 'Summer banner', 'Request type': 'Banner' });
  expect(await person.submit()).toMatchObject({ outcome: 'updated' });
  expect(person.currentView()?.view.title).toMatchObject({ text: 'Sent' });
  await slack.until(() => workspace.directMessages(ann).length, 'the confirmation');
  expect(workspace.directMessages(ann)).toMatchObject([{ text: 'Asked for Summer banner' }]);

  const message = await person.post(marketing, `See ${CARD}.`);
  await slack.until(() => message.attachments.length, 'the unfurl');
  expect(message.attachments).toMatchObject([{ app_unfurl_url: CARD, is_app_unfurl: true }]);
  expect(await person.click({ message, text: 'Refresh' })).toMatchObject({ acknowledged: true });
  await slack.until(() => workspace.ephemerals(ann).length > 1, 'the answer');
  expect(workspace.ephemerals(ann)[1]).toMatchObject({ text: 'Up to date' });
});
