import type { BlockKitProblem } from './block-kit/validate.ts';
import type { JsonObject } from './json.ts';

export class SlackRefusal extends Error {
  readonly code: string;
  readonly body: JsonObject;

  constructor(code: string, body: JsonObject) {
    super(code);
    this.name = 'SlackRefusal';
    this.code = code;
    this.body = body;
  }
}

/**
 * Ends a method with `{ok: false, error}`. `messages` describe the problems with the arguments and are sent as Slack
 * does, in `response_metadata.messages` with [ERROR] before each.
 */
export function refuse(code: string, messages: string[] = [], more: JsonObject = {}): never {
  const metadata =
    messages.length > 0
      ? { response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) } }
      : {};
  throw new SlackRefusal(code, { ok: false, error: code, ...more, ...metadata });
}

/** Refuses with the problems reported twice, as Slack does: `errors`, and messages with [ERROR]. */
export function refuseProblems(code: string, problems: BlockKitProblem[]): void {
  if (problems.length === 0) return;
  const said = problems.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`);
  refuse(code, said, { errors: said });
}
