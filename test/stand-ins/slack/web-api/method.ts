import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { SocketHub } from '../dispatch/sockets.ts';
import { asText, type JsonObject, parseJson } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { Token } from '../state/model.ts';
import type { SlackState, WorkspaceRecord } from '../state/state.ts';

export interface Services {
  state: SlackState;
  dispatcher: Dispatcher;
  sockets: SocketHub;
}

/** A call to a method that works for one installation. */
export interface BotCall extends Services {
  args: JsonObject;
  workspace: WorkspaceRecord;
  token: Token;
}

/** A call to a method that needs no bot token. */
export interface AppCall extends Services {
  args: JsonObject;
  /** In the header; empty if there is none. */
  token: string;
}

export type Method =
  | {
      by: 'bot';
      /** The token needs one of these scopes; an empty list means none. */
      scopes: string[];
      call(call: BotCall): JsonObject | Promise<JsonObject>;
    }
  | { by: 'app'; call(call: AppCall): JsonObject | Promise<JsonObject> };

export function requiredText(args: JsonObject, name: string): string {
  const value = asText(args[name]);
  if (value === '') {
    return refuse('invalid_arguments', [`missing required field: ${name} [json-pointer:/${name}]`]);
  }
  return value;
}

/** A JSON argument: text in form bodies, a value in JSON bodies. Undefined if absent. */
export function jsonArgument(args: JsonObject, name: string, malformed: string): unknown {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return parsed === undefined ? refuse(malformed) : parsed;
}

export function isYes(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

export function requireScope(token: Token, oneOf: string[]): void {
  if (oneOf.length === 0 || oneOf.some((scope) => token.scopes.includes(scope))) return;
  refuse('missing_scope', [], { needed: oneOf.join(','), provided: token.scopes.join(',') });
}
