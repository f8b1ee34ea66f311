import type { JsonObject } from '../json.ts';

/** One run of a function of the app: a step of a workflow, or what lists a step's options. */
export interface Execution {
  id: string;
  workspaceId: string;
  callbackId: string;
  inputs: JsonObject;
  state: 'running' | 'completed' | 'failed';
  /** What the app returned; only if completed. */
  outputs: JsonObject;
  /** Why it failed; empty otherwise. */
  error: string;
}
