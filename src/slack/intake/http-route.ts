import { type Route, send } from '../../ops/http-server.ts';
import type { Intake } from './intake.ts';
import { createBodyReader, parseBody } from './read-body.ts';
import type { Refusals } from './refusals.ts';
import { refuseBody } from './refuse-body.ts';
import { whyNotSigned } from './signature.ts';

/**
 * `POST /slack/events`: every delivery over HTTP. Answers 413 to a body that is too large, 503 when
 * too many large bodies arrive at once, 401 to an unsigned one, and 400 to anything Slack doesn't
 * send.
 */
export function slackEventsRoute(deps: {
  intake: Intake;
  signingSecret: string;
  refusals: Refusals;
  now: () => Date;
}): Route {
  const { intake, signingSecret, refusals, now } = deps;
  const readBody = createBodyReader();
  return async (request, response) => {
    const bytes = await readBody(request);
    if (typeof bytes === 'string') {
      refusals.refused(bytes);
      return refuseBody(request, response, bytes);
    }
    const body = bytes.toString('utf8');
    const refusal = whyNotSigned({ signingSecret, headers: request.headers, body, now: now() });
    if (refusal) {
      refusals.refused(refusal);
      return send(response, 401, { error: 'not_signed_by_slack' });
    }
    refusals.accepted();
    const reply = await intake.receive(parseBody(body, request.headers['content-type']));
    send(response, reply.status, reply.body);
  };
}
