import type { FaultKind } from './faults.ts';
import type { JsonObject } from './json.ts';

/** One call by the app: a Web API method, or `response_url`. */
export interface ApiCall {
  method: string;
  args: JsonObject;
  /** The token's workspace; undefined if the call had no known token. */
  workspaceId: string | undefined;
  at: Date;
  /** Real milliseconds until the answer; undefined while in progress, and if there was none. */
  ms?: number;
  status: number;
  /** Undefined while in progress, and if there was none. */
  response: JsonObject | undefined;
  /** The fault that replaced or altered its answer. */
  fault: FaultKind['kind'] | undefined;
}
