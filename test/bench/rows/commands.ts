import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { acknowledgments, explained } from './acknowledgments.ts';

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt());
  const ours = await stage.start(stage.ourReceiver());
  const whole = await stage.start(stage.app({ service, name: 'commands' }));
  const contenders = {
    bare: () => acknowledgments(load, bare, 'command'),
    ours: () => acknowledgments(load, ours, 'command'),
    bareButton: () => acknowledgments(load, bare, 'button'),
    wholeButton: () => acknowledgments(load, whole, 'button'),
  };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'our receiver relative to bare Bolt',
      figure: spreadOf(ratioOf(all.ours.aSecond, all.bare.aSecond)),
      unit: 'ratio',
      target: { bound: 'at least', value: 0.9 },
    },
    {
      what: 'the whole app relative to bare Bolt, for a button that is only acknowledged',
      figure: spreadOf(ratioOf(all.wholeButton.aSecond, all.bareButton.aSecond)),
      unit: 'ratio',
      target: { bound: 'at least', value: 0.6 },
    },
    ...explained({ 'bare Bolt': all.bare, 'our receiver': all.ours }),
  ];
}

export const commandsRow: Row = {
  id: 'commands',
  title: 'Acknowledgments per second, commands',
  how: 'Listeners that only acknowledge, 64 deliveries at a time.',
  run,
};
