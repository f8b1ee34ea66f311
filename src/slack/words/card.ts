// Cards in unfurls and messages, and their buttons. Arguments are escaped.

export const CARD = {
  /** The title of a card without one, or that isn't loaded. */
  untitled: (id: string) => `Card ${id}`,
  status: 'Status',
  product: 'Product',
  dimensions: 'Dimensions',
  brand: 'Brand',
  labels: 'Labels',
  tags: 'Tags',
  formats: 'Formats',
  due: 'Due',
  updated: 'Updated',
  /** @param when for example “5 minutes ago” */
  asOf: (when: string) => `as of ${when}`,
  asOfAlone: (when: string) => `As of ${when}`,
  pictureAlt: (name: string, title: string) => `${name}, the newest picture of ${title}`,
  open: 'Open',
  refresh: 'Refresh',
  share: 'Share in this channel',
};

/** Under a link whose card can't be shown: not yet, not any more, or not to this workspace. */
export const MISSING = {
  pending: 'Design request  ·  details follow',
  failed: 'Design request  ·  its details couldn’t be read. Refresh tries again.',
  notFound: 'Design request  ·  it can’t be read: it is gone, or the API key may not see it.',
};

export const NOT_SHOWN_EXTERNALLY =
  'This channel is shared with another company, so cards are not shown here. A workspace admin can allow it with `/design-request settings`.';

/** Replies to Refresh. */
export const REFRESH = {
  gone: 'This card can’t be read any more: it is gone, or the API key may not see it.',
  /** @param why a sentence */
  outdated: (why: string, asOf: string) => `${why} You see the card ${asOf}.`,
  justRead:
    'This card was read a moment ago, and that is what you see. Refresh asks your design service again after ten seconds.',
  slackIsBusy:
    'Slack takes only so many changes a minute, so the card stays as it was. Try again in a minute.',
  notUpdated: 'Slack doesn’t let this app update that preview.',
};

/** Replies to Share. */
export const SHARE = {
  gone: 'This card can’t be read any more.',
  cannotPost:
    'This app can’t post in this conversation. In a channel, invite it with `/invite`, then try again.',
};

/** To someone who posted a card link in a workspace that isn't connected. */
export const linkNotShown = (why: string) => `That card link can’t be shown here yet. ${why}`;
