import { createWorkspaceSettings } from '../../../src/installations/settings.ts';
import { workspaceIdOf } from '../../../src/installations/workspace-id.ts';
import { sendRequest } from '../world/author.ts';
import type { Scenario } from './scenario.ts';

/** The settings name a project, so the app searches it before it asks or tells the author. */
export const foundInProject: Scenario = {
  name: 'a request in doubt that is looked for in a project',
  outcomesInTests: ['done, answer lost'],
  async prepare({ entries }, { acme }) {
    const id = workspaceIdOf(acme.id);
    const settings = createWorkspaceSettings(entries);
    const usual = await settings.get(id);
    await settings.save(id, { ...usual, projectId: 'project-1' }, new Date(0));
  },
  async play(world) {
    world.meetOutcome();
    const sent = [await sendRequest(world, world.acme.as(world.ann), 'Spring banner')];
    return { sent, hasProject: true };
  },
};

export const unnamedInProject: Scenario = {
  ...foundInProject,
  name: 'a request whose card isn’t named in the answer and is looked for in a project',
  outcomesInTests: ['done'],
  async prepare(stores, standIns) {
    await foundInProject.prepare?.(stores, standIns);
    standIns.service.answers.createCard = 'message-only';
  },
};
