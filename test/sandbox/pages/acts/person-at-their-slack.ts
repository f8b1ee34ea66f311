import type { Person } from '../../../stand-ins/slack/people/person.ts';
import type { Slack } from '../../../stand-ins/slack/server.ts';
import { Refused } from '../http/messages.ts';

/** The person of that id, in front of their own workspace. */
export function personAtTheirSlack(slack: Slack, userId: string): Person {
  const user = slack.state.users.get(userId);
  if (!user || user.isBot) throw new Refused(404, 'Nobody has this id.');
  return slack.personAt(user);
}
