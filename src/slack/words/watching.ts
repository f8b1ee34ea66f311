// Messages about changes of watched cards, and replies to Watch and Stop. Arguments are escaped.

export const WATCHING = {
  watch: 'Watch',
  stop: 'Stop watching',
  /** @param title the card's @param changes what changed, separated */
  changed: (title: string, changes: string) => `${title}: ${changes}`,
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
  /** In the first message in a thread. */
  replies: 'Replies here don’t reach the designer. Give feedback on the card.',
  open: 'Open',
  /** @param title escaped, as all titles here */
  added: {
    inThread: (title: string) =>
      `You’re watching *${title}*. We’ll post changes in the thread of that message.`,
    directly: (title: string) => `You’re watching *${title}*. We’ll message you when it changes.`,
  },
  /** @param why sentences */
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
