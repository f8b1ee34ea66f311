/**
 * What the app asks for when it is installed, and what for, in the words of the install page. A test
 * holds it together with manifest.yml.
 */
export const SCOPES: Readonly<Record<string, string>> = {
  commands: 'Answer when you type /design-request',
  'chat:write': 'Post confirmations, and write to people who ordered something',
  'chat:write.public': 'Post a confirmation in a public channel that it has not joined',
  'links:read': 'Notice links to design cards',
  'links:write': 'Show what such a link leads to',
  'users:read': 'Know who is an admin, a guest, or from another company',
  'channels:read': 'Know which public channels are shared with another company',
  'groups:read': 'Know the same of private channels that it was added to',
};
