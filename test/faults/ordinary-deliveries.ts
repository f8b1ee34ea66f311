import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from './fuzz/send.ts';
import type { Setting } from './setting.ts';

const PAUSE_MS = 20;

/** What Slack sends while others misbehave; throws if it isn't acknowledged. @param url of the running app */
export async function ordinaryDeliveries({ acme, admin, general, slack }: Setting, url: string) {
  // A link on our domain that isn't a card: it is stored and acknowledged, and has no effect.
  await acme.as(admin).post(general, 'https://app.example.com/help');
  await slack.idle();
  const [model] = slack.deliveries.filter(({ kind }) => kind === 'event');
  const agent = new Agent({ keepAlive: true });
  const to = { url: `${url}/slack/events`, signingSecret: slack.signingSecret, agent };
  let sent = 0;

  async function one(): Promise<number> {
    sent += 1;
    const body = JSON.stringify({ ...model?.payload, event_id: `EvOrdinary${sent}` });
    const { status, ms } = await send(to, { body, contentType: 'application/json' });
    if (status !== 200) throw new Error(`An ordinary event was answered ${status}.`);
    return ms;
  }

  async function many(wanted: () => boolean): Promise<number[]> {
    const times: number[] = [];
    while (wanted()) {
      times.push(await one());
      await pause(PAUSE_MS);
    }
    return times;
  }

  return {
    /** Sends that many, one after the other. @returns the time of each acknowledgment in ms */
    send(count: number) {
      let left = count;
      return many(() => left-- > 0);
    },
    keepSending() {
      let stopped = false;
      const all = many(() => !stopped);
      all.catch(() => undefined);
      return {
        stop() {
          stopped = true;
          return all;
        },
      };
    },
  };
}
