import { parseArgs } from 'node:util';
import { App } from '@slack/bolt';

/**
 * What everything is compared with: the same Bolt with its own HTTP receiver, and nothing but listeners
 * that acknowledge. With `--answers` they also make the one call of Slack's that a form or a card takes.
 * JavaScript, so that it does not pay for reading TypeScript.
 */
const { values } = parseArgs({
  options: {
    'signing-secret': { type: 'string', default: '' },
    'slack-api-url': { type: 'string', default: '' },
    answers: { type: 'boolean', default: false },
  },
});

const app = new App({
  signingSecret: values['signing-secret'],
  token: 'xoxb-bare-bolt',
  clientOptions: { slackApiUrl: values['slack-api-url'] },
});

app.command('/design-request', async ({ ack, client, command }) => {
  await ack();
  if (values.answers) await client.views.open({ trigger_id: command.trigger_id, view: FORM });
});
app.action(/.*/, ({ ack }) => ack());
app.event('link_shared', async ({ client, event: { channel, message_ts: ts, links } }) => {
  if (!values.answers) return;
  const unfurls = Object.fromEntries(links.map(({ url }) => [url, { blocks: [LINE] }]));
  await client.chat.unfurl({ channel, ts, unfurls });
});

const LINE = {
  type: 'section',
  text: { type: 'mrkdwn', text: 'A line of text' },
};
const FORM = {
  type: 'modal',
  title: { type: 'plain_text', text: 'A form' },
  blocks: [LINE],
};

const server = await app.start({ port: 0, host: '127.0.0.1' });
const address = server && 'address' in server ? server.address() : null;
const port = typeof address === 'object' ? address?.port : undefined;
process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
