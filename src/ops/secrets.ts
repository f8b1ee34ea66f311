import type { Config } from '../config.ts';

/** Every value of the configuration that must never be written anywhere. */
export function secretsOf({ slack, designApi, encryptionKeys, metricsToken }: Config): string[] {
  const { transport, access } = slack;
  return [
    ...(access.kind === 'token' ? [access.botToken] : [access.clientSecret, access.stateSecret]),
    transport.mode === 'http' ? transport.signingSecret : transport.appToken,
    designApi.apiKey,
    metricsToken,
    ...encryptionKeys.map(({ key }) => Buffer.from(key).toString('base64')),
  ].filter((secret) => secret !== undefined);
}
