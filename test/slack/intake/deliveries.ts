/** Deliveries as Slack makes them, limited to the fields this app reads. */

export const event = (id: string, changes: Record<string, unknown> = {}) => ({
  type: 'event_callback',
  event_id: id,
  team_id: 'T1',
  api_app_id: 'A1',
  authorizations: [{ team_id: 'T1', enterprise_id: null, user_id: 'U0', is_bot: true }],
  event: { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home', event_ts: '1.1' },
  ...changes,
});

export const command = (triggerId: string, changes: Record<string, string> = {}): string =>
  new URLSearchParams({
    command: '/design-request',
    text: 'Spring banner',
    trigger_id: triggerId,
    user_id: 'U1',
    team_id: 'T1',
    channel_id: 'C1',
    response_url: 'https://hooks.slack.com/commands/1',
    ...changes,
  }).toString();

export const interaction = (payload: unknown): string =>
  new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

export const submission = (triggerId: string, changes: Record<string, unknown> = {}) => ({
  type: 'view_submission',
  team: { id: 'T1' },
  user: { id: 'U1', team_id: 'T1' },
  trigger_id: triggerId,
  view: { id: 'V1', type: 'modal', callback_id: 'form', state: { values: {} } },
  ...changes,
});

export const press = (triggerId: string, changes: Record<string, unknown> = {}) => ({
  type: 'block_actions',
  team: { id: 'T1' },
  user: { id: 'U1', team_id: 'T1' },
  trigger_id: triggerId,
  container: { type: 'message', channel_id: 'C1', message_ts: '1.1' },
  actions: [{ type: 'button', action_id: 'press', block_id: 'b' }],
  ...changes,
});
