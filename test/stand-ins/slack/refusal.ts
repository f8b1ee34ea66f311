import type { JsonObject } from './json.ts';

/** What a Web API method answers instead of `ok: true`. */
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
 * Ends a method with `{ok: false, error}`. `messages` say what is wrong with the arguments and
 * are told as Slack does, in `response_metadata.messages` with [ERROR] before each.
 */
export function refuse(code: string, messages: string[] = [], more: JsonObject = {}): never {
  const metadata =
    messages.length > 0
      ? { response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) } }
      : {};
  throw new SlackRefusal(code, { ok: false, error: code, ...more, ...metadata });
}
