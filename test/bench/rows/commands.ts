import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { acknowledgementsASecond } from './acknowledgements.ts';

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt());
  const ours = await stage.start(stage.ourReceiver());
  const whole = await stage.start(stage.app({ service, name: 'commands' }));
  const shares: number[] = [];
  const measure = async (...[subject, kind]: [typeof bare, 'command' | 'button']) => {
    const { aSecond, ownShare } = await acknowledgementsASecond(load, subject, kind);
    shares.push(ownShare);
    return aSecond;
  };
  const contenders = {
    bare: () => measure(bare, 'command'),
    ours: () => measure(ours, 'command'),
    bareButton: () => measure(bare, 'button'),
    wholeButton: () => measure(whole, 'button'),
  };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'commands: our receiver, of bare Bolt',
      figure: spreadOf(ratioOf(all.ours, all.bare)),
      unit: 'ratio',
      target: { bound: 'at least', value: 0.9 },
    },
    {
      what: 'a button that only acknowledges: the whole app, of bare Bolt',
      figure: spreadOf(ratioOf(all.wholeButton, all.bareButton)),
      unit: 'ratio',
    },
    { what: 'bare Bolt', figure: spreadOf(all.bare), unit: 'per second' },
    { what: 'our receiver', figure: spreadOf(all.ours), unit: 'per second' },
    {
      what: 'share of a processor that the load generator took',
      figure: spreadOf(shares),
      unit: 'ratio',
    },
  ];
}

export const commandsRow: Row = {
  id: 'commands',
  title: 'Acknowledgements a second, commands',
  how: 'Both apps only acknowledge, 64 deliveries at a time.',
  limit: 'One processor: reading HTTP, the signature, and Bolt’s own way through its middleware.',
  run,
};
