import type { FaultKind } from './faults.ts';
import type { JsonObject } from './json.ts';

/** One call that the app made: a Web API method, or `response_url`. */
export interface ApiCall {
  method: string;
  args: JsonObject;
  /** Of the token; undefined where the call had none that is known. */
  workspaceId: string | undefined;
  at: Date;
  /** Real milliseconds until the answer; undefined while it is under way, and where none was given. */
  ms?: number;
  status: number;
  /** Undefined while it is under way, and where none was given. */
  response: JsonObject | undefined;
  /** The fault that it met instead of being answered. */
  fault: FaultKind['kind'] | undefined;
}
