import { type Route, send } from '../../ops/http-server.ts';
import type { Intake } from './intake.ts';
import { createBodyReader, parseBody } from './read-body.ts';
import { refuseBody } from './refuse-body.ts';
import { isSignedBySlack } from './signature.ts';

/**
 * `POST /slack/events`: every delivery over HTTP. Answers 413 to a body that is too large, 503 when
 * too many large bodies arrive at once, 401 to an unsigned one, and 400 to anything Slack doesn't
 * send.
 */
export function slackEventsRoute(deps: {
  intake: Intake;
  signingSecret: string;
  now: () => Date;
}): Route {
  const { intake, signingSecret, now } = deps;
  const readBody = createBodyReader();
  return async (request, response) => {
    const bytes = await readBody(request);
    if (typeof bytes === 'string') return refuseBody(request, response, bytes);
    const body = bytes.toString('utf8');
    if (!isSignedBySlack({ signingSecret, headers: request.headers, body, now: now() })) {
      return send(response, 401, { error: 'not_signed_by_slack' });
    }
    const reply = await intake.receive(parseBody(body, request.headers['content-type']));
    send(response, reply.status, reply.body);
  };
}
