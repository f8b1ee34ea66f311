import { compare, ratioOf } from '../rounds.ts';
import { atLeast, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import { acknowledgments, explained } from './deliveries.ts';

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
  const all = await compare(contenders, { rounds, say });
  return [
    figure(
      'our receiver relative to bare Bolt',
      'ratio',
      ratioOf(all.ours.aSecond, all.bare.aSecond),
      atLeast(0.9),
    ),
    figure(
      'the whole app relative to bare Bolt, for a button that is only acknowledged',
      'ratio',
      ratioOf(all.wholeButton.aSecond, all.bareButton.aSecond),
      atLeast(0.6),
    ),
    ...explained({ 'bare Bolt': all.bare, 'our receiver': all.ours }),
  ];
}

export const commandsRow: Row = {
  id: 'commands',
  title: 'Acknowledgments per second, commands',
  how: 'Listeners that only acknowledge, 64 deliveries at a time.',
  run,
};
