import type { Config } from '../config/config.ts';
import { type DatabaseLocation, isPostgres } from '../store/database-location.ts';

/** Every value of the configuration that must never be logged. */
export function secretsOf({
  slack,
  designApi,
  encryptionKeys,
  metricsToken,
  database,
}: Config): string[] {
  const { transport, access } = slack;
  return [
    access.kind === 'token' ? access.botToken : access.clientSecret,
    transport.mode === 'http' ? transport.signingSecret : transport.appToken,
    designApi.apiKey,
    metricsToken,
    ...passwordsOf(database),
    ...encryptionKeys.map(({ key }) => Buffer.from(key).toString('base64')),
  ].filter((secret) => secret !== undefined);
}

/** The password of a Postgres URL, both percent-encoded and decoded. */
function passwordsOf(database: DatabaseLocation): (string | undefined)[] {
  if (!isPostgres(database)) return [];
  const { password, searchParams } = new URL(database.url);
  return [password, decoded(password), searchParams.get('password') ?? undefined];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
