// The settings modal.

export const SETTINGS = {
  title: 'Settings',
  save: 'Save',
  saving: 'Saving…',
  saved: ':white_check_mark: Settings saved.',
  unfurls: 'Card links',
  unfurlsHere: 'Card links in this channel',
  unfurlsSmall: 'Small preview',
  unfurlsSmallDetail: 'Status, due date, one line of the brief, and a thumbnail',
  unfurlsLarge: 'Large preview',
  unfurlsLargeDetail: 'All details, and the newest image in full width',
  unfurlsOff: 'No preview',
  unfurlsAsElsewhere: 'Like everywhere else',
  sharing: 'Guests and other companies',
  shareExternally: 'Show cards in channels shared with another company',
  shareExternallyDetail: 'Everyone in the channel sees them',
  guestsAllowed: 'Let guests make requests and see cards',
};
