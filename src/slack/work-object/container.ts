import { type ActionArgs, isInPane } from '../listener/replies.ts';

/**
 * Whether a button was pressed in a Work Object in one of our own messages. Slack doesn't type the container of an
 * action (docs.slack.dev/messaging/work-objects-implementation).
 */
export const isInOwnWorkObject = ({ body: { container } }: Pick<ActionArgs, 'body'>): boolean =>
  container?.type === 'message_attachment' &&
  container.entity_url !== undefined &&
  container.is_app_unfurl !== true;

/** The same in the pane, which doesn't say what else is in the message. */
export const isInPaneOfOwn = (args: Pick<ActionArgs, 'body'>): boolean =>
  isInPane(args) && args.body.container.is_app_unfurl !== true;
