// Cards in unfurls and messages, and their buttons. Arguments are escaped.

export const CARD = {
  untitled: (id: string) => `Card ${id}`,
  status: 'Status',
  type: 'Request type',
  product: 'Product',
  dimensions: 'Sizes',
  brand: 'Brand',
  labels: 'Labels',
  tags: 'Tags',
  formats: 'File formats',
  software: 'Software',
  wording: 'Wording',
  due: 'Due',
  /** @param day for example “today”, “Tue, 24 Nov”, or “3 Dec” */
  dueOn: (day: string) => `due ${day}`,
  neededBy: 'Needed by',
  neededOn: (day: string) => `needed by ${day}`,
  overdue: (day: string) => `:warning: *overdue since ${day}*`,
  requestedBy: (name: string) => `Requested by ${name}`,
  /** @param when for example “5 minutes ago” */
  created: (when: string) => `created ${when}`,
  changed: (when: string) => `changed ${when}`,
  asOf: (when: string) => `as of ${when}`,
  pictureAlt: (name: string, title: string) => `${name}, the newest image of ${title}`,
  open: 'Open',
  refresh: 'Refresh',
  share: 'Share in this channel',
  again: 'Request again',
  /** @param who a mention */
  sharedBy: (who: string) => `Shared by ${who}`,
  showAll: 'Show all',
  details: 'Card details',
  moreLinks: (count: number) =>
    count === 1
      ? '1 more card in this message isn’t shown.'
      : `${count} more cards in this message aren’t shown.`,
};

/** Files of a card. Links are escaped. */
export const CARD_FILES = {
  count: (count: number, links: string) => `${count === 1 ? '1 file' : `${count} files`}: ${links}`,
  more: (count: number) => `${count} more`,
  delivered: (links: string) => `Delivered: ${links}`,
  fromRequest: (links: string) => `From the request: ${links}`,
  roles: { reference: 'reference', additional: 'additional file', textCopy: 'text' },
};

export const NOT_SHOWN_EXTERNALLY =
  'Cards aren’t shown in channels shared with another company. A workspace admin can allow it with `/design-request settings`.';

export const WHY_NOT_SHOWN = {
  'not-found': 'Couldn’t find this card. It was deleted, or the API key can’t read it.',
  'not-read': 'Your design service took too long to answer. Paste the link again to see the card.',
  external: NOT_SHOWN_EXTERNALLY,
};

export const REFRESH = {
  gone: 'Couldn’t find this card any more. It was deleted, or the API key can’t read it.',
  /** @param why a sentence */
  outdated: (why: string, asOf: string) => `${why} You’re seeing the card ${asOf}.`,
  justRead: 'Already up to date.',
  slackIsBusy: 'Slack is busy. Try again in a minute.',
  notUpdated:
    'Slack doesn’t let this app update that preview. Paste the link again to see the card.',
};

export const SHARE = {
  gone: 'Couldn’t find this card any more.',
  cannotPost:
    'This app can’t post here. If this is a channel, invite it with `/invite` and try again.',
};

/** To someone who posted a card link under which nothing is shown. */
export const linkNotShown = (why: string) => `We can’t show that card link here. ${why}`;

// Messages about changes of watched cards, and replies to Watch and Stop. Arguments are escaped.

export const WATCHING = {
  watch: 'Watch',
  stop: 'Stop watching',
  /** @param changes what changed, joined by `separator` */
  done: (title: string, changes: string) =>
    `:white_check_mark: ${title} is done: ${changes}. You’ll only hear from us if it changes again.`,
  gone: (title: string) =>
    `We can’t read ${title} any more: it was deleted, or the API key can’t read it. We’ve stopped watching it.`,
  separator: ' · ',
  status: (from: string | undefined, to: string | undefined) =>
    from && to ? `${from} → ${to}` : to ? `now ${to}` : 'no status any more',
  newFiles: (count: number) => (count === 1 ? '1 new file' : `${count} new files`),
  due: (when: string | undefined) => (when ? `due ${when}` : 'no due date any more'),
  pictureAlt: (name: string, title: string) => `${name}, a new image of ${title}`,
  files: (count: number, links: string) => `${count === 1 ? 'New file' : 'New files'}: ${links}`,
  replies: 'Replies here don’t reach the designer. Give feedback on the card.',
  added: {
    inThread: (title: string) =>
      `You’re watching *${title}*. We’ll post changes in the thread of that message.`,
    directly: (title: string) => `You’re watching *${title}*. We’ll message you when it changes.`,
  },
  /** @param why one or more sentences */
  unreadable: (title: string, why: string) =>
    `You’re watching *${title}*, but we can’t read it now. ${why}`,
  already: (title: string) => `You’re watching *${title}*.`,
  stopped: 'Stopped. You won’t hear about this card any more.',
  stoppedInThread: 'Stopped. We won’t post about this card in this thread any more.',
  stoppedOnlyInThread:
    'Stopped. We won’t post about this card in this thread any more. You still watch it elsewhere, and can stop there, too.',
  muted: (title: string) =>
    `You’re watching *${title}*, but an admin turned messages about changes off. Previews and confirmations stay up to date.`,
};
