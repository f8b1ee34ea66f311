import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, type JsonObject } from '../stand-ins/slack/json.ts';
import type { World } from './world.ts';

/** Long enough that no other text contains it by accident. */
const SHORTEST_LOOK = 12;
/** Tokens and codes are exchanged in these. */
const EXCHANGES = /^oauth\./;

/**
 * Where secrets were found that belong nowhere but in the app's memory, in any encoding: in its log, in the files of
 * its database, in what Slack and the service were sent, and in what people see.
 */
export async function secretsFound(world: World): Promise<string[]> {
  const { slack, service, logLines, folder, config } = world;
  const { state } = slack;
  const secrets = [
    ...[...state.tokens.keys()].map((token) => looksOf('a bot token', token)),
    looksOf('the app token', slack.appToken),
    looksOf('the signing secret', slack.signingSecret),
    looksOf('the client secret', slack.clientSecret),
    looksOf('the verification token', state.app.verificationToken),
    ...slack.deliveries.flatMap(({ payload }) => secretsOfStep(asObject(payload.event))),
    ...service.issuedKeys.map((key) => looksOf('an API key', key)),
    ...config.encryptionKeys.map(({ key }) => looksOf('an encryption key', key)),
  ];
  const calls = slack.apiCalls.filter(({ method }) => !EXCHANGES.test(method));
  const seen = [[...state.messages.values()].flat(), state.ephemerals, [...state.stacks.values()]];
  const told = {
    'the log': logLines,
    'a call of Slack': calls.map(({ method, args }) => [method, args]),
    'an answer to Slack': slack.deliveries.flatMap(({ attempts }) =>
      attempts.map((one) => one.body),
    ),
    'what people see': seen,
    'a call of the service': service.ledger.map(({ path, query, requestBody }) => [
      path,
      query,
      requestBody,
    ]),
  };
  const places = Object.entries(told).map(([place, all]) => ({ place, bytes: bytesOf(all) }));
  // A test may have moved the folder away, or put a link in it.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    places.push({ place: `the file ${name}`, bytes: await readFile(join(folder, name)) });
  }
  return places.flatMap(({ place, bytes }) =>
    secrets
      .filter(({ looks }) => looks.some((look) => bytes.includes(look)))
      .map(({ name }) => `${name} in ${place}`),
  );
}

/** Of a step in Workflow Builder: what its event contains besides what it is about. */
const secretsOfStep = ({ bot_access_token: token, inputs }: JsonObject) =>
  [token, asObject(asObject(inputs).builder).secret]
    .filter((one) => typeof one === 'string')
    .map((secret) => looksOf('a secret of a step', secret));

function looksOf(name: string, secret: string | Uint8Array) {
  const bytes = Buffer.from(secret);
  const texts = [
    // The ends of base64 depend on what is next to it.
    bytes.toString('base64').slice(0, -4),
    bytes.toString('base64url').slice(0, -4),
    bytes.toString('hex'),
    ...(typeof secret === 'string' ? [JSON.stringify(secret), encodeURIComponent(secret)] : []),
  ];
  const looks = [bytes, ...texts.map((text) => Buffer.from(text.replaceAll('"', '')))];
  return { name, looks: looks.filter(({ length }) => length >= SHORTEST_LOOK) };
}

/** As JSON, without what a person filled in, which only they see on their screen. */
const bytesOf = (value: unknown) =>
  Buffer.from(
    JSON.stringify(value, (key, inner) =>
      key === 'values' ? undefined : inner instanceof Map ? [...inner] : inner,
    ),
  );
