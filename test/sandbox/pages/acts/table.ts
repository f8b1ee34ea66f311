import { z } from 'zod';

/** Makes the entries of a table of acts: what a page sends with an act, and what is done in that world. */
export const actsIn =
  <World, Result>() =>
  <Shape extends z.ZodRawShape>(
    shape: Shape,
    run: (world: World, given: z.infer<z.ZodObject<Shape>>) => Result,
  ) => {
    const schema = z.object(shape);
    const read = (raw: unknown) => {
      const given = schema.parse(raw);
      return (world: World) => run(world, given);
    };
    return { shape, read };
  };

/** What a page can send for a table of acts. */
export type ActOf<Table extends Record<string, { shape: z.ZodRawShape }>> = {
  [Do in keyof Table & string]: z.infer<z.ZodObject<{ do: z.ZodLiteral<Do> } & Table[Do]['shape']>>;
}[keyof Table & string];

/** Checks what a page sent, and returns what does it. Throws ZodError. */
export function readAct<Run>(table: Record<string, { read(raw: unknown): Run }>, raw: unknown) {
  const { do: name } = z.object({ do: z.enum(Object.keys(table)) }).parse(raw);
  const { read } = table[name] ?? {};
  if (!read) throw new Error(`There is no act ${name}.`);
  return read(raw);
}
