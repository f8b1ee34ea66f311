import { createHmac } from 'node:crypto';

/** The signature header of a body, as Slack makes it: HMAC-SHA256 of `v0:timestamp:body`. */
export function signatureOf(secret: string, timestamp: number | string, body: string | Buffer) {
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body);
  return `v0=${hmac.digest('hex')}`;
}

export function signedRequest(
  secret: string,
  body: string | Buffer,
  now: Date,
  contentType = 'application/x-www-form-urlencoded',
) {
  const timestamp = Math.floor(now.getTime() / 1_000);
  return {
    headers: {
      'content-type': contentType,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signatureOf(secret, timestamp, body),
    },
    body,
  };
}
