import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figures, Row, RowOptions } from './figures.ts';
import { type GatewayMode, openGateway } from './gateway.ts';
import { closeForms, type Order, prepareAll, submit } from './ordering.ts';
import { countOutcomes, creations, eventually } from './outcomes.ts';
import { type Setting, withSetting } from './setting.ts';

const TITLE = 'refused connections, DNS and TLS failures';
const MUTATION = 'every fault is taken for “may have arrived” (create-card.ts): 10 of 10 misjudged';
const BROKEN: readonly GatewayMode[] = ['refused', 'untrusted', 'cut', 'plain'];
const FORMS_A_FAULT = 2;
/** `.invalid` exists nowhere. Source: RFC 6761, section 6.4. */
const NO_SUCH_HOST = 'https://design-service.invalid/client/api';
const PATIENCE_MS = 30_000;

/** In one run two forms are sent in each kind of failure, all of which then have to become cards. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const people = (BROKEN.length + 1) * FORMS_A_FAULT;
  return withSetting({ seed, people }, async (setting) => {
    const gateway = await openGateway(setting.service.url);
    const certificate = join(setting.folder, 'certificate.pem');
    await writeFile(certificate, gateway.certificate);
    setting.env.NODE_EXTRA_CA_CERTS = certificate;
    setting.env.DESIGN_API_BASE_URL = gateway.url;
    try {
      const orders: Order[] = [];
      for (let round = 1; round <= runs; round += 1) {
        orders.push(...(await breakEveryWay(setting, gateway.become, round)));
        say(`round ${round} of ${runs}`);
      }
      return figuresOf(setting, orders);
    } finally {
      await gateway.close();
    }
  });
}

async function breakEveryWay(
  setting: Setting,
  become: (mode: GatewayMode) => Promise<void>,
  round: number,
): Promise<Order[]> {
  const { people, acme } = setting;
  await Promise.all(people.map((user) => closeForms(acme.as(user))));
  const working = await setting.start();
  const titles = people.map((_, index) => `Round ${round}, form ${index + 1}`);
  const orders = await prepareAll(setting, titles);
  const waiting = [...orders];
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
    const { waiting: queued, lost: unheard, untold } = countOutcomes(setting, orders);
    return queued + unheard + untold === 0;
  }, PATIENCE_MS);
  await healed.stop();
  return orders;
}

/** Sends forms, and waits until each has failed once: its author reads that it goes out by itself. */
async function sendInto({ slack }: Setting, orders: Order[]): Promise<void> {
  await Promise.all(
    orders.map(async (order) => {
      await submit(order);
      const told = () => /can’t be reached|may or may not|Sent/.test(order.by.sees());
      await slack.until(told, `words about ${order.title}`, PATIENCE_MS);
    }),
  );
}

function figuresOf(setting: Setting, orders: Order[]): Figures {
  const outcomes = countOutcomes(setting, orders);
  const { ok, lost, doubled } = outcomes;
  const misjudged = orders.length - ok;
  return {
    row: 3,
    title: TITLE,
    counts: { ok, 'asked though nothing was sent': outcomes['in doubt and told'], lost, doubled },
    measured: {
      misjudged: String(misjudged),
      'POSTs that reached the service': String(creations(setting).length),
    },
    holds: ok > 0 && misjudged === 0 && creations(setting).length === orders.length,
    mutation: MUTATION,
  };
}

export const neverSentRow: Row = { row: 3, title: TITLE, runs: { full: 4, quick: 1 }, run };
