import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figures, Row, RowOptions } from './figures.ts';
import { closeForms, prepareAll, type SentForm, submit } from './forms.ts';
import { type GatewayMode, openGateway } from './gateway.ts';
import { countOutcomes, creations, eventually } from './outcomes.ts';
import { type Setting, withSetting } from './setting.ts';

const TITLE = 'refused connections, DNS failures, and TLS failures';
const MUTATION = 'every fault counts as “may have arrived” (create-card.ts): 10 of 10 misjudged';
const BROKEN: readonly GatewayMode[] = ['refused', 'untrusted', 'cut', 'plain'];
const FORMS_A_FAULT = 2;
/** `.invalid` never exists. Source: RFC 6761, section 6.4. */
const NO_SUCH_HOST = 'https://design-service.invalid/client/api';
const PATIENCE_MS = 30_000;

/** In each run two forms are sent during each kind of failure, and all of them have to become cards. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const people = (BROKEN.length + 1) * FORMS_A_FAULT;
  return withSetting({ seed, people }, async (setting) => {
    const gateway = await openGateway(setting.service.url);
    const certificate = join(setting.folder, 'certificate.pem');
    await writeFile(certificate, gateway.certificate);
    setting.env.NODE_EXTRA_CA_CERTS = certificate;
    setting.env.DESIGN_API_BASE_URL = gateway.url;
    try {
      const forms: SentForm[] = [];
      for (let round = 1; round <= runs; round += 1) {
        forms.push(...(await breakEveryWay(setting, gateway.become, round)));
        say(`round ${round} of ${runs}`);
      }
      return figuresOf(setting, forms);
    } finally {
      await gateway.close();
    }
  });
}

async function breakEveryWay(
  setting: Setting,
  become: (mode: GatewayMode) => Promise<void>,
  round: number,
): Promise<SentForm[]> {
  const { people, acme } = setting;
  await Promise.all(people.map((user) => closeForms(acme.as(user))));
  const working = await setting.start();
  const titles = people.map((_, index) => `Round ${round}, form ${index + 1}`);
  const forms = await prepareAll(setting, titles);
  const waiting = [...forms];
  for (const mode of BROKEN) {
    await become(mode);
    await sendInto(setting, waiting.splice(0, FORMS_A_FAULT));
  }
  await working.stop();
  await become('good');
  const lost = await setting.start({ env: { DESIGN_API_BASE_URL: NO_SUCH_HOST } });
  await sendInto(setting, waiting);
  await lost.stop();

  const healed = await setting.start();
  await eventually(() => {
    const { waiting: queued, lost: unheard, untold } = countOutcomes(setting, forms);
    return queued + unheard + untold === 0;
  }, PATIENCE_MS);
  await healed.stop();
  return forms;
}

/**
 * Sends forms and waits until each has failed once, and its author reads that it will be sent automatically.
 */
async function sendInto({ slack }: Setting, forms: SentForm[]): Promise<void> {
  await Promise.all(
    forms.map(async (form) => {
      await submit(form);
      const told = () =>
        /can’t reach|Did this request arrive|Checking whether|\bSent\b/.test(form.by.sees());
      await slack.until(told, `words about ${form.title}`, PATIENCE_MS);
    }),
  );
}

function figuresOf(setting: Setting, forms: SentForm[]): Figures {
  const outcomes = countOutcomes(setting, forms);
  const { ok, lost, doubled } = outcomes;
  const misjudged = forms.length - ok;
  return {
    row: 3,
    title: TITLE,
    counts: { ok, 'asked although nothing was sent': outcomes['in doubt and told'], lost, doubled },
    measured: {
      misjudged: String(misjudged),
      'POSTs that reached the service': String(creations(setting).length),
    },
    holds: ok > 0 && misjudged === 0 && creations(setting).length === forms.length,
    mutation: MUTATION,
  };
}

export const neverSentRow: Row = { row: 3, title: TITLE, runs: { full: 4, quick: 1 }, run };
