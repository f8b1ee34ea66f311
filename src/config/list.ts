import { z } from 'zod';

/** A setting with one or more values, separated by commas. */
export const list = <Value>(item: z.ZodType<Value, string>) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item).min(1, 'is empty.'));
