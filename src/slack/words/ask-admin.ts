// Where the workspace isn't connected: connecting it, or asking someone who can.

export const ASK_ADMIN = {
  connect: 'Connect',
  connectLabel: 'Connect this workspace to your design service',
  ask: (name: string | undefined) => `Ask ${name ?? 'an admin'}`,
  title: 'Connect',
  /** To an admin; both are mentions. */
  message: (asker: string) =>
    `${asker} asks you to connect this workspace to your design service, so that design requests can be sent.`,
  asked: (admins: string) =>
    `We asked ${admins}. Once this workspace is connected, we’ll continue with the requests that are waiting.`,
  askedBefore:
    'You already asked today. Once this workspace is connected, we’ll continue with the requests that are waiting.',
  connectedNow: 'This workspace is connected now. Try again.',
  nobodyReached:
    'We couldn’t reach an admin. Ask one of them to type `/design-request connect` in Slack.',
};
