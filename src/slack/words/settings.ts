// The settings modal.

export const SETTINGS = {
  title: 'Settings',
  save: 'Save',
  saving: 'Saving…',
  saved: ':white_check_mark: Saved. New settings hold from now on.',
  unfurls: 'Card links',
  unfurlsFull: 'In full',
  unfurlsFullDetail: 'Status, description, facts and picture',
  unfurlsCompact: 'Compactly',
  unfurlsCompactDetail: 'Title and main facts',
  unfurlsOff: 'Not at all',
  sharing: 'Guests and other companies',
  shareExternally: 'Show cards in channels shared with another company',
  shareExternallyDetail: 'Everybody there sees them',
  guestsAllowed: 'Let guests make requests and see cards',
  project: 'Project id',
  projectHint:
    'The project of your design service in which new cards stand. When a connection breaks while a request is sent, it is looked for there before you are asked.',
};
