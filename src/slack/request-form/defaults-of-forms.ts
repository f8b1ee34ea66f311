import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { FormDefaults } from '../../requests/form-defaults.ts';
import { WORKSPACE } from '../../requests/form-defaults.ts';
import type { Defaults } from './fill-defaults.ts';
import type { FormMetadata } from './metadata.ts';

/** What forms are filled with. */
export type DefaultsOfForms = {
  /** Reads them for a form that is drawn for the first time. */
  read(workspaceId: WorkspaceId, form: FormMetadata): Promise<Defaults>;
  /**
   * For a form that is redrawn: those that it was filled with. Read again only if another replica drew it, or long ago.
   */
  ofOpenForm(workspaceId: WorkspaceId, form: FormMetadata): Promise<Defaults>;
};

/** How many forms' defaults are kept: a few kB for each. */
const KEPT_FORMS = 500;

export function createDefaultsOfForms(stored: Pick<FormDefaults, 'of'>): DefaultsOfForms {
  const kept = new LRUCache<string, Defaults>(atMost(KEPT_FORMS));
  const nameOf = (workspaceId: WorkspaceId, { formId, userId }: FormMetadata) =>
    JSON.stringify([workspaceId, formId, userId]);

  async function read(workspaceId: WorkspaceId, form: FormMetadata): Promise<Defaults> {
    const { userId = '', channelId } = form;
    const owners = new Set([userId, channelId ?? WORKSPACE, WORKSPACE]);
    const defaults = {
      stored: await stored.of(workspaceId, [...owners]),
      place: { userId, channelId },
    };
    kept.set(nameOf(workspaceId, form), defaults);
    return defaults;
  }

  return {
    read,
    ofOpenForm: async (workspaceId, form) =>
      kept.get(nameOf(workspaceId, form)) ?? read(workspaceId, form),
  };
}
