export type Variables = Record<string, string | undefined>;

/** An app's public address, by the variable that each platform sets and documents. */
const PUBLIC_ADDRESSES: Record<string, (value: string) => string> = {
  // render.com/docs/environment-variables
  RENDER_EXTERNAL_URL: (url) => url,
  // docs.railway.com/reference/variables
  RAILWAY_PUBLIC_DOMAIN: (host) => `https://${host}`,
  // fly.io/docs/machines/runtime-environment; an app has this address unless it was removed
  FLY_APP_NAME: (name) => `https://${name}.fly.dev`,
  // devcenter.heroku.com/articles/dyno-metadata, which has to be switched on
  HEROKU_APP_DEFAULT_DOMAIN_NAME: (host) => `https://${host}`,
  // learn.microsoft.com/azure/app-service/reference-app-settings
  WEBSITE_HOSTNAME: (host) => `https://${host}`,
};

/** The public address that the platform has given the app; undefined if it doesn't say. */
export function publicUrlOfPlatform(env: Variables): string | undefined {
  for (const [name, toUrl] of Object.entries(PUBLIC_ADDRESSES)) {
    const value = env[name]?.trim();
    if (value) return toUrl(value);
  }
  return undefined;
}

/** Platforms that give every process a new, empty disk, by the variable that each sets and documents. */
const WITHOUT_DISK: Record<string, string> = {
  // devcenter.heroku.com/articles/dynos#ephemeral-filesystem
  DYNO: 'Heroku',
  // cloud.google.com/run/docs/container-contract
  K_SERVICE: 'Cloud Run',
};

/** The platform's name, if files don't survive a restart there. */
export const platformWithoutDisk = (env: Variables): string | undefined =>
  Object.entries(WITHOUT_DISK).find(([name]) => env[name])?.[1];
