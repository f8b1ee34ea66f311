import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { FormChoices } from '../../requests/form-defaults.ts';
import type { AuditedAction } from '../../store/audit-entries.ts';
import { PROJECT } from './connect.ts';
import { FIELDS } from './request-form.ts';
import { WORK_OBJECT_SETTING } from './work-object.ts';

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
  unfurlsLargeDetail: 'All details, and the newest image at full width',
  unfurlsOff: 'No preview',
  unfurlsAsElsewhere: 'Same as everywhere else',
  changes: 'Changes to watched cards',
  muted: 'Turn off messages about changes everywhere',
  mutedDetail: 'Confirmations and previews stay up to date',
  mutedHere: 'Turn off messages about changes in this channel',
  mutedHereDetail: 'Watchers get direct messages instead',
  sharing: 'Guests and other companies',
  shareExternally: 'Show cards in channels shared with another company',
  shareExternallyDetail: 'Everyone in the channel sees them',
  guestsAllowed: 'Let guests make requests and see cards',
};

// Presets, which admins set for the request form.

export const PRESET = {
  title: 'Preset',
  save: 'Save',
  saving: 'Saving…',
  ofWorkspace: 'Preset for all channels',
  ofChannel: 'Preset for this channel',
  introWorkspace: 'New requests start with this, unless a channel has its own preset.',
  introChannel: (channel: string) => `New requests in ${channel} start with this.`,
  explanation: 'What someone last chose for a request type overrides it.',
  postInHint: 'Leave blank to post in the channel where a request is started.',
  brief: 'Brief template',
  briefHint: 'The description starts with this text. List the questions that a designer asks.',
  leaveEmpty: 'Leave everything empty to remove the preset.',
  saved: ':white_check_mark: Preset saved.',
  removed: ':white_check_mark: Preset removed.',
  /** @param offered names, separated by commas */
  notOffered: (offered: string) => `This request type offers: ${offered}.`,
};

// Who changed what, for admins.

export const RECENT_CHANGES = {
  title: 'Recent changes',
  button: 'Recent changes',
  intro: 'Changes to the connection, the settings, and presets. They’re kept for a year.',
  none: 'Nothing has been changed yet.',
  older: 'Older changes aren’t shown.',
  /** @param by a mention */
  by: (by: string, when: string) => `${by}, ${when}`,
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

/** The label of each field in the modal that changes it. A setting that is left out here doesn't compile. */
export const CHANGED_FIELDS: Readonly<
  Record<keyof WorkspaceSettings | keyof FormChoices | 'key', string>
> = {
  key: 'API key',
  unfurls: SETTINGS.unfurls,
  shareExternally: SETTINGS.shareExternally,
  guestsAllowed: SETTINGS.guestsAllowed,
  muted: SETTINGS.muted,
  projectId: PROJECT.label,
  workObjects: WORK_OBJECT_SETTING.label,
  requestType: FIELDS.requestType.label,
  product: FIELDS.product.label,
  dimensions: FIELDS.dimensions.label,
  software: FIELDS.software.label,
  formats: FIELDS.formats.label,
  brand: FIELDS.brand.label,
  brief: PRESET.brief,
  shareIn: FIELDS.shareIn.label,
};

/** Values of menus, by field. */
export const CHANGED_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  unfurls: {
    small: SETTINGS.unfurlsSmall,
    large: SETTINGS.unfurlsLarge,
    off: SETTINGS.unfurlsOff,
  } satisfies Record<WorkspaceSettings['unfurls'], string>,
  workObjects: {
    off: WORK_OBJECT_SETTING.off,
    on: WORK_OBJECT_SETTING.on,
    gallery: WORK_OBJECT_SETTING.gallery,
  } satisfies Record<WorkspaceSettings['workObjects'], string>,
};
