import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { FormChoices } from '../../requests/form-defaults.ts';
import type { AuditedAction } from '../../store/audit-entries.ts';
import { PROJECT } from './connect.ts';
import { PRESET } from './preset.ts';
import { FIELDS } from './request-form.ts';
import { SETTINGS } from './settings.ts';
import { WORK_OBJECT_SETTING } from './work-object.ts';

// Who changed what, for admins.

export const RECENT_CHANGES = {
  title: 'Recent changes',
  button: 'Recent changes',
  intro: 'Changes to the connection, the settings, and presets. They’re kept for a year.',
  none: 'Nothing has been changed yet.',
  older: 'Older',
  newer: 'Newer',
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

/** What a field is called in the modal in which it is changed. A missing setting doesn't compile. */
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
