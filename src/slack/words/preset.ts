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
