import type { Previews, WorkspaceSettings } from '../../installations/settings.ts';
import type { FormChoices } from '../../requests/form-defaults.ts';
import type { AuditedAction } from '../../store/audit-entries.ts';
import { PROJECT } from './connect.ts';
import type { FIELDS } from './request-form.ts';

// The settings modal.

export const SETTINGS = {
  title: 'Settings',
  saved: ':white_check_mark: Settings saved.',
  unfurls: 'Card links',
  unfurlsHere: 'Card links in this channel',
  changes: 'Changes to watched cards',
  sharing: 'Guests and other companies',
  workObjects: 'Cards as Work Objects',
  workObjectsHint:
    'People open a card in a pane next to the conversation. Needs Work Object Previews in the Slack app’s settings, with the type Task.',
};

/** The choices of a field: what each is called, and what it means, by the value that is stored for it. */
export type Choices<Value extends string = string> = Readonly<
  Record<Value, readonly [text: string, meaning?: string]>
>;

export const PREVIEWS: Choices<Previews> = {
  small: ['Small preview', 'Status, due date, one line of the brief, and a thumbnail'],
  large: ['Large preview', 'All details, and the newest image at full width'],
  off: ['No preview'],
};

export const PREVIEWS_HERE = { 'as-elsewhere': ['Same as everywhere else'], ...PREVIEWS } as const;

export const WORK_OBJECTS: Choices<WorkspaceSettings['workObjects']> = {
  off: ['Off'],
  on: ['On'],
  gallery: ['On, with a page of images', 'Needs this app’s domain on the Slack app’s embed list'],
};

export const SHARING: Choices<'shareExternally' | 'guestsAllowed'> = {
  shareExternally: [
    'Show cards in channels shared with another company',
    'Everyone in the channel sees them',
  ],
  guestsAllowed: ['Let guests make requests and see cards'],
};

export const MUTED: Choices<'everywhere' | 'here'> = {
  everywhere: [
    'Turn off messages about changes everywhere',
    'Confirmations and previews stay up to date',
  ],
  here: ['Turn off messages about changes in this channel', 'Watchers get direct messages instead'],
};

// Presets, which admins set for the request form.

export const PRESET = {
  title: 'Preset',
  ofWorkspace: 'Preset for all channels',
  ofChannel: 'Preset for this channel',
  introWorkspace: 'New requests start with this, unless a channel has its own preset.',
  introChannel: (channel: string) => `New requests in ${channel} start with this.`,
  explanation: 'What someone last chose for a request type overrides it.',
  postInHint: 'Leave blank to post in the channel where a request is started.',
  brief: {
    label: 'Brief template',
    hint: 'The description starts with this text. List the questions that a designer asks.',
  },
  leaveEmpty: 'Leave everything empty to remove the preset.',
  saved: ':white_check_mark: Preset saved.',
  removed: ':white_check_mark: Preset removed.',
  /** @param offered names, separated by commas */
  notOffered: (offered: string) => `This request type offers: ${offered}.`,
};

// Who changed what, for admins.

export const RECENT_CHANGES = {
  title: 'Recent changes',
  intro: 'Changes to the connection, the settings, and presets. They’re kept for a year.',
  none: 'Nothing has been changed yet.',
  older: 'Older changes aren’t shown.',
  operator: 'Whoever runs this app',
  on: 'on',
  off: 'off',
  nothing: 'none',
  keyEnding: (lastFour: string) => `ends in \`${lastFour}\``,
} as const;

/** What happened, as a heading. `about` is the channel or the job. */
export const CHANGE_HEADINGS: Record<AuditedAction, (about: string | undefined) => string> = {
  key_connected: () => 'API key connected',
  key_disconnected: () => 'API key disconnected',
  settings_changed: (channelId) =>
    channelId ? `Settings for <#${channelId}> changed` : 'Settings changed',
  preset_changed: (channelId) =>
    channelId ? `Preset for <#${channelId}> changed` : 'Preset for all channels changed',
  job_retried: (job) => `A background task was run again (${job})`,
  job_dropped: (job) => `A background task was dropped (${job})`,
};

/** The label of each field, besides FIELDS, in the modal that changes it. One that is left out here doesn't compile. */
export const CHANGED_FIELDS: Readonly<
  Record<Exclude<keyof WorkspaceSettings | keyof FormChoices | 'key', keyof typeof FIELDS>, string>
> = {
  key: 'API key',
  unfurls: SETTINGS.unfurls,
  shareExternally: SHARING.shareExternally[0],
  guestsAllowed: SHARING.guestsAllowed[0],
  muted: MUTED.everywhere[0],
  projectId: PROJECT.label,
  workObjects: SETTINGS.workObjects,
  brief: PRESET.brief.label,
};
