import type { Person } from '../../../stand-ins/slack/people/person.ts';
import type { Slack } from '../../../stand-ins/slack/server.ts';
import { Refused } from '../http/messages.ts';

/** The person with that ID, in their own workspace. */
export function personAtTheirSlack(slack: Slack, userId: string): Person {
  const user = slack.state.users.get(userId);
  if (!user || user.isBot) throw new Refused(404, 'No person has this ID.');
  return slack.personAt(user);
}
