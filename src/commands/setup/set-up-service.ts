import { problemWith } from '../../config/settings.ts';
import { offerOf, probeService, problemWithAddress, type ServiceProbe } from '../probe-service.ts';
import { ensureSetting, type Judged, type Setup } from './ask.ts';
import { candidatesIn } from './card-template.ts';

type Usable = Extract<ServiceProbe, { usable: true }>;

/** The service's address and key, both tested, and the template of its card links. */
export async function setUpService(setup: Setup): Promise<{ isConnected: boolean }> {
  const probe = await ensureKey(setup);
  if (probe) setup.say(`✓ The service accepts the key: ${offerOf(probe)}.`);
  // A template in the settings file was confirmed in an earlier run, so no second link is asked for.
  const isNew = !setup.values.CARD_URL_TEMPLATE?.includes('{id}');
  const cardLink = {
    setting: 'CARD_URL_TEMPLATE' as const,
    message: 'The link of any card, from your browser:',
    judge: (link: string) => judgeCardLink(link, probe),
  };
  const template = (await ensureSetting(setup, cardLink)) ?? '';
  setup.say(`✓ Card links look like ${template}.`);
  const fixed = isNew ? fixedPartOf(template) : undefined;
  const other =
    fixed &&
    (await setup.asker.ask({
      ...cardLink,
      message: `Only links with “${fixed}” are recognized. The link of a card without it:`,
      ifEmpty: 'or Enter, if all have it',
    }));
  if (other && other !== template) {
    setup.keep({ CARD_URL_TEMPLATE: `${template},${other}` });
    setup.say(`✓ Card links may also look like ${other}. More can be added to CARD_URL_TEMPLATE.`);
  }
  return { isConnected: !setup.many && probe !== undefined };
}

/** @returns undefined if the workspace is to be connected later */
async function ensureKey(setup: Setup): Promise<Usable | undefined> {
  await ensureSetting(setup, {
    setting: 'DESIGN_API_BASE_URL',
    message: 'The design service’s API address, from its documentation:',
    isTested: true,
    judge: judgeAddress,
  });
  const tested = await ensureSetting<{ key: string; probe: Usable | undefined }>(
    setup,
    {
      setting: 'DESIGN_API_KEY',
      message: 'API key (dashboard → account settings → integration):',
      isSecret: true,
      isTested: true,
      ifEmpty: 'Enter: connect it in Slack later',
      judge: (answer) =>
        /^https?:/.test(answer) ? judgeOtherAddress(setup, answer) : judgeKey(setup, answer),
    },
    // With many workspaces, each connects its own.
    ({ key }) => (setup.many ? '' : key),
  );
  return tested && !tested.probe ? ensureKey(setup) : tested?.probe;
}

async function judgeKey(
  { values }: Setup,
  key: string,
): Promise<Judged<{ key: string; probe: Usable }>> {
  const problem = problemWith('DESIGN_API_KEY', key);
  if (problem) return { problem: `An API key ${problem}` };
  const baseUrl = values.DESIGN_API_BASE_URL ?? '';
  const timezone = values.DESIGN_API_TIMEZONE ?? 'UTC';
  const probe = await probeService({ baseUrl, timezone }, key);
  if (probe.usable) return { value: { key, probe } };
  return { problem: `${probe.problem} Paste another key, or another address of the service.` };
}

/** Only a key shows that an address is wrong, if the service refuses everything without one. */
async function judgeOtherAddress(
  { keep }: Setup,
  address: string,
): Promise<Judged<{ key: string; probe: undefined }>> {
  const judged = await judgeAddress(address);
  if ('problem' in judged) return judged;
  keep({ DESIGN_API_BASE_URL: address });
  return { value: { key: '', probe: undefined } };
}

async function judgeAddress(text: string): Promise<Judged<string>> {
  const malformed = problemWith('DESIGN_API_BASE_URL', text);
  if (malformed) return { problem: `The address ${malformed}` };
  const { username, password } = new URL(text);
  if (username + password) return { problem: 'The address can’t have a user name or password.' };
  const wrong = await problemWithAddress(text);
  return wrong ? { problem: wrong.problem } : { value: text };
}

/** With a key, the ID in the link is the one under which the service has a card. */
async function judgeCardLink(link: string, probe: Usable | undefined): Promise<Judged<string>> {
  // Several templates, or one that was derived before.
  if (link.includes('{id}') && problemWith('CARD_URL_TEMPLATE', link) === undefined) {
    return { value: link };
  }
  const candidates = candidatesIn(link);
  if (typeof candidates === 'string') return { problem: candidates };
  for (const { id, template } of probe && candidates.length > 1 ? candidates : []) {
    if (await probe?.api.getCard(id).catch(() => undefined)) return { value: template };
  }
  const [likely] = candidates;
  return likely ? { value: likely.template } : { problem: 'There is no card ID in that link.' };
}

/** A part of a template that may differ from card to card, too, such as the number of a board. */
function fixedPartOf(template: string): string | undefined {
  const [, , , ...parts] = template.split(/[/?&=]/);
  return template.includes(',') ? undefined : parts.find((part) => /\d/.test(part));
}
