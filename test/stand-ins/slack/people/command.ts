import type { Delivery } from '../dispatch/delivery.ts';
import { answerOf } from '../dispatch/dispatcher.ts';
import { escapeEntities } from '../escape-entities.ts';
import { isObject, type JsonObject } from '../json.ts';
import { SlackRefusal } from '../refusal.ts';
import { addEphemeral, issueResponseUrl } from '../response-url-posts.ts';
import { isIn, nameInPayloads } from '../state/conversations.ts';
import type { Channel } from '../state/model.ts';
import type { SlackState, WorkspaceRecord } from '../state/state.ts';
import { grantedScopes } from '../state/tokens.ts';
import { issueTrigger } from '../state/triggers.ts';
import { readContent } from '../web-api/message-content.ts';
import { type Actor, told } from './actor.ts';

/**
 * Slackbot's error: `operation_timeout` after three seconds, `dispatch_failed` for any other failure,
 * `invalid_response` for an answer that Slack can't show.
 */
type CommandError = 'operation_timeout' | 'dispatch_failed' | 'invalid_response' | undefined;

/**
 * Types a slash command. An answer with text or blocks is shown to the person. Throws if Slack wouldn't know the
 * command: the manifest lacks it, or the app isn't installed.
 */
export async function typeCommand(actor: Actor, channel: Channel, typed: string, command: string) {
  const { state, dispatcher, workspace, user } = actor;
  const granted = grantedScopes(state, workspace.id).includes('commands');
  const known =
    workspace.installed &&
    granted &&
    state.manifest.slashCommands.some((one) => one.command === command);
  if (!known || !isIn(channel, workspace.id)) throw new Error(`${command} is not a valid command`);
  channel.members.add(user.id);
  const responseUrl = issueResponseUrl(actor, 'commands', channel.id);
  const triggerId = issueTrigger(actor, channel.id);
  const delivery = await dispatcher.once('command', workspace.id, {
    token: state.app.verificationToken,
    team_id: workspace.id,
    team_domain: workspace.domain,
    ...(workspace.enterpriseId ? { enterprise_id: workspace.enterpriseId } : {}),
    channel_id: channel.id,
    channel_name: nameInPayloads(channel),
    user_id: user.id,
    user_name: user.name,
    command,
    text: commandText(state, workspace, { command, typed }),
    api_app_id: state.app.id,
    is_enterprise_install: String(workspace.orgWideInstall),
    response_url: responseUrl,
    trigger_id: triggerId,
  });
  const error = showAnswer(actor, channel.id, delivery);
  return { ...told(delivery), triggerId, responseUrl, error };
}

function showAnswer(
  { state, workspace, user }: Actor,
  channelId: string,
  delivery: Delivery,
): CommandError {
  if (!delivery.acknowledged) {
    return delivery.attempts[0]?.error === 'timeout' ? 'operation_timeout' : 'dispatch_failed';
  }
  const answer = answerOf(delivery);
  if (answer === undefined) return undefined;
  const args: JsonObject = isObject(answer) ? answer : { text: String(answer) };
  const where = { workspaceId: workspace.id, userId: user.id, channelId };
  try {
    const content = readContent(state, args);
    if (content.text || content.blocks?.length) addEphemeral(state, where, content, args);
    return undefined;
  } catch (error) {
    if (error instanceof SlackRefusal) return 'invalid_response';
    throw error;
  }
}

const ADDRESS = /https?:\/\/\S+/g;
const PERSON = /(?<!\S)@(\S+)/g;
const CHANNEL = /(?<!\S)#(\S+)/g;

/**
 * What was typed after a command, as the app gets it: `&`, `<`, and `>` are always escaped, and if the manifest says
 * `should_escape`, people, channels, and URLs are marked up too.
 * Sources: docs.slack.dev/messaging/formatting-message-text and …/interactivity/implementing-slash-commands.
 */
function commandText(
  state: SlackState,
  workspace: WorkspaceRecord,
  { command, typed }: { command: string; typed: string },
): string {
  const text = escapeEntities(typed);
  const offered = state.manifest.slashCommands.find((known) => known.command === command);
  if (!offered?.shouldEscape) return text;
  const people = [...state.users.values()].filter(({ teamId }) => teamId === workspace.id);
  const channels = [...state.channels.values()].filter(({ homeId }) => homeId === workspace.id);
  const marked =
    (sign: string, of: { id: string; name: string }[]) => (found: string, name: string) => {
      const one = of.find((known) => known.name === name);
      return one ? `<${sign}${one.id}|${name}>` : found;
    };
  return text
    .replaceAll(ADDRESS, (address) => `<${address}>`)
    .replaceAll(PERSON, marked('@', people))
    .replaceAll(CHANNEL, marked('#', channels));
}
