import { compare } from '../rounds.ts';
import { atLeast, type Measured, type Row, type RowOptions, relativeToBolt } from '../row.ts';
import { acknowledgments, explained } from './deliveries.ts';

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt());
  const whole = await stage.start(stage.app({ service, name: 'buttons' }));
  const contenders = {
    bare: () => acknowledgments(load, bare, 'button'),
    whole: () => acknowledgments(load, whole, 'button'),
  };
  const all = await compare(contenders, { rounds, say });
  return [
    relativeToBolt('the whole app', all.whole.aSecond, all.bare.aSecond, atLeast(0.6)),
    ...explained({ 'bare Bolt': all.bare, 'the whole app': all.whole }),
  ];
}

export const buttonsRow: Row = {
  id: 'buttons',
  title: 'Acknowledgments per second, buttons',
  how: 'A button that is only acknowledged, 64 deliveries at a time.',
  run,
};
