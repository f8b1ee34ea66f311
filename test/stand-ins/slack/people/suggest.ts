import { menuOption, options as optionsOf } from '../block-kit/parts.ts';
import { problemsOf } from '../block-kit/validate.ts';
import type { PlacedElement } from '../block-kit/view-state.ts';
import { answerOf } from '../dispatch/dispatcher.ts';
import { isObject, type JsonObject, objectsOf } from '../json.ts';
import type { OpenView } from '../state/model.ts';
import { viewOutput } from '../views/output.ts';
import { type Actor, interact } from './actor.ts';

/** More options than this count as none. Source: bolt-js#1630. */
const MAX_OPTIONS = 100;
/** Letters before a menu asks the app, by default. Source: Slack's documentation. */
const DEFAULT_MIN_QUERY = 3;

/** The menu shows "Result failed to load": the app didn't answer in time, or not with options. */
export class OptionsNotLoaded extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`Result failed to load (${reason})`);
    this.name = 'OptionsNotLoaded';
    this.reason = reason;
  }
}

const accepted = optionsOf(MAX_OPTIONS, menuOption);

/** Queries shorter than `min_query_length` aren't sent. Rejects with OptionsNotLoaded. */
export async function suggestOptions(
  actor: Actor,
  open: OpenView,
  { blockId, actionId, element }: PlacedElement,
  query: string,
): Promise<JsonObject[]> {
  const minimum = element.min_query_length ?? DEFAULT_MIN_QUERY;
  if (typeof minimum === 'number' && query.length < minimum) return [];
  const delivery = await interact(actor, 'block_suggestion', {
    container: { type: 'view', view_id: open.id },
    action_id: actionId,
    block_id: blockId,
    value: query,
    // Slack omits what was entered. Sources: bolt-js#660, java-slack-sdk#1292.
    view: { ...viewOutput(actor.state, open), state: { values: {} } },
  });
  if (!delivery.acknowledged) {
    throw new OptionsNotLoaded(delivery.attempts[0]?.error ?? 'not delivered');
  }
  const answer = answerOf(delivery);
  if (!isObject(answer) || !Array.isArray(answer.options)) {
    throw new OptionsNotLoaded('the answer holds no options');
  }
  const options = objectsOf(answer.options);
  if (options.length === 0 || options.length > MAX_OPTIONS) return [];
  const [problem] = problemsOf(accepted, options, '/options');
  if (problem) throw new OptionsNotLoaded(`${problem.message} at ${problem.pointer}`);
  return options;
}
