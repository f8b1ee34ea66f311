const APPS = 'https://api.slack.com/apps';

/** Where people create and configure apps (docs.slack.dev/app-management). @param appId undefined if it isn't known */
export function slackPages(appId: string | undefined) {
  const page = (name: string) => (appId ? `${APPS}/${appId}/${name}` : APPS);
  return {
    /** With the section “Your App Configuration Tokens”. */
    apps: APPS,
    install: page('install-on-team'),
    basicInformation: page('general'),
    eventSubscriptions: page('event-subscriptions'),
  };
}
