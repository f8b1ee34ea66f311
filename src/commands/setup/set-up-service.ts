import { problemWith } from '../../config/settings.ts';
import { partnerIn } from '../../service/cache/reference-lists.ts';
import { offerOf, probeService, problemWithAddress, type ServiceProbe } from '../probe-service.ts';
import { cleaned, ensureSetting, type Judged, type Setup } from './ask.ts';
import { candidatesIn } from './card-template.ts';

type Usable = Extract<ServiceProbe, { usable: true }>;

/** The service's address and key, both tested, and the template of its card links. */
export async function setUpService(setup: Setup): Promise<{ isConnected: boolean }> {
  const tested = await ensureKey(setup);
  if (tested) setup.say(`✓ The service accepts the key: ${offerOf(tested.probe)}.`);
  if (tested && (await lacksPartner(tested.probe))) {
    await ensureSetting(setup, {
      setting: 'DESIGN_PARTNER_NAME',
      message: 'The first word of its two partner products, as in “… Plus”:',
      ifEmpty: 'or Enter, to offer neither',
      judge: async (name) => ({ value: name }),
    });
  }
  // With many workspaces, each connects its own.
  if (setup.many) setup.values.DESIGN_API_KEY = '';
  // One in the settings file was chosen before.
  const isNew = !setup.values.CARD_URL_TEMPLATE?.includes('{id}');
  const template = await ensureSetting(setup, {
    setting: 'CARD_URL_TEMPLATE',
    message: 'The link of any card, from your browser:',
    judge: (link) => judgeCardLink(link, tested?.probe),
  });
  setup.say(`✓ Card links look like ${template}.`);
  if (template && isNew) await askForSecondLink(setup, template, tested?.probe);
  return { isConnected: !setup.many && tested !== undefined };
}

/** Typed instead of a key, to enter another address. */
const BACK = 'back';

async function ensureKey(setup: Setup): Promise<{ key: string; probe: Usable } | undefined> {
  const baseUrl =
    (await ensureSetting(setup, {
      setting: 'DESIGN_API_BASE_URL',
      message: 'The design service’s API address, from its documentation:',
      isTested: true,
      judge: (address) => judgeAddress(setup, address),
    })) ?? '';
  const tested = await ensureSetting<{ key: string; probe: Usable | undefined }>(
    setup,
    {
      setting: 'DESIGN_API_KEY',
      message: 'API key (dashboard → account settings → integration):',
      isSecret: true,
      isTested: true,
      ifEmpty: `Enter: connect it in Slack later; “${BACK}”: another address`,
      judge: async (key) => {
        if (key === BACK) return { value: { key: '', probe: undefined } };
        const problem = problemWith('DESIGN_API_KEY', key);
        if (problem) return { problem: `An API key ${problem}` };
        const probe = await probeWith(setup, baseUrl, key);
        if (probe.usable) return { value: { key, probe } };
        // The key is kept: the address is tested with it, and asked for again.
        if (probe.fault === 'address') return { value: { key, probe: undefined } };
        return { problem: probe.problem };
      },
    },
    ({ key }) => key,
  );
  if (!tested?.probe) {
    if (!tested) return undefined;
    if (tested.key === '') delete setup.values.DESIGN_API_BASE_URL;
    return ensureKey(setup);
  }
  return { key: tested.key, probe: tested.probe };
}

/** Whether a type offers all products, and none says what the partner's are called. */
async function lacksPartner({ api }: Usable): Promise<boolean> {
  const types = await api.listRequestTypes().catch(() => []);
  const products = types.map((type) => type.products);
  return products.some((names) => names.length === 0) && !partnerIn(products.flat());
}

const probeWith = ({ values }: Setup, baseUrl: string, key: string) =>
  probeService({ baseUrl, timezone: values.DESIGN_API_TIMEZONE ?? 'UTC' }, key);

/** With a key if there is one: without it, the service may answer 401 wherever it is asked. */
async function judgeAddress(setup: Setup, text: string): Promise<Judged<string>> {
  const malformed = problemWith('DESIGN_API_BASE_URL', text);
  if (malformed) return { problem: `The address ${malformed}` };
  const { username, password } = new URL(text);
  if (username + password) return { problem: 'The address can’t have a user name or password.' };
  const wrong = await problemWithAddress(text);
  if (wrong) return { problem: wrong.problem };
  const key = cleaned(setup.values.DESIGN_API_KEY ?? '');
  if (key === '' || problemWith('DESIGN_API_KEY', key)) return { value: text };
  const probe = await probeWith(setup, text, key);
  return probe.usable || probe.fault !== 'address'
    ? { value: text }
    : { problem: `${probe.problem} Check the address and its path.` };
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

/** The ID's place is replaced; another part with a digit may differ as well, such as the number of a board. */
async function askForSecondLink(
  { values, answers, asker, say }: Setup,
  template: string,
  probe: Usable | undefined,
): Promise<void> {
  const [, , , ...parts] = template.split(/[/?&=]/);
  const fixed = parts.find((part) => /\d/.test(part));
  if (fixed === undefined || template.includes(',')) return;
  const other = await asker.ask({
    setting: 'CARD_URL_TEMPLATE',
    message: `Only links with “${fixed}” are recognized. The link of a card without it:`,
    ifEmpty: 'or Enter, if all have it',
    judge: (link) => judgeCardLink(link, probe),
  });
  if (other === undefined || other === template) return;
  answers.CARD_URL_TEMPLATE = values.CARD_URL_TEMPLATE = `${template},${other}`;
  say(`✓ Card links may also look like ${other}. More can be added to CARD_URL_TEMPLATE.`);
}
