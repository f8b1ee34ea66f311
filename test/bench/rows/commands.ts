import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { acknowledgements, explained } from './acknowledgements.ts';

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt());
  const ours = await stage.start(stage.ourReceiver());
  const whole = await stage.start(stage.app({ service, name: 'commands' }));
  const contenders = {
    bare: () => acknowledgements(load, bare, 'command'),
    ours: () => acknowledgements(load, ours, 'command'),
    bareButton: () => acknowledgements(load, bare, 'button'),
    wholeButton: () => acknowledgements(load, whole, 'button'),
  };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'our receiver, of bare Bolt',
      figure: spreadOf(ratioOf(all.ours.aSecond, all.bare.aSecond)),
      unit: 'ratio',
      target: { bound: 'at least', value: 0.9 },
    },
    {
      what: 'the whole app, of bare Bolt, by a button that only acknowledges',
      figure: spreadOf(ratioOf(all.wholeButton.aSecond, all.bareButton.aSecond)),
      unit: 'ratio',
    },
    ...explained({ 'bare Bolt': all.bare, 'our receiver': all.ours }),
  ];
}

export const commandsRow: Row = {
  id: 'commands',
  title: 'Acknowledgements a second, commands',
  how: 'Listeners that only acknowledge, 64 deliveries at a time.',
  limit: 'One processor: reading HTTP, the signature, Bolt’s middleware.',
  run,
};
