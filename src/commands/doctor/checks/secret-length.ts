import { type Check, passed, warning } from '../check.ts';

/** As many bytes as an HMAC-SHA-256 has; shorter keys are discouraged (RFC 2104, section 3). */
const SHORTEST = 32;

export const secretLength: Check = {
  name: 'secret-length',
  category: 'settings',
  about: `METRICS_TOKEN and SLACK_STATE_SECRET have at least ${SHORTEST} characters.`,
  atStart: true,
  needs: 'settings',
  run({ config: { metricsToken, slack } }) {
    const secrets = {
      METRICS_TOKEN: metricsToken,
      SLACK_STATE_SECRET: slack.access.kind === 'oauth' ? slack.access.stateSecret : undefined,
    };
    const short = Object.entries(secrets)
      .filter(([, secret]) => secret !== undefined && secret.length < SHORTEST)
      .map(([name]) => name);
    if (short.length === 0) return passed('long enough');
    return warning(
      `Secrets with fewer than ${SHORTEST} characters can be guessed: ${short.join(', ')}.`,
      'Make a new one with `openssl rand -hex 32`. Prometheus needs a new METRICS_TOKEN, too.',
    );
  },
};
