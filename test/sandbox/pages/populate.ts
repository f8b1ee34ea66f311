import { addMessage } from '../../stand-ins/slack/state/conversations.ts';
import { fileOutput } from '../../stand-ins/slack/state/files.ts';
import type { User } from '../../stand-ins/slack/state/model.ts';
import type { Workspace } from '../../stand-ins/slack/workspace.ts';
import type { Stage } from '../stage.ts';

/** More people and channels than the walk needs, for people who explore. */
export function populate({ slack, acme, ada, ann, general }: Stage): {
  globex: Workspace;
  grace: User;
} {
  const globex = slack.addWorkspace({ name: 'Globex', installed: false });
  const grace = globex.addUser({ name: 'Grace', admin: true });
  const hank = acme.addUser({ name: 'Hank', of: globex });
  const gil = acme.addUser({ name: 'Gil', guest: 'multi' });
  general.members.add(gil.id);

  globex.addChannel({ name: 'globex-general', members: [grace, hank] });
  const design = acme.addChannel({ name: 'design', members: [ada, ann] });
  // For “Create design request” in the menu of a message.
  const brief = acme.addFile(ada, { name: 'autumn-fair-brief.pdf', mimetype: 'application/pdf' });
  addMessage(slack.state, {
    channelId: design.id,
    userId: ada.id,
    teamId: ada.teamId,
    text: 'Banner for the autumn fair. The brief is attached.',
    files: [fileOutput(slack.state, brief)],
  });
  acme.addChannel({ name: 'launch-plans', kind: 'private', members: [ada, ann] });
  acme.addChannel({
    name: 'acme-globex',
    members: [ada, ann, grace, hank],
    sharedWith: [globex],
  });

  acme.addChannel({ name: '', kind: 'im', members: [ann, ada] });
  // The conversations with the app exist from the start, as Slack lists installed apps.
  for (const user of [ann, ada, gil]) acme.directMessages(user);
  for (const user of [grace, hank]) globex.directMessages(user);
  return { globex, grace };
}
