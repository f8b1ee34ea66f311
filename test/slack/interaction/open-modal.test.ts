import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/installations/settings.ts';
import { createPeople } from '../../../src/slack/client/people.ts';
import { type Access, createAccess } from '../../../src/slack/interaction/access.ts';
import { type ModalToOpen, openModal } from '../../../src/slack/interaction/open-modal.ts';
import { buildNotice } from '../../../src/slack/interaction/views.ts';
import { workspaceNamed } from '../../installations/ids.ts';
import { issueTrigger } from '../../stand-ins/slack/state/triggers.ts';
import { startSlackWithoutApp } from '../slack-without-app.ts';

/** Longer than Slack's answer about a person is cached. */
const LATER_MS = 3 * 60_000;

const FORM = { isForm: true } as const;

const notice = (text: string) => buildNotice({ title: 'Test', text });

async function setUp() {
  const { slack, workspace, client, log } = await startSlackWithoutApp();
  const ann = workspace.addUser({ name: 'Ann' });
  const clock = { ms: 1, now: () => clock.ms };
  const settings = { get: async () => DEFAULT_SETTINGS };
  const nobody = async () => undefined;
  const access = createAccess({
    people: createPeople(clock),
    settings,
    keys: { describe: nobody },
    installations: { describe: nobody },
    organizations: { organizationOf: nobody },
    log,
  });
  const actor = { client, workspaceId: workspaceNamed(workspace.id), userId: ann.id };

  /** @returns the Slack methods that were called for it */
  async function open(
    who: Access = 'users',
    kind: Pick<ModalToOpen, 'isForm'> = {},
    isFirst = Promise.resolve(true),
  ): Promise<string[]> {
    const before = slack.apiCalls.length;
    const triggerId = issueTrigger({ state: slack.state, workspace, user: ann });
    await openModal({ access, log }, { ...actor, triggerId, isFirst }, who, {
      loading: notice('Loading'),
      notice,
      fill: async (_visitor, modal) => void (await modal.draw(notice('Filled'))),
      ...kind,
    });
    return slack.apiCalls.slice(before).map(({ method }) => method);
  }
  return { slack, me: workspace.as(ann), ann, clock, open };
}

describe('opening a modal', () => {
  it('shows it loading to someone Slack hasn’t told us about, and at once to someone we know', async () => {
    const { me, clock, open } = await setUp();
    expect(await open()).toEqual(['views.open', 'users.info', 'views.update']);
    expect(me.sees()).toContain('Filled');
    expect(await open()).toEqual(['views.open']);
    clock.ms += LATER_MS;
    expect(await open('users', FORM)).toEqual(['views.open', 'users.info']);
    expect(me.sees()).toContain('Filled');
  });

  it('shows contents only after a recent answer, and a form after any', async () => {
    const { slack, me, ann, clock, open } = await setUp();
    await open();
    clock.ms += LATER_MS;
    ann.guest = 'multi';
    const heal = slack.faults.add({ method: 'users.info', kind: 'http', status: 500 });
    await open();
    expect(me.sees()).not.toContain('Filled');
    expect(me.sees()).toMatch(/E-[0-9A-Z]{6}/);
    await open('users', FORM);
    expect(me.sees()).toContain('Filled');
    heal();
    expect(await open()).toEqual(['views.open', 'users.info', 'views.update']);
    expect(me.sees()).toContain('Only full members');
  });

  it('opens while its trigger is valid, although the database doesn’t answer', async () => {
    const { me, open } = await setUp();
    const hangs = new Promise<boolean>(() => undefined);
    expect(await open('users', FORM, hangs)).toContain('views.open');
    expect(me.sees()).toContain('Filled');
  });

  it('never assumes that someone is an admin without asking', async () => {
    const { me, ann, open } = await setUp();
    ann.isAdmin = true;
    expect(await open('admins')).toEqual(['views.open', 'users.info', 'views.update']);
    expect(me.sees()).toContain('Filled');
    ann.isAdmin = false;
    expect(await open('admins')).toEqual(['views.open', 'users.info', 'views.update']);
    expect(me.sees()).toContain('Only workspace admins');
  });

  it('closes it for someone who has become a guest since, and completes it once they are a member again', async () => {
    const { me, ann, clock, open } = await setUp();
    await open();
    ann.guest = 'multi';
    clock.ms += LATER_MS;
    expect(await open('users', FORM)).toEqual(['views.open', 'users.info', 'views.update']);
    expect(me.sees()).toContain('Only full members');
    ann.guest = undefined;
    clock.ms += LATER_MS;
    await open();
    expect(me.sees()).toContain('Filled');
  });
});
