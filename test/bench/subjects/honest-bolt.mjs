import { env } from 'node:process';
import { App } from '@slack/bolt';

/**
 * The shortest app that honestly does what people see of a request and a link: a form with the service's lists, a card,
 * a message when it exists, and a preview of a card link. It keeps nothing on disk, so a crash loses what it was doing.
 * JavaScript, as bare-bolt.mjs.
 */

const app = new App({
  signingSecret: env.SLACK_SIGNING_SECRET,
  token: env.SLACK_BOT_TOKEN,
  clientOptions: { slackApiUrl: env.SLACK_API_URL },
});

async function call(method, path, body) {
  const response = await fetch(`${env.DESIGN_API_BASE_URL}${path}`, {
    method,
    headers: { 'x-api-key': env.DESIGN_API_KEY, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer.data;
}

const CURRENT_MS = 60_000;
const cache = new Map();

/** One read a minute of each path, shared by all who ask. */
async function read(path) {
  const cached = cache.get(path);
  if (cached && Date.now() - cached.at < CURRENT_MS) return cached.data;
  const data = call('GET', path);
  cache.set(path, { at: Date.now(), data });
  return data;
}

const plain = (text) => ({ type: 'plain_text', text });
const line = (text) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const linkOf = ({ id, title }) =>
  `<${env.CARD_URL_TEMPLATE.replace('{id}', id)}|${escaped(title)}>`;

const textInput = (name, label, value, multiline = false) => ({
  type: 'input',
  block_id: name,
  label: plain(label),
  element: {
    type: 'plain_text_input',
    action_id: name,
    multiline,
    ...(value ? { initial_value: value } : {}),
  },
});

function menu(name, label, choices, { kind = '', isFilled = false, optional = false } = {}) {
  // Slack's limits.
  const options = choices
    .slice(0, 100)
    .map(({ id, name: text }) => ({ text: plain(text.slice(0, 75)), value: id }));
  const element = { type: `${kind}static_select`, action_id: name, options };
  if (isFilled) element.initial_option = options[0];
  return { type: 'input', block_id: name, label: plain(label), optional, element };
}

app.command('/design-request', async ({ ack, client, command }) => {
  await ack();
  const [types, brands] = await Promise.all([read('/card-types'), read('/brands')]);
  const [{ products, formats, softwares }] = types;
  const named = (names) => names.map((name) => ({ id: name, name }));
  const blocks = [
    textInput('title', 'Title', command.text),
    menu('typeId', 'Request type', types, { isFilled: true }),
    menu('product', 'Product', named(products)),
    textInput('description', 'Description', undefined, true),
    textInput('dimension', 'Sizes'),
    menu('software', 'Software', named(softwares)),
    menu('fileFormats', 'File formats', named(formats), { kind: 'multi_' }),
    menu('brandId', 'Brand', brands, { optional: true }),
  ];
  const view = { type: 'modal', callback_id: 'request', title: plain('Design request'), blocks };
  await client.views.open({
    trigger_id: command.trigger_id,
    view: { ...view, submit: plain('Send') },
  });
});

app.view('request', async ({ ack, body, client, view }) => {
  const { title, typeId, product, description, dimension, software, fileFormats, brandId } =
    Object.fromEntries(
      Object.entries(view.state.values).map(([name, { [name]: input }]) => [
        name,
        input.value ??
          input.selected_option?.value ??
          input.selected_options?.map(({ value }) => value).join(', '),
      ]),
    );
  const shown = { type: 'modal', title: plain('Design request') };
  await ack({ response_action: 'update', view: { ...shown, blocks: [line('Sending…')] } });
  const say = (text) =>
    client.views.update({ view_id: view.id, view: { ...shown, blocks: [line(text)] } });
  try {
    const card = { title, typeId, product, description, dimension, software, fileFormats, brandId };
    const { id } = await call('POST', '/card', { data: card });
    await say(`Requested ${linkOf({ id, title })}.`);
    const { status } = await call('GET', `/card/${id}`);
    const text = `<@${body.user.id}> requested ${escaped(title)} as ${linkOf({ id, title })}`;
    const blocks = [line(text), line(`Status: ${escaped(status.name)}`)];
    await client.chat.postMessage({ channel: body.user.id, text, blocks });
  } catch (error) {
    await say(`“${escaped(title)}” was not sent: ${escaped(error.message)}`);
  }
});

app.event('link_shared', async ({ client, event: { channel, message_ts: ts, links } }) => {
  const shown = await Promise.all(
    links.map(async ({ url }) => {
      const card = await read(`/card/${new URL(url).pathname.split('/').at(-1)}`);
      const about = [card.status?.name, card.product_type, card.due_date].filter(Boolean);
      const blocks = [line(`*${linkOf(card)}*`), line(escaped(about.join(' · ')))];
      return [url, { blocks }];
    }),
  );
  await client.chat.unfurl({ channel, ts, unfurls: Object.fromEntries(shown) });
});

app.error(async (error) => process.stderr.write(`${error.stack}\n`));

await app.start({ port: Number(env.PORT), host: env.HOST });
const url = `http://${env.HOST}:${env.PORT}`;
process.stdout.write(`${JSON.stringify({ level: 30, msg: 'ready', url })}\n`);
