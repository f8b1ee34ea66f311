import { CARD_ACTIONS, writeRefreshValue } from '../../src/slack/card/menu.ts';
import { FILLED, fillForm } from '../faults/forms.ts';
import type { Chance } from '../faults/random.ts';
import { seesCompleteForm } from '../sandbox/complete-form.ts';
import type { Slack } from '../stand-ins/slack/server.ts';
import type { Expectation } from './leaks.ts';
import type { Tenant, Tenants } from './tenants.ts';

type Stage = { slack: Slack; tenants: Tenants; chance: Chance; expectations: Expectation[] };

const cardUrl = (id: string) => `https://app.example.com/card/${id}`;
/** The same IDs in every workspace. */
const CARDS = ['7', '8', '9'] as const;
const PATIENCE_MS = 20_000;

/** What people of all companies do; each function picks one of them at random. */
const ACTIONS: Record<string, (stage: Stage) => Promise<void>> = {
  async 'a link in a channel of their own'({ tenants, chance }) {
    const { workspace, member, channel } = chance.pick(tenants.all);
    await workspace.as(member).post(channel, cardUrl(chance.pick(CARDS)));
  },
  async 'a link in the composer'({ tenants, chance }) {
    const { workspace, member, channel } = chance.pick(tenants.all);
    await workspace.as(member).compose(channel, cardUrl(chance.pick(CARDS)));
  },
  async 'a link in a shared channel'({ tenants, chance }) {
    const [first, ...rest] = tenants.shared;
    if (!first) return;
    const { channel, by, with: guest } = chance.pick([first, ...rest]);
    const { workspace, member } = chance.is(0.5) ? by : guest;
    await workspace.as(member).post(channel, cardUrl(chance.pick(CARDS)));
  },
  async 'a button press on a shown card by a person of any company'({ tenants, chance }) {
    const owner = chance.pick(tenants.all);
    const message = owner.workspace
      .messages(owner.channel)
      .findLast(({ attachments }) => attachments.length > 0);
    if (!message) return;
    const presser = chance.pick(tenants.all);
    await presser.workspace.as(presser.member).click({ message, text: 'Refresh' });
  },
  async 'a command'({ tenants, chance }) {
    const { workspace, member, channel } = chance.pick(tenants.all);
    const typed = chance.pick([`status ${chance.pick(CARDS)}`, 'list', 'types', 'brands', 'tags']);
    await workspace.as(member).command(channel, typed);
  },
  async 'a shortcut on a message of any company'({ slack, tenants, chance }) {
    const owner = chance.pick(tenants.all);
    const message = owner.workspace.messages(owner.channel).at(-1);
    if (!message) return;
    const { workspace, member } = chance.is(0.5) ? owner : chance.pick(tenants.all);
    const me = workspace.as(member);
    // Slack offers none on messages that the person doesn't see.
    const used = await me.messageShortcut(message, 'Create design request').catch(() => undefined);
    if (!used) return;
    // Its form must not replace the one of the next action.
    await slack.until(() => seesCompleteForm(me), 'the complete form', PATIENCE_MS);
    await me.close({ all: true });
  },
  async 'the Home tab'({ tenants, chance }) {
    const { workspace, member } = chance.pick(tenants.all);
    workspace.as(member).openApp();
  },
  async 'a request'({ slack, tenants, chance }) {
    const tenant = chance.pick(tenants.all);
    const { workspace, member, channel } = tenant;
    const me = workspace.as(member);
    if (me.currentView()) await me.close({ all: true });
    await me.command(channel);
    await slack.until(() => seesCompleteForm(me), 'the complete form', PATIENCE_MS);
    const { typed } = tenant;
    const [type = ''] = me.field('Request type').options;
    const filled = { ...FILLED, Description: typed, 'File formats': ['PNG'] };
    await fillForm(slack, me, typed, { type, filled });
    await me.submit();
  },
  async 'an event with any IDs'(stage) {
    const { slack, tenants, chance } = stage;
    const cardId = cardNobodyElseHas(stage);
    const [authorized, speaker] = [chance.pick(tenants.all), chance.pick(tenants.all)];
    const { id } = authorized.workspace;
    const isOrgWide = tenants.ofOrganization.includes(authorized);
    stage.expectations.push({ cardId, by: authorized });
    await slack.sendSigned(
      JSON.stringify({
        type: 'event_callback',
        event_id: `Ev-${cardId}`,
        event_time: Math.floor(slack.state.clock().getTime() / 1_000),
        api_app_id: slack.appId,
        team_id: speaker.workspace.id,
        context_team_id: isOrgWide ? id : chance.pick([id, null]),
        context_enterprise_id: isOrgWide ? 'E1' : null,
        is_ext_shared_channel: chance.is(0.3),
        authorizations: [
          {
            team_id: isOrgWide ? null : id,
            enterprise_id: isOrgWide ? 'E1' : null,
            user_id: authorized.workspace.botUserId,
            is_bot: true,
            is_enterprise_install: isOrgWide,
          },
        ],
        event: linkShared(cardId, chance.pick(tenants.all), chance.pick(tenants.all)),
      }),
      'application/json',
    );
  },
  async 'a button press with any IDs'(stage) {
    const { slack, tenants, chance } = stage;
    const cardId = cardNobodyElseHas(stage);
    const installation = chance.pick(tenants.all);
    const person = chance.pick(tenants.all);
    const isOrgWide = tenants.ofOrganization.includes(installation);
    // In an organization’s installation, Slack names only the person's workspace.
    const acting = isOrgWide ? person : installation;
    const mayAct = !isOrgWide || tenants.ofOrganization.includes(person);
    stage.expectations.push({ cardId, by: mayAct ? acting : undefined });
    const payload = {
      type: 'block_actions',
      team: isOrgWide ? null : { id: installation.workspace.id, domain: 'x' },
      enterprise: isOrgWide ? { id: 'E1', name: 'E1' } : null,
      is_enterprise_install: isOrgWide,
      user: { id: person.member.id, team_id: person.workspace.id },
      api_app_id: slack.appId,
      trigger_id: `${cardId}.1.x`,
      container: {
        type: 'message_attachment',
        channel_id: chance.pick(tenants.all).channel.id,
        message_ts: '1.1',
      },
      actions: [
        {
          type: 'button',
          action_id: CARD_ACTIONS.refresh,
          block_id: 'b',
          action_ts: '1.1',
          value: writeRefreshValue({ cardId, detail: 'large' }),
        },
      ],
    };
    await slack.sendSigned(
      new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
      'application/x-www-form-urlencoded',
    );
  },
};

const NAMES = Object.keys(ACTIONS) as [string, ...string[]];

/** @returns what was done, for the message of a failure */
export async function doSomething(stage: Stage): Promise<string> {
  const name = stage.chance.pick(NAMES);
  await ACTIONS[name]?.(stage);
  return name;
}

const cardNobodyElseHas = ({ expectations }: Stage) => `only-${expectations.length + 1}`;

const linkShared = (cardId: string, poster: Tenant, place: Tenant) => ({
  type: 'link_shared',
  channel: place.channel.id,
  is_bot_user_member: true,
  user: poster.member.id,
  message_ts: '1.1',
  links: [{ url: cardUrl(cardId), domain: 'app.example.com' }],
  unfurl_id: 'x',
  source: 'conversations_history',
  event_ts: '1.1',
});
