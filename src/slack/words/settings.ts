// The settings modal.

export const SETTINGS = {
  title: 'Settings',
  save: 'Save',
  saving: 'Saving…',
  saved: ':white_check_mark: Settings saved.',
  unfurls: 'Card links',
  unfurlsFull: 'Large preview',
  unfurlsFullDetail: 'Title, status, description, details, and image',
  unfurlsCompact: 'Small preview',
  unfurlsCompactDetail: 'Title, status, type, and brand',
  unfurlsOff: 'No preview',
  sharing: 'Guests and other companies',
  shareExternally: 'Show cards in channels shared with another company',
  shareExternallyDetail: 'Everyone in the channel sees them',
  guestsAllowed: 'Let guests make requests and see cards',
};
