import { createWorkspaceSettings } from '../../src/installations/settings.ts';
import { createFormDefaults } from '../../src/requests/form-defaults.ts';
import { createUnfinishedForms } from '../../src/requests/unfinished-forms.ts';
import type { Stores } from '../../src/store/stores.ts';

/** The kinds of entries with functions of their own. */
export const kindsOf = (stores: Pick<Stores, 'entries' | 'requests'>) => ({
  settings: createWorkspaceSettings(stores.entries),
  channelSettings: createWorkspaceSettings(stores.entries).ofChannels,
  formDefaults: createFormDefaults(stores.entries),
  unfinishedForms: createUnfinishedForms(stores),
});
